"""What the garbage collector of the dashboard passes over."""

import gc

from streamlit.testing.v1 import AppTest

from dashboard.garbage_collection import freeze_loaded_objects


def test_loaded_objects_are_frozen_for_the_garbage_collector():
    def page() -> None:
        from dashboard.garbage_collection import freeze_loaded_objects

        freeze_loaded_objects()

    freeze_loaded_objects.clear()
    try:
        AppTest.from_function(page).run()
        assert gc.get_freeze_count() > 10 * len(gc.get_objects())
    finally:
        gc.unfreeze()
