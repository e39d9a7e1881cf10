"""The engine, loaded once in the process that the workers of a cluster are forked from (see `pages.jobs.cluster`).

What is imported here costs two seconds and 160 MB, which workers have in common where they are forked.
"""

import gc

import distributed.nanny  # noqa: F401  (with the worker that it starts)

import pages.jobs.kinds.tasks  # noqa: F401
from treecore.warm_up import is_compiled, warm_up

IS_WARM = is_compiled()

if IS_WARM:  # otherwise each worker compiles on its own, what its work needs first
    warm_up()
gc.freeze()  # what is collected never touches, and so never copies, the pages in common
