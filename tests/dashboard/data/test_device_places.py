"""Where devices and zip codes are."""

import pytest

from dashboard.data.device_places import read_device_places


def places_of(tmp_path, text: str):
    path = tmp_path / "places.csv"
    path.write_text(text)
    return read_device_places(str(path))


def test_a_zip_code_is_text_and_lies_at_the_mean_of_its_devices(tmp_path):
    places = places_of(
        tmp_path,
        "device_id,zip_code,city,state,latitude,longitude\n"
        "a,01002,Amherst,MA,42.0,-72.0\nb,01002,Amherst,MA,44.0,-74.0\nc,94304,,CA,37.4,-122.1\n",
    )
    assert places.problem is None
    assert places.zip_codes.to_numpy().tolist()[0] == ["01002", 43.0, -73.0]
    assert places.cities == {"01002": "Amherst"}
    assert dict(places.devices.to_numpy().tolist()) == {"a": "01002", "b": "01002", "c": "94304"}


def test_a_device_whose_zip_code_is_empty_has_none(tmp_path):
    places = places_of(
        tmp_path,
        "device_id,zip_code,city,latitude,longitude\n"
        'a,94304,,37.4,-122.1\nb,,Nowhere,37.4,-122.1\nc,"",,,\n',
    )
    assert places.zip_code_of == {"a": "94304"}
    assert places.devices["device_id"].tolist() == ["a", "b", "c"]
    assert places.devices["zip_code"].isna().tolist() == [False, True, True]
    assert places.zip_codes["zip_code"].tolist() == ["94304"]
    assert places.cities == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("device_id,zip_code\na,94304\n", "has no column latitude and no longitude"),
        ("device_id,zip_code,latitude,longitude\na,94304,,\n", "no row with coordinates"),
        ("device_id,zip_code,latitude,longitude\na,94304,north,nan\n", "no row with coordinates"),
        ("", "cannot be read"),
    ],
)
def test_a_file_without_coordinates_gives_a_problem(tmp_path, text, problem):
    places = places_of(tmp_path, text)
    assert problem in places.problem
    assert places.zip_codes.empty


def test_a_missing_file_gives_a_problem():
    assert "cannot be read" in read_device_places("/nowhere/places.csv").problem


def test_a_file_in_another_encoding_gives_a_problem(tmp_path):
    for text in ("device_id,zip_code\na,Z\xfcrich\n", "device_id,zip_code,l\xe4nge\na,1,2\n"):
        (tmp_path / "places.csv").write_bytes(text.encode("latin-1"))
        problem = read_device_places(str(tmp_path / "places.csv")).problem
        assert problem is not None
        assert problem.endswith("Save it as CSV in UTF-8.")
