"""Kernels for the loss in leaves that are trained by gradient descent (Norouzi et al. 2015b, Eqs. 3 and 4).

For log loss, theta float64[k] contains the unnormalised log-probabilities of the classes and the target is a class
code. For squared loss, theta float64[1] is the prediction of the leaf.
"""

import numpy as np

from treecore._jit import sum_kernel


@sum_kernel
def normaliser_of(theta):
    """Return log(sum(exp(theta)))."""
    largest = theta.max()
    total = 0.0
    for c in range(theta.size):
        total += np.exp(theta[c] - largest)
    return largest + np.log(total)


@sum_kernel
def leaf_loss(theta, normaliser, target, squared):
    """Return the loss of a float64 target in a leaf, given its normaliser."""
    return (theta[0] - target) ** 2 if squared else normaliser - theta[int(target)]
