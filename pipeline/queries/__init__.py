"""The streaming queries: source, transforms, sink, start, one file each."""
