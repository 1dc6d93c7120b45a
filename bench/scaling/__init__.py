"""What more homes need, reckoned from what was measured: docs/scaling.md.

Nothing here measures. ``measurements`` names each figure with where it comes from, ``needs`` and
``limits`` reckon with them, and ``page`` writes the page.
"""
