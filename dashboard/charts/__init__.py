"""The charts, one file each; their colours come from the viewer's theme, light or dark."""
