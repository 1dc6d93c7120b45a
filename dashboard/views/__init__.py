"""The dashboard's pages, one file each: what is shown, in the order in which it is read."""
