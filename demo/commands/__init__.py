"""What each ``nest`` command does, one file a command."""
