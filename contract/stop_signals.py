"""The signals that ask a program to stop in order."""

import signal


def stop_signals() -> tuple[signal.Signals, ...]:
    """Return Ctrl-C, what a system or Docker sends, and a closed terminal: all mean the same.

    What `nohup` has started goes on when the terminal closes.
    """
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return (signal.SIGINT, signal.SIGTERM)
    return (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
