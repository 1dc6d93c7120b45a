"""What runs the whole: the ``nest`` command, and under ``stack`` the processes that it starts."""
