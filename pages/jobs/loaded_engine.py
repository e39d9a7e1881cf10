"""Load the engine in the process from which the workers of a cluster are forked, see `pages.jobs.cluster`.

The imports take two seconds and 160 MB, which forked workers share.
"""

import gc

import distributed.nanny  # noqa: F401  (with the worker that it starts)

import pages.jobs.kinds.tasks  # noqa: F401
from treecore.warm_up import is_compiled, warm_up

IS_WARM = is_compiled()

if IS_WARM:  # otherwise each worker compiles the kernels that it needs first
    warm_up()
gc.freeze()  # the collector then never writes to shared memory pages, which would copy them
