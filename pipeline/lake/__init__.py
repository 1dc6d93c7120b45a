"""The Delta tables: their layout, their versions, and what is wrong with them."""
