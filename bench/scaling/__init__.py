"""What more homes need, calculated from what was measured: docs/scaling.md.

Nothing here measures. ``measurements`` names each figure with where it comes from, ``needs`` and
``limits`` calculate with them, and ``page`` writes the page.
"""
