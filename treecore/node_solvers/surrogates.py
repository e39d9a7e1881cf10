"""Names of the convex surrogates of the 0/1 loss in an oblique node."""

LOGISTIC, SQUARED_HINGE = 0, 1
SURROGATES = {"logistic": LOGISTIC, "squared_hinge": SQUARED_HINGE}
