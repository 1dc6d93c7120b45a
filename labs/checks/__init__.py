"""The exercises of each lab, one module a lab, under the name of its notebook."""
