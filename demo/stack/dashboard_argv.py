"""The dashboard's command line from the settings, with no package that its image leaves out."""

from contract.settings import Settings
from dashboard.serve import dashboard_command
from demo.stack.ports import EVERY_ADDRESS


def dashboard_argv(settings: Settings, port: int) -> list[str]:
    """Return the command line of the dashboard; it answers also the one address it listens at."""
    hosts = [settings.dashboard_hosts]
    if settings.bind_address not in EVERY_ADDRESS:
        hosts.append(settings.bind_address)
    return dashboard_command(port, settings.bind_address, ",".join(hosts))
