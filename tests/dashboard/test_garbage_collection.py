"""What the garbage collector of the dashboard passes over."""

import gc

from streamlit.testing.v1 import AppTest

from dashboard.garbage_collection import freeze_loaded_code


def test_the_first_page_leaves_little_to_collect_after_each_refresh():
    def page() -> None:
        from dashboard.garbage_collection import freeze_loaded_code

        freeze_loaded_code()

    freeze_loaded_code.clear()
    try:
        AppTest.from_function(page).run()
        assert gc.get_freeze_count() > 10 * len(gc.get_objects())
    finally:
        gc.unfreeze()
