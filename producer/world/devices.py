"""The devices and the structure of a home as the Nest API describes them, ready for JSON."""

from typing import Any

from producer.world.camera_events import Sight
from producer.world.instants import instant
from producer.world.model import Alarm, Camera, Home, Thermostat
from producer.world.places import TIME_ZONE
from producer.world.residents import residents
from producer.world.seeded import stable_id, uniforms
from producer.world.thermostat_readings import Reading
from producer.world.time_units import DAY, SECOND

Json = dict[str, Any]

INSTALLED = 1_735_689_600 * SECOND
"""1 January 2025: the homes got their devices in the 300 days after it."""

ZONES_OUTDOORS = ("Walkway", "Street", "Porch")
ZONES_INDOORS = ("Door", "Window", "Sofa")
URLS_LIVE_FOR = 10 * DAY


def camera(home: Home, device: Camera) -> Json:
    """Describe a camera that is online and has seen nothing yet: it has no ``last_event``."""
    where, draws = device.spot.name, uniforms(b"%s has" % device.seed)
    zones = ZONES_OUTDOORS if device.spot.is_outdoors else ZONES_INDOORS
    auth = _auth(device)
    shared = next(draws) < 0.3 and device.spot.is_outdoors
    described = {
        "device_id": device.device_id,
        "software_version": ("4.0", "4.1.2", "5.0.1")[int(3 * next(draws))],
        "structure_id": home.structure_id,
        "where_id": _where_id(home, where),
        "where_name": where,
        "name": where,
        "name_long": f"{where} Camera",
        "is_online": True,
        "is_streaming": True,
        "is_audio_input_enabled": next(draws) < 0.8,
        "last_is_online_change": _installed(next(draws)),
        "is_video_history_enabled": device.video_history,
        "web_url": f"https://home.nest.com/cameras/{device.device_id}?auth={auth}",
        "app_url": f"nestmobile://cameras/{device.device_id}?auth={auth}",
        "is_public_share_enabled": shared,
        "activity_zones": [
            {"name": name, "id": str(200_000 + int(100_000 * next(draws)))}
            for name in zones[: int(4 * next(draws)) * device.video_history]
        ],
    }
    if shared:
        described["public_share_url"] = f"https://video.nest.com/live/{auth}?share={auth}"
    snapshot = f"https://img.nest.com/{device.device_id}.jpg?auth={auth}"
    return described | {"snapshot_url": snapshot}


def last_event(described: Json, device: Camera, sight: Sight, is_over: bool) -> Json:
    """Describe what a camera saw; while that goes on there is no ``end_time``."""
    auth, cue = _auth(device), f"{device.device_id}/{sight.start:x}"
    event: Json = {
        "has_sound": sight.sound,
        "has_motion": sight.motion,
        "has_person": sight.person,
        "start_time": instant(sight.start),
    }
    if is_over:
        event["end_time"] = instant(sight.end)
    # A draw below 1 as a number of so many bits says for each zone whether it was touched.
    zones = described["activity_zones"]
    touched = int(sight.zones * (1 << len(zones)))
    event["urls_expire_time"] = instant(sight.start + URLS_LIVE_FOR)
    event["web_url"] = f"https://home.nest.com/cameras/{cue}?auth={auth}"
    event["app_url"] = f"nestmobile://cameras/{cue}?auth={auth}"
    if device.video_history:
        event["image_url"] = f"https://img.nest.com/{cue}.jpg?auth={auth}"
        event["animated_image_url"] = f"https://img.nest.com/{cue}.gif?auth={auth}"
    event["activity_zone_ids"] = [zone["id"] for n, zone in enumerate(zones) if touched >> n & 1]
    return event


