"""Groups of tests that run in one worker, one after another: those of a file, and files that share a costly start."""

from xdist.scheduler import LoadScopeScheduling

# beginning of a path : what its tests share; the first that fits counts
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
    """Sends the tests of a group to one worker; groups in the order of the paths: browsers, which wait most, early."""

    def _split_scope(self, nodeid):
        path = nodeid.partition("::")[0]
        return next((group for start, group in SHARED.items() if path.startswith(start)), path)
