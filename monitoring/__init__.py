"""What watches the pipeline: metrics for Prometheus, alert rules, and a board for Grafana.

It reads what everybody may read, and needs neither Spark nor a running pipeline.
"""
