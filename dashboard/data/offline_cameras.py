"""The cameras that are offline, as an operator needs them."""

from datetime import UTC, datetime

import pandas as pd

from dashboard.data.device_places import DevicePlaces
from dashboard.data.formatting import format_seconds
from dashboard.data.lake.cameras import CamerasView


def offline_rows(view: CamerasView, places: DevicePlaces) -> pd.DataFrame:
    """Return one row for each camera that is offline, the latest change first."""
    newest = pd.Timestamp(view.newest or datetime.now(UTC))
    rows = view.offline.merge(places.devices, on="device_id", how="left")
    # A change may be dated after the newest report: clocks differ.
    offline_seconds = (newest - rows["last_is_online_change"]).dt.total_seconds().clip(lower=0)
    return pd.DataFrame(
        {
            "name": rows["name"],
            "zip_code": rows["zip_code"],
            "city": rows["zip_code"].map(places.cities),
            "offline_since": rows["last_is_online_change"],
            "offline_for": [
                "unknown" if pd.isna(seconds) else format_seconds(seconds)
                for seconds in offline_seconds
            ],
            "last_report": rows["timestamp"],
            "last_event": rows["last_event"],
            "structure_id": rows["structure_id"],
            "device_id": rows["device_id"],
            "software_version": rows["software_version"],
        }
    )
