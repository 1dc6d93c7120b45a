"""`python -m demo.cli` is `nest`."""

from demo.cli import main

main()
