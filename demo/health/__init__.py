"""Whether the demo does well: it counts, each query keeps up, and what was written is right."""
