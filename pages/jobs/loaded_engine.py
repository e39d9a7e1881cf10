"""Load the engine in the process from which the workers of a cluster are forked, see `pages.jobs.cluster`.

The imports take two seconds and 160 MB. Forked workers share them.
"""

import gc

import distributed.nanny  # noqa: F401  (with the worker that it starts)

import pages.jobs.kinds.tasks  # noqa: F401
from treecore.warm_up import is_compiled, warm_up

IS_WARM = is_compiled()

if IS_WARM:  # otherwise each worker compiles the kernels that it needs first
    warm_up()
gc.freeze()  # otherwise the collector would write to shared memory pages and so copy them
