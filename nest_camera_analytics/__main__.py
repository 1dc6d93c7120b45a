"""``python -m nest_camera_analytics`` is ``nest``."""

from nest_camera_analytics.launcher import main

main()
