# Spark's start script reads this file, and the JVM keeps what it sets: SIGTERM and SIGHUP are for
# the Python process. It stops the queries in order, and the JVM after them.
trap '' TERM HUP

# This folder would be on Java's class path, and with it there Java shares no classes.
unset SPARK_CONF_DIR
