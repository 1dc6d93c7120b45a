"""The devices and the structure of a home as the Nest API describes them, ready for JSON."""

from collections.abc import Sequence
from typing import Any

from producer.world.camera_events import CameraEvent
from producer.world.instants import format_epoch_ms
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
URLS_EXPIRE_AFTER = 10 * DAY


def describe_camera(home: Home, camera: Camera) -> Json:
    """Describe a camera that is online and has seen nothing yet: it has no ``last_event``."""
    room, draws = camera.spot.name, uniforms(b"%s has" % camera.seed)
    zones = ZONES_OUTDOORS if camera.spot.is_outdoors else ZONES_INDOORS
    auth = _auth(camera)
    is_shared = next(draws) < 0.3 and camera.spot.is_outdoors
    described = {
        "device_id": camera.device_id,
        "software_version": ("4.0", "4.1.2", "5.0.1")[int(3 * next(draws))],
        "structure_id": home.structure_id,
        "where_id": _where_id(home, room),
        "where_name": room,
        "name": room,
        "name_long": f"{room} Camera",
        "is_online": True,
        "is_streaming": True,
        "is_audio_input_enabled": next(draws) < 0.8,
        "last_is_online_change": _installed(next(draws)),
        "is_video_history_enabled": camera.has_video_history,
        "web_url": f"https://home.nest.com/cameras/{camera.device_id}?auth={auth}",
        "app_url": f"nestmobile://cameras/{camera.device_id}?auth={auth}",
        "is_public_share_enabled": is_shared,
        "activity_zones": [
            {"name": name, "id": str(200_000 + int(100_000 * next(draws)))}
            for name in zones[: int(4 * next(draws)) * camera.has_video_history]
        ],
    }
    if is_shared:
        share = stable_id(f"{camera.device_id} public share".encode(), 6)
        described["public_share_url"] = f"https://video.nest.com/live/{share}?auth={auth}"
    snapshot = f"https://img.nest.com/{camera.device_id}.jpg?auth={auth}"
    return described | {"snapshot_url": snapshot}


def describe_event(
    camera: Camera, activity_zones: Sequence[Json], event: CameraEvent, is_over: bool
) -> Json:
    """Describe an event as the camera's ``last_event``; while it goes on it has no ``end_time``."""
    auth, path = _auth(camera), f"{camera.device_id}/{event.start:x}"
    described: Json = {
        "has_sound": event.has_sound,
        "has_motion": event.has_motion,
        "has_person": event.has_person,
        "start_time": format_epoch_ms(event.start),
    }
    if is_over:
        described["end_time"] = format_epoch_ms(event.end)
    described["urls_expire_time"] = format_epoch_ms(event.start + URLS_EXPIRE_AFTER)
    described["web_url"] = f"https://home.nest.com/cameras/{path}?auth={auth}"
    described["app_url"] = f"nestmobile://cameras/{path}?auth={auth}"
    if camera.has_video_history:
        described["image_url"] = f"https://img.nest.com/{path}.jpg?auth={auth}"
        described["animated_image_url"] = f"https://img.nest.com/{path}.gif?auth={auth}"
    bits = int(event.zones * (1 << len(activity_zones)))  # one for each zone: was it there?
    described["activity_zone_ids"] = [
        zone["id"] for number, zone in enumerate(activity_zones) if bits >> number & 1
    ]
    return described


def describe_thermostat(home: Home, thermostat: Thermostat) -> Json:
    """Describe a thermostat as it was when it was installed."""
    draws = uniforms(b"%s has" % thermostat.device_id.encode())
    installed = _installed(next(draws))
    target = thermostat.target
    return {
        "device_id": thermostat.device_id,
        "locale": "en-US",
        "software_version": "5.6-7",
        "structure_id": home.structure_id,
        "name": thermostat.room,
        "name_long": f"{thermostat.room} Thermostat",
        "last_connection": installed,
        "is_online": True,
        "can_cool": next(draws) < 0.6,
        "can_heat": True,
        "is_using_emergency_heat": False,
        "has_fan": True,
        "fan_timer_active": False,
        "fan_timer_timeout": installed,
        "has_leaf": target < 20,
        "temperature_scale": "F",
        **_degrees("target_temperature", target),
        **_degrees("target_temperature_high", target + 4),
        **_degrees("target_temperature_low", target - 2),
        **_degrees("eco_temperature_high", 26),
        **_degrees("eco_temperature_low", 15),
        "hvac_mode": "heat",
        "previous_hvac_mode": "eco",
        **_degrees("ambient_temperature", target),
        "humidity": 40,
        "hvac_state": "off",
        "where_id": _where_id(home, thermostat.room),
        "where_name": thermostat.room,
        "is_locked": False,
        "label": "",
        "sunlight_correction_enabled": True,
        "sunlight_correction_active": False,
        "fan_timer_duration": 15,
        "time_to_target": "~0",
        "time_to_target_training": "ready",
    }


def reading_fields(thermostat: Thermostat, reading: Reading) -> Json:
    """Return the fields of a thermostat that a reading changes."""
    return {
        "last_connection": format_epoch_ms(reading.moment),
        **_degrees("ambient_temperature", reading.temperature),
        "humidity": reading.humidity,
        "hvac_state": "heating" if reading.temperature < thermostat.target else "off",
    }


def describe_alarm(home: Home, alarm: Alarm) -> Json:
    """Describe a smoke and CO alarm in which all is well."""
    draws = uniforms(b"%s has" % alarm.device_id.encode())
    return {
        "device_id": alarm.device_id,
        "locale": "en-US",
        "software_version": "3.1.4rc3",
        "structure_id": home.structure_id,
        "name": alarm.room,
        "name_long": f"{alarm.room} Nest Protect",
        "last_connection": _installed(next(draws)),
        "is_online": True,
        "battery_health": "ok" if next(draws) < 0.95 else "replace",
        "co_alarm_state": "ok",
        "smoke_alarm_state": "ok",
        "is_manual_test_active": False,
        "last_manual_test_time": _installed(next(draws)),
        "ui_color_state": "green",
        "where_id": _where_id(home, alarm.room),
        "where_name": alarm.room,
    }


def describe_structure(home: Home) -> Json:
    """Describe a home: its name, where it is, and which rooms and devices it has."""
    family, street = residents(home.structure_id)
    rooms = {camera.spot.name for camera in home.cameras}
    rooms |= {thermostat.room for thermostat in home.thermostats}
    rooms |= {alarm.room for alarm in home.alarms}
    wheres = {_where_id(home, room): room for room in sorted(rooms)}
    return {
        "structure_id": home.structure_id,
        "thermostats": [device.device_id for device in home.thermostats],
        "smoke_co_alarms": [device.device_id for device in home.alarms],
        "cameras": [device.device_id for device in home.cameras],
        "away": "home",
        "name": f"{family} home, {street}",
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
    return format_epoch_ms(INSTALLED + int(300 * DAY * draw))


def _where_id(home: Home, room: str) -> str:
    return stable_id(f"{home.structure_id} {room}".encode(), 6)


def _auth(camera: Camera) -> str:
    return f"c.{camera.device_id[::-3]}"
