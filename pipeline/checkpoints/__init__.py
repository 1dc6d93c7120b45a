"""What a query keeps between its runs, and whether it may go on with it.

Before it starts, each query asks for what it needs; UserError says what is not so, and the remedy:

- stats: the counting rules it began with (``counting_rules``), and no count that would become lower
  because messages are gone (``lower_counts``) or another pipeline counts (``only_writer``).
- sightings: the counting rules, too.
- archive: its topic and tables, in no older copy (``resumable_archive``).
- camera_status: the table that it follows and its own, likewise (``resumable_camera_status``).
- alerts: the table that it follows (``resumable_table_stream``).
- stats, sightings and alerts: the topic that they have written to (``output_topic``).

These are made of smaller questions: what the query began with (``origin``, ``same_origin``),
whether a table or checkpoint was put back from a backup (``older_copies``), and whether the archive
has all that its checkpoint says (``whole_archive``). ``checkpoint`` reads what Spark has written.
"""
