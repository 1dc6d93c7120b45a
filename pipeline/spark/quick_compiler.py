"""Java options: the quick compiler (C1) only, with room for the code of Spark."""

QUICK_COMPILER_OPTIONS = (
    "-XX:TieredStopAtLevel=1",
    # With that compiler alone Java has room for 48 MB of compiled code. Spark's does not fit: Java
    # would throw some away and compile it again for as long as it runs.
    "-XX:ReservedCodeCacheSize=240m",
)
