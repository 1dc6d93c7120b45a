"""What makes files of this repository; none of it is installed or runs in the demo."""
