"""What spark-submit runs: any `nest` command, such as ``submit.py pipeline --once``.

The rooms are beside this file, in an installation and in a checkout. Where a cluster manager has
copied it elsewhere, the environment that was sent along has them on its path.
"""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    os.environ.setdefault("NEST_SPARK_MASTER", "")  # master, memory and jars are spark-submit's
    sys.path.insert(1, str(Path(__file__).resolve().parents[1]))
    from nest_camera_analytics.launcher import main

    main()
