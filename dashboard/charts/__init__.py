"""The charts, one file each; their colours come from the theme, so that they hold in both."""
