"""What `nest` commands do to counts, tables and checkpoints while no pipeline runs."""
