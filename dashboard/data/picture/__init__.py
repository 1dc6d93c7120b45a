"""The living picture of the pipeline: what its stations and arrows say at a moment."""
