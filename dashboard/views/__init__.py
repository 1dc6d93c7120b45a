"""The pages and their sections: what is shown, from top to bottom."""
