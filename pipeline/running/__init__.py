"""The queries while they run: restarted, watched and reported."""
