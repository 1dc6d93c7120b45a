"""Whether the demo does well: each query keeps up, and what was written is right."""
