"""Test values that all visitors share."""

import threading
import time

from pages.ui.shell.computed import once


def test_an_object_of_the_server_is_made_once_even_if_threads_ask_at_the_same_time():
    made = []

    @once
    def make():
        made.append(object())
        time.sleep(0.05)
        return made[0]

    found = []
    threads = [threading.Thread(target=lambda: found.append(make())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert found == made * 8
