"""The one name that an installation adds to an environment.

The rooms (``contract``, ``producer``, ``pipeline``, ...) are top-level folders of the project with
plain names. Such names must not lie beside the packages of others, so the wheel carries the rooms
inside this package, and only the processes of the ``nest`` command have them on their path.
"""
