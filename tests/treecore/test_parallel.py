"""Test that work on several threads ends soon after a piece fails or is interrupted."""

import threading

import pytest

from treecore.parallel import thread_map


@pytest.mark.parametrize("by_helper", [False, True])
def test_after_a_failure_no_thread_begins_more_work(by_helper):
    done, failed, caller = [], threading.Event(), threading.current_thread()
    both = threading.Barrier(2)

    def piece(number):
        if number < 2:
            both.wait(10)  # each of the two threads has one piece
            if (threading.current_thread() is not caller) == by_helper:
                failed.set()
                raise InterruptedError
        failed.wait(10)
        threading.Event().wait(0.05)  # the other thread ends its piece after the failure
        done.append(number)

    with pytest.raises(InterruptedError), thread_map(2) as run:
        run(piece, range(100))
    assert len(done) <= 2
