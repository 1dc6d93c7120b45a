"""The project's drawings: text in docs/drawings, made into SVG in docs/images (``make docs``)."""
