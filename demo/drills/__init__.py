"""Break the running demo on purpose, watch it come back, and prove that every number is right."""
