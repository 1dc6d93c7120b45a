"""The simulated world: homes, what happens in them, and the messages that report it."""
