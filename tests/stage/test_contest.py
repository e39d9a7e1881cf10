"""Test that a student's browser and the server compute the same score for drawn lines."""

from tests.pages.rooms.contests import contest


def test_errors_and_objective_after_every_line_are_those_of_the_server(ask):
    one = contest()
    edits = [["none", 0], ["split", 0], ["split", 1], ["drag", 0, 0.3], ["split", 2], ["move", 0, -0.1], ["cut", 1]]
    for found in ask("edited", one.content, edits):
        entry = one.entry(found["document"])
        assert (found["error"], found["objective"]) == (entry.errors, entry.objective)
        positions = one.target.positions(one.tao_tree)[entry.tree.labels]
        labels = dict(zip(entry.tree.origin.tolist(), positions.tolist(), strict=True))
        assert {int(node): int(value) for node, value in found["values"].items()} == labels