def thermostat(home: Home, device: Thermostat) -> Json:
    """Describe a thermostat as it was when it was installed."""
    draws = uniforms(b"%s has" % device.device_id.encode())
    installed = _installed(next(draws))
    keep = device.target
    return {
        "device_id": device.device_id,
        "locale": "en-US",
        "software_version": "5.6-7",
        "structure_id": home.structure_id,
        "name": device.room,
        "name_long": f"{device.room} Thermostat",
        "last_connection": installed,
        "is_online": True,
        "can_cool": next(draws) < 0.6,
        "can_heat": True,
        "is_using_emergency_heat": False,
        "has_fan": True,
        "fan_timer_active": False,
        "fan_timer_timeout": installed,
        "has_leaf": keep < 20,
        "temperature_scale": "F",
        **_degrees("target_temperature", keep),
        **_degrees("target_temperature_high", keep + 4),
        **_degrees("target_temperature_low", keep - 2),
        **_degrees("eco_temperature_high", 26),
        **_degrees("eco_temperature_low", 15),
        "hvac_mode": "heat",
        "previous_hvac_mode": "eco",
        **_degrees("ambient_temperature", keep),
        "humidity": 40,
        "hvac_state": "off",
        "where_id": _where_id(home, device.room),
        "where_name": device.room,
        "is_locked": False,
        "label": "",
        "sunlight_correction_enabled": True,
        "sunlight_correction_active": False,
        "fan_timer_duration": 15,
        "time_to_target": "~0",
        "time_to_target_training": "ready",
    }


def reading(device: Thermostat, read: Reading) -> Json:
    """Return the fields of a thermostat that a reading changes."""
    return {
        "last_connection": instant(read.moment),
        **_degrees("ambient_temperature", read.ambient),
        "humidity": read.humidity,
        "hvac_state": "heating" if read.ambient < device.target else "off",
    }


def alarm(home: Home, device: Alarm) -> Json:
    """Describe a smoke and CO alarm in which all is well."""
    draws = uniforms(b"%s has" % device.device_id.encode())
    return {
        "device_id": device.device_id,
        "locale": "en-US",
        "software_version": "3.1.4rc3",
        "structure_id": home.structure_id,
        "name": device.room,
        "name_long": f"{device.room} Nest Protect",
        "last_connection": _installed(next(draws)),
        "is_online": True,
        "battery_health": "ok" if next(draws) < 0.95 else "replace",
        "co_alarm_state": "ok",
        "smoke_alarm_state": "ok",
        "is_manual_test_active": False,
        "last_manual_test_time": _installed(next(draws)),
        "ui_color_state": "green",
        "where_id": _where_id(home, device.room),
        "where_name": device.room,
    }


def structure(home: Home) -> Json:
    """Describe a home: its name, where it is, and which rooms and devices it has."""
    who = residents(home.structure_id)
    rooms = {device.spot.name for device in home.cameras}
    rooms |= {device.room for device in home.thermostats}
    rooms |= {device.room for device in home.alarms}
    wheres = {_where_id(home, room): room for room in sorted(rooms)}
    return {
        "structure_id": home.structure_id,
        "thermostats": [device.device_id for device in home.thermostats],
        "smoke_co_alarms": [device.device_id for device in home.alarms],
        "cameras": [device.device_id for device in home.cameras],
        "away": "home",
        "name": f"{who.family} home, {who.street}",
        "country_code": "US",
        "postal_code": home.place.zip_code,
        "time_zone": TIME_ZONE,
        "co_alarm_state": "ok",
        "smoke_alarm_state": "ok",
        "rhr_enrollment": False,
        "wwn_security_state": "ok",
        "wheres": {where: {"where_id": where, "name": room} for where, room in wheres.items()},
    }


def _degrees(name: str, celsius: float) -> Json:
    return {f"{name}_f": round(celsius * 9 / 5 + 32), f"{name}_c": float(celsius)}


def _installed(draw: float) -> str:
    return instant(INSTALLED + int(300 * DAY * draw))


def _where_id(home: Home, where: str) -> str:
    return stable_id(f"{home.structure_id} {where}".encode(), 6)


def _auth(device: Camera) -> str:
    return f"c.{device.device_id[::-3]}"
