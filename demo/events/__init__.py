"""An event as somebody writes it, for `nest send`: read, asked for, and made a message."""
