"""What a query keeps between its runs, and whether it may go on with it."""
