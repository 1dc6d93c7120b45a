"""The figures after the measurement: kept as JSON, compared with targets, shown as tables."""
