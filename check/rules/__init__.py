"""The design's rules for one record, written a second time: what it must have become."""
