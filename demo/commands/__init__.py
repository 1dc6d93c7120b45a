"""What ``nest`` commands do that no other part of the demo does."""
