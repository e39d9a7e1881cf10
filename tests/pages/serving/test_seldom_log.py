from pages.serving.seldom_log import EVERY, SeldomLog


def test_a_line_that_comes_again_and_again_is_counted(caplog):
    now = [0.0]
    log = SeldomLog("test", clock=lambda: now[0])
    for _ in range(1000):
        log.warning("Refused: %s.", "full")
    log.warning("Another: %s.", "x")
    now[0] += EVERY
    log.warning("Refused: %s.", "still full")
    assert [record.getMessage() for record in caplog.records] == [
        "Refused: full.",
        "Another: x.",
        "Refused: still full.",
        f"{999} similar lines omitted.",
    ]
