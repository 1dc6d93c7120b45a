"""Labels of axes of numbers."""

VALUE_LABEL = "format(datum.value, abs(datum.value) < 1000 ? '~r' : '~s')"
"""An expression of Vega: 0.5, 400, 8k. The format ``~s`` alone writes 0.4k for 400."""
