"""Group tests that run in one worker, one after another: the tests in a file, and files that share a costly start."""

from xdist.scheduler import LoadScopeScheduling

# start of a path : what its tests share; the first match counts
SHARED = {
    "tests/browser/test_stage": "pages without a server",
    "tests/browser/test_editor": "pages without a server",
    "tests/browser/test_recorder": "pages without a server",
    "tests/browser/test_serving": "servers of their own",
    "tests/browser/test_sign_in": "servers of their own",
    "tests/browser/": "server",
    "tests/pages/ui/": "app",
    "tests/stage/": "Node",
    "tests/treecore/export/test_export_round_trip.py": "trees of every kind",
    "tests/treecore/rules/test_rules_round_trip.py": "trees of every kind",
}


class GroupScheduling(LoadScopeScheduling):
    """A scheduler that sends the tests of a group to one worker, in the order of paths; browsers come first."""

    def _split_scope(self, nodeid):
        path = nodeid.partition("::")[0]
        return next((group for start, group in SHARED.items() if path.startswith(start)), path)
