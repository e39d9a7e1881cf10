"""The notes for teachers of each lesson and story, in the order of the lessons.

A new lesson has its `Notes` here and an entry in `ALL`.
"""

from collections.abc import Mapping

import numpy as np

from pages.ui.learn.lesson_notes import Notes
from pages.ui.learn.lessons import lookup
from pages.ui.learn.lessons.further.bias_and_variance import POINTS, SEEDS, SIZES, parts_of, truth
from pages.ui.learn.lessons.further.pruning_and_lambda import objective
from pages.ui.learn.lessons.lesson import BuiltLesson
from treecore.tree.number_text import count, number

USUAL = 7  # minutes of a lesson without notes

WHAT_A_TREE_IS = Notes(
    minutes=8,
    aims=(
        "name the root, a split, a leaf and a decision path in a tree",
        "draw the regions of a small tree in the plane, and read a region as a rule",
        "explain why the error on new points is a different number from the training error",
    ),
    needs=("Points in a plane with coordinates", "Percentages"),
    misconceptions=(
        (
            "Each split divides the whole plane.",
            "Only the first split does. Every other split divides the region of its own node.",
        ),
        (
            "A leaf contains points of one class only.",
            "A leaf predicts the majority class. Its other points are misclassified.",
        ),
        (
            "The training error measures how good a tree is.",
            "The tree was fitted to these points. Only points that it has not seen can test it.",
        ),
    ),
    splits={
        "A tree without a split": (
            "Let students with a low guess name the class that the tree predicts. All points of the other classes are "
            "misclassified, which is {truth}."
        ),
        "How many leaves": (
            "Draw a tree with one split on the board and count leaves. Each further split replaces one leaf by two."
        ),
        "How many points are misclassified after the last split": (
            "Let students point at the region that is still mixed. The last split can only correct points there, so "
            "{truth} remain."
        ),
        "every point in this region": (
            "Let students point at a cross in the region. A leaf has one prediction, so it misclassifies its minority."
        ),
        "test error larger than the training error": (
            "Compare with an exam: students who have seen the questions make fewer errors. Stress that this holds for "
            "most trees, not for all. Press *Draw again*: some draws are exceptions."
        ),
    },
)


def _split_choice(built: BuiltLesson) -> dict[str, str]:
    greedy, tao = built.scenes[:2]
    return {"gini": str(lookup.wrong(greedy, greedy.last)), "least": str(lookup.wrong(tao, tao.last))}


SPLIT_CHOICE = Notes(
    minutes=7,
    aims=(
        "compute the errors of a threshold when each side predicts its majority class",
        "explain why the lowest Gini impurity and the fewest errors can be at different thresholds",
        "contrast CART, which never revises a split, with TAO, which optimises it again",
    ),
    needs=("The lesson *What a tree is*", "Shares and probabilities"),
    misconceptions=(
        (
            "CART chooses the split with the fewest errors.",
            "CART chooses the lowest impurity. Here that split misclassifies {gini} points, and the best one {least}.",
        ),
        (
            "Gini impurity and entropy always give the same split.",
            "In this lesson they do. On other data, their minima can be at different thresholds.",
        ),
        (
            "A split that corrects no error is useless.",
            "It lowers the mean impurity of its two sides, and then the next split can correct errors.",
        ),
    ),
    splits={
        "How often does CART": (
            "Let both sides estimate the loss: the two thresholds usually differ by few points. Take fresh draws with "
            "*Draw again*. {truth}."
        ),
        "every split of this tree correct errors": (
            "Let the class read the errors after each split. A split may only make one side purer."
        ),
        "percentage of the points is misclassified now": (
            "Students with a high guess expect that only the last splits change. TAO also changes the first one, so "
            "the error falls to {truth}."
        ),
    },
    figures=_split_choice,
)

STAIRCASES = Notes(
    minutes=6,
    aims=(
        "explain why splits on one feature turn a slanted boundary into a staircase",
        "compare the number of leaves of trees with thresholds and with lines",
        "name a data set for which thresholds are the better choice",
    ),
    needs=("The lesson *What a tree is*", "Equations of lines in the plane"),
    misconceptions=(
        (
            "The staircase is a pattern in the data.",
            "The boundaries of the fields are slanted. The stairs come from the split type.",
        ),
        (
            "With enough leaves, stairs are as good as lines.",
            "More leaves help less and less. Here even the largest tree has a higher error on new points.",
        ),
        (
            "Lines are always better than thresholds.",
            "They are better for slanted boundaries. If boundaries are parallel to the axes, thresholds are simpler.",
        ),
    ),
    splits={
        "boxes approximate": (
            "Let students cover the fields with four rectangles on paper. The corners that stick out are the errors, "
            "{truth} in total."
        ),
        "better than the tree with": (
            "Students who choose *Much better* rely on the training error. Point at the thin steps, which follow "
            "single points."
        ),
        "tree with lines has only": (
            "Let students draw three lines on paper that separate the fields. Only plants near the boundaries remain "
            "misclassified, {truth}."
        ),
        "lines predict new points better": (
            "Students with a low guess expect that chance decides. The boundaries are slanted in every draw, but with "
            "few points thresholds can win. {truth}."
        ),
    },
)

GREEDY_FAILS = Notes(
    minutes=8,
    aims=(
        "explain with XOR why the best first step need not lead to the best tree",
        "describe how TAO improves one node of a complete tree while the others stay fixed",
        "state that TAO can end in a local optimum",
    ),
    needs=("The lesson *How a split is chosen*", "The logical operation XOR, or a chessboard of four squares"),
    misconceptions=(
        (
            "The first split of a tree is always its most useful one.",
            "On XOR, the good first line corrects little alone. It is useful as soon as there are lines below it.",
        ),
        (
            "Greedy trees cannot represent XOR.",
            "They can, with more leaves. The first lines run through the fields, but they stay in the tree.",
        ),
        (
            "TAO finds the best tree.",
            "TAO never gets worse, but it improves one node after another, so it can get stuck.",
        ),
    ),
    splits={
        "only *one* line": (
            "Let a student draw the line at the board and count one side. Both sides keep points of each class, so a "
            "line corrects at most {truth}."
        ),
        "Does that line correct more": (
            "Cover the lower lines with a hand: both sides then contain wheat and clover. The gain comes when these "
            "lines return."
        ),
        "percentage does this tree misclassify": (
            "Students with a low guess solved XOR themselves. Repeat that greedy growth keeps its first line. The "
            "answer is {truth}."
        ),
        "does TAO end below": (
            "Let optimists and pessimists give a reason. {truth}. The lesson *One number for the "
            "whole tree* shows initial trees from which it gets stuck."
        ),
    },
)

CARE_POINTS = Notes(
    minutes=7,
    aims=(
        "decide for a point whether it is a care point of a node, and which child is its pseudolabel",
        "explain why TAO can optimise all nodes at one depth together",
        "describe one pass of TAO from the leaves to the root",
    ),
    needs=("The lesson *What a tree is*", "The lesson *Greedy fails on XOR*, or the idea of improving a given tree"),
    misconceptions=(
        (
            "The colour of a care point is its class.",
            "It is the pseudolabel: the child that classifies the point correctly. Points of one class can have both "
            "pseudolabels.",
        ),
        (
            "A node must separate the classes.",
            "A node must send each care point to its better child. The nodes below separate the classes.",
        ),
        (
            "Don't-care points are classified correctly.",
            "For them both children are right, or both are wrong. Either way this node cannot change the error.",
        ),
    ),
    splits={
        "Where would you begin": (
            "Both orders are possible. TAO begins at the bottom, because a node needs the predictions of its children "
            "to compare them."
        ),
        "misclassify in the best case": (
            "A leaf cannot move points. It chooses the majority class, and the minority remains: {truth}."
        ),
        "For how many points does the side matter": (
            "Pick one point and send it down both children. If the predictions are equally good, the point is a "
            "don't-care point. Do this for two or three points before you show {truth}."
        ),
    },
)

OBJECTIVE_FALLS = Notes(
    minutes=6,
    aims=(
        "compute the objective of a tree from its errors, its splits and λ",
        "explain why no step of TAO raises the objective",
        "distinguish a tree that TAO no longer improves from the best tree",
    ),
    needs=("The lesson *Care points and the reduced problem*",),
    misconceptions=(
        (
            "A falling objective leads to the best tree.",
            "It leads to a tree that TAO no longer improves. Another initial tree can lead to a better one.",
        ),
        (
            "A step without a change is the end.",
            "After other nodes have changed, the same node may find a better split. TAO stops after a whole pass "
            "without a change.",
        ),
        (
            "Pruning after a pass makes the tree less accurate on the training points.",
            "It removes leaves that no training point reaches, so these predictions stay the same.",
        ),
    ),
    splits={
        "remove one split and add two errors": (
            "Write both terms on the board: the errors rise by two, and the penalty falls by less. The sum decides."
        ),
        "add errors at another": (
            "Follow one point from the root. It reaches only one node at each depth, so changes at the others do not "
            "affect it."
        ),
        "How many end lower": (
            "Draw a curve with several valleys. Each start rolls into the nearest one, so another start can end lower."
        ),
        "Does pruning change": "No training point reaches the removed leaves, so no training prediction changes.",
    },
)

LAMBDA_PRUNES = Notes(
    minutes=6,
    aims=(
        "predict how the size of a tree changes with λ",
        "recognise overfitting and underfitting by comparing trees on validation points",
        "choose λ with validation points and explain why test points must not choose it",
    ),
    needs=("The lesson *One number for the whole tree*, or errors plus a penalty for splits",),
    misconceptions=(
        (
            "Each split must correct more than λ errors itself.",
            "Only the last split of a branch must. The first line may correct fewer errors and stays, because the "
            "lines below it correct many.",
        ),
        (
            "A tree with a training error of 0 is perfect.",
            "It has memorised the noise. Its error on new points is higher than that of a smaller tree.",
        ),
        (
            "A larger λ only prunes branches of the same tree.",
            "CART's pruning does that. TAO also changes the splits that stay.",
        ),
        (
            "The test points may choose λ, because the tree was not trained on them.",
            "A choice by test points fits them too, so they no longer test the choice.",
        ),
    ),
    splits={
        "percentage of new points": (
            "Students with a low guess rely on the training error. Point at a box around a single point and predict a "
            "new point there."
        ),
        "smaller tree better on new": (
            "The classes overlap, so a tree that follows fewer points predicts better. {truth}. With thresholds and "
            "slanted or curved boundaries, the larger tree can be better."
        ),
        "choose λ without cheating": (
            "Let supporters of each choice explain the trees that it favours. The training error rewards "
            "size; the test error then has no independent points left."
        ),
    },
)

OVERFITTING = Notes(
    minutes=8,
    aims=(
        "draw the training error and the test error against the size of a tree",
        "explain how noise makes large trees worse on new points",
        "weigh the number of training points against the width of the interval for the test error",
    ),
    needs=("The lesson *What a tree is*", "Training, validation and test points"),
    misconceptions=(
        (
            "A tree overfits because it has too many leaves.",
            "Without noise, a large tree need not be worse. Size and noise together cause overfitting.",
        ),
        (
            "A leaf with few points is a precise rule.",
            "It often fits points that noise has moved. In such leaves, new points are misclassified most often.",
        ),
        (
            "The test error is the true error.",
            "It is an estimate from few points. Its interval becomes narrower with more test points.",
        ),
    ),
    splits={
        "Which size misclassifies the fewest": (
            "Students who choose the largest tree rely on the training error; those who choose the smallest expect "
            "overfitting everywhere. The answer is {truth}."
        ),
        "such a leaf": (
            "Zoom in on a sliver: its points are where noise moved them. A new point there usually belongs to the "
            "class around it, so the error is {truth}."
        ),
    },
)

TWO_FEATURES = Notes(
    minutes=6,
    aims=(
        "compare a threshold, a line and a weighted sum as splits",
        "explain how the bivariate cost C decides between a threshold and a line",
        "weigh fewer errors against a decision that people can check",
    ),
    needs=("The lesson *Why thresholds form staircases*", "The lesson *λ prunes*"),
    misconceptions=(
        (
            "A line uses twice as much information, so it is always better.",
            "It is at least as good on training points. Its penalty is higher, and on new points it need not win.",
        ),
        (
            "The two best single features make the best pair.",
            "A pair can separate rows that neither of its features separates alone.",
        ),
        ("A tree that uses all features is more reliable.", "It is harder to check, and more weights can fit noise."),
    ),
    splits={
        "best threshold on one of these features": (
            "Let students project the points onto one axis with a ruler. Where the classes overlap on the axis, a "
            "threshold fails."
        ),
        "simpler split misclassify": (
            "A dearer line stays only if it corrects enough rows. Most lines are worth little more than a threshold, "
            "here {truth}."
        ),
    },
)

PIXELS = Notes(
    minutes=6,
    aims=(
        "read the weights of a node as an image",
        "explain why a weighted sum of pixels separates digits better than one pixel",
        "relate λ to the number of pixels in a node and to the test error",
    ),
    needs=("The lesson *One feature, two, or many*", "Images as tables of numbers"),
    misconceptions=(
        (
            "A model for images needs all pixels.",
            "A tree needs only the pixels on one decision path. The values of all others do not matter.",
        ),
        (
            "The colours in a node show a digit.",
            "They show weights: where ink raises the sum, and where it lowers the sum.",
        ),
        (
            "More pixels always make a better tree.",
            "A smaller λ gives more pixels per node, and from some point on the test error does not fall any more.",
        ),
    ),
    splits={
        "single pixel distinguish": (
            "Let students choose a pixel that an 8 has and a 3 does not. The best pixel classifies {truth} "
            "correctly; for "
            "most pairs of digits, a weighted sum does more."
        ),
        "How many multiplications": (
            "Multiplications are needed only at the nodes on the path and only for weights that are not 0: {truth}."
        ),
        "better on new digits": "More weights fit the training digits better. Compare test errors before you agree.",
    },
)

REGRESSION_TREES = Notes(
    minutes=6,
    aims=(
        "explain why a leaf predicts the mean of its points",
        "compare trees by their RMSE on new points",
        "describe the care points of a regression tree",
    ),
    needs=("The lesson *What a tree is*", "Mean and squared error"),
    misconceptions=(
        (
            "A regression tree interpolates between leaves.",
            "It predicts one constant in each region and jumps at the boundary.",
        ),
        (
            "An RMSE of 0 on the training points is the goal.",
            "Then leaves with single points predict their noise, and the RMSE on new points rises.",
        ),
        (
            "Care points exist only for classes.",
            "In regression, a point matters to a node if its squared errors in the two children differ.",
        ),
    ),
    splits={
        "typical error on the training points": (
            "The prediction is the mean height. Let students estimate how far the heights are from it, most of them "
            "about {truth}."
        ),
        "RMSE on new points": "Students with a guess near 0 use the training points. Point at leaves with one point.",
        "simplest good tree with lines": (
            "Let students sketch the cliff. One line can follow it, but thresholds need one step after another."
        ),
        "tree with lines better on new": "Ask what could be special about the first draw. {truth}.",
    },
)

UNSTABLE = Notes(
    minutes=7,
    aims=(
        "explain why a few points can change the first split and everything below it",
        "measure how alike two trees are by the share of equal predictions",
        "state how far the result of one data set holds on others",
    ),
    needs=("The lesson *Greedy fails on XOR*", "Random samples"),
    misconceptions=(
        (
            "Two trees with different splits make different predictions.",
            "Different splits can give nearly the same regions. Compare predictions, not splits.",
        ),
        (
            "TAO makes trees stable.",
            "It does on this data set, where CART finds no good first split. On other data sets it changes less.",
        ),
        (
            "Trees that agree are better.",
            "Trees can agree on a wrong class. In this lesson, one tree becomes worse as the trees become alike.",
        ),
    ),
    splits={
        "How often does the first split use": (
            "Both features have nearly the same lowest impurity, so the sample decides. {truth}. Do not treat any "
            "guess as careless."
        ),
        "also in the first draw": (
            "Each draw contains a fixed share of all points. The share squared gives the expected overlap, close to "
            "{truth}."
        ),
        "five other data sets": "Collect a reason for every guess, then show the answer: {truth}.",
    },
)

FOREST = Notes(
    minutes=7,
    aims=(
        "explain why a vote of different trees makes fewer errors than each tree",
        "describe a bootstrap sample",
        "weigh the smaller error of a forest against one tree that people can read",
    ),
    needs=("The lesson *Trees are unstable*", "The lesson *Overfitting*"),
    misconceptions=(
        (
            "The trees of a forest are better than a single tree.",
            "Here each one is worse, because it sees fewer different points. Their vote is better.",
        ),
        ("More trees always help as much as the first ones.", "The error falls quickly at first, then slowly."),
        (
            "A forest is always the better choice.",
            "Here one tree with lines has a smaller error, and people can read it.",
        ),
    ),
    splits={
        "does the vote misclassify": "Different trees err at different places, so many errors are outvoted: {truth}.",
        "see on average": (
            "Let students draw slips with replacement. About a third of the points is never drawn, so a tree sees "
            "{truth}."
        ),
        "How many splits does a point pass": "Multiply the splits on one path by the number of trees, about {truth}.",
        "fewer new points than the vote": "Let students look at the slanted stripes before they compare trees.",
    },
)


def _threshold_to_sum(built: BuiltLesson) -> dict[str, str]:
    thresholds, _, sums = built.scenes
    step = next(moment.step for moment in built.moments if built.scenes[moment.scene] is sums)
    return {"largest": count(thresholds.tree(0).n_leaves), "weights": count(len(sums.tree(step).split(0)[0]))}


THRESHOLD_TO_SUM = Notes(
    minutes=7,
    aims=(
        "describe the comparison that a threshold, a line and a weighted sum make",
        "compare split types fairly, with trees of about the same number of leaves",
        "weigh fewer errors against splits that are harder to read",
    ),
    needs=("The lesson *Pixels as features*", "The lesson *One feature, two, or many*"),
    misconceptions=(
        (
            "Enough thresholds can do the work of a weighted sum.",
            "They form a staircase, and each step needs training rows. The trees of thresholds here grow to {largest} "
            "leaves, and none has as few errors as the weighted sums.",
        ),
        (
            "A tree with fewer leaves is easier to read.",
            "Its splits can be harder to read. The root of the last tree has {weights} weights, so people need a "
            "picture of them.",
        ),
        (
            "A weighted sum is always the best split.",
            "Not on every data set of the last question: a simpler split type can be as good or better on new rows.",
        ),
    ),
    splits={
        "does it misclassify": (
            "Compare the guesses with a random choice among ten digits. Then ask which digits one pixel can "
            "distinguish before you show {truth}."
        ),
        "percentage points does the error": (
            "The answer, {truth}, is a difference of two errors. Students who divide the errors mean a change in per "
            "cent."
        ),
        "does this tree misclassify": (
            "Students who repeat the last error expect little from more pixels. Show the weights of the root as an "
            "image: one split combines them all. The error is {truth}."
        ),
        "Does any tree of thresholds": (
            "Students who answer *Yes* often think of the training error. Move the slider and read the errors on new "
            "digits."
        ),
        "are weighted sums better": (
            "Collect a reason for every guess. A boundary along an axis needs no sum, and few rows determine many "
            "weights badly. The answer is {truth}."
        ),
    },
    figures=_threshold_to_sum,
)


def _pruning_and_lambda(built: BuiltLesson) -> dict[str, str]:
    pruned, tao = built.scenes[:2]
    gains = [objective(pruned, k) - objective(tao, k) for k in range(len(tao.points))]
    best, worst = int(np.argmax(gains)), int(np.argmin(gains))
    return {
        "pruned": count(pruned.tree(best).n_leaves),
        "moved": count(tao.tree(best).n_leaves),
        "lam": number(tao.points[worst].lam),
        "higher": number(objective(tao, worst), 4),
        "lower": number(objective(pruned, worst), 4),
    }


PRUNING_AND_LAMBDA = Notes(
    minutes=8,
    aims=(
        "compute the objective of a tree from its errors, its splits and λ",
        "contrast pruning, which only removes branches, with TAO, which also moves the splits that stay",
        "explain why TAO's objective is usually lower and sometimes higher than that of pruning",
    ),
    needs=("The lesson *One number for the whole tree*", "The lesson *λ prunes*"),
    misconceptions=(
        (
            "The penalties α and λ are different.",
            "Both are the penalty of one split. If they are equal, pruning keeps {pruned} leaves here and TAO needs "
            "{moved}, because TAO moves splits.",
        ),
        (
            "TAO's objective is always lower, because TAO may change more.",
            "TAO changes one node after another, so it finds a local optimum. At λ = {lam}, its objective is {higher}, "
            "and that of pruning is {lower}.",
        ),
        (
            "Pruning lowers the training error.",
            "Pruning never lowers it. It lowers the objective, because fewer splits mean a smaller penalty.",
        ),
    ),
    splits={
        "Do the lines that stay": "Choose one line and let the class follow it while you move the slider.",
        "How many leaves will TAO keep": (
            "Students with a high guess expect that branches are only cut off. Let them draw as few lines as possible "
            "that separate the quadrants: {truth}."
        ),
        "How much lower": (
            "Write errors + λ × splits of both trees on the board and subtract: {truth}. Fewer errors and fewer splits "
            "both contribute."
        ),
        "not find the single leaf": (
            "Let one student remove one split, and another remove both. Compare the additional errors with the "
            "penalty that each change saves."
        ),
        "at most of these values": (
            "Some students weigh the exception on the last screen too much. Let them compare the screens before: "
            "{truth}."
        ),
        "How often is TAO's objective lower": "One draw proves little, so the lesson repeats the comparison. {truth}.",
    },
    figures=_pruning_and_lambda,
)


def _bias_and_variance(built: BuiltLesson) -> dict[str, str]:
    X, heights = truth()
    first = SIZES.index(POINTS) * len(SEEDS)
    drawn = built.scenes[first : first + len(SEEDS)]
    small, large = (parts_of(np.array([scene.tree(step).predict(X) for scene in drawn]), heights) for step in (0, 1))
    return {"error": f"{large.error:.1f} m", "bias": f"{large.mean:.1f} m", "small": f"{small.mean:.1f} m"}


BIAS_AND_VARIANCE = Notes(
    minutes=8,
    aims=(
        "define the bias and the spread of trees that are trained on different draws",
        "predict how both change with the size of the tree and with the number of points",
        "explain why the mean of several large trees is better than each of them",
    ),
    needs=("The lesson *Regression trees*", "The lesson *Overfitting*", "Mean and standard deviation"),
    misconceptions=(
        (
            "The bias is the error of one tree.",
            "It is the error of the mean prediction of many trees. On average, a large tree misses by {error} here, "
            "and the mean of all by {bias}.",
        ),
        (
            "The mean of enough trees is exact.",
            "The mean removes only differences by chance. The mean of the small trees still misses by {small}.",
        ),
        (
            "A larger tree always has more spread.",
            "Usually, but not on every data set. On moons and clouds, the boundaries are simple and the noise is "
            "small, so large trees are much the same for all draws.",
        ),
    ),
    splits={
        "do their trees differ": (
            "Choose one place, press *New draw*, and note the heights there on the board. Their standard deviation is "
            "the spread at this place. On average it is {truth}."
        ),
        "this mean from the true height": (
            "Students who guess almost 0 expect that the mean removes every error. Show a region: its prediction is "
            "flat, and the hill is round. The bias is {truth}."
        ),
        "happens to the spread and to the bias": (
            "Ask which of both is about chance. A leaf with more points has a mean with less noise, but its region "
            "is as coarse as before. {truth}."
        ),
        "differ from draw to draw, compared": (
            "Let students describe a leaf with one or two points: it follows them, and so also their noise. {truth}."
        ),
        "mean of all ten from the true height": (
            "Students whose guess lies between the single trees forget that some trees predict too high at a point "
            "and others too low. These differences cancel out, so few are left: {truth}."
        ),
        "depths has the smallest error": (
            "Let both sides square and add bias and spread for their depth. The sum is smallest for this answer: "
            "{truth}."
        ),
        "did they have more spread": (
            "Ask for which data sets 200 points show the boundaries well. There, large trees differ little. The "
            "answer is "
            "{truth}."
        ),
    },
    figures=_bias_and_variance,
)


def _categories_and_missing(built: BuiltLesson) -> dict[str, str]:
    columns = built.scenes[0].data.columns
    n_bands = len(columns.columns[0].categories) if columns is not None else 0
    return {"bands": count(n_bands), "ways": count(2 ** (n_bands - 1) - 1)}


CATEGORIES_AND_MISSING = Notes(
    minutes=8,
    aims=(
        "contrast a split on one category with a split on a group of categories",
        "predict where a split sends a category that the training rows do not contain",
        "decide whether a missing value can be information, and compare both treatments on new rows",
    ),
    needs=("The lesson *Regression trees*", "The lesson *Care points and the reduced problem*", "The mean of a column"),
    misconceptions=(
        (
            "Categories must be numbered before a tree can use them.",
            "Numbers impose an order that the categories may not have. A split on a group needs no order. If there "
            "is an "
            "order, as for frequencies, numbers can be as good.",
        ),
        (
            "To find the best group, a program must try all groups.",
            "{bands} bands have {ways} divisions into two groups. TAO only adds up for each band which child is "
            "better for its rows.",
        ),
        (
            "The mean is a neutral value for a missing one.",
            "It sends all these rows to the same child, although their true values can be far from the mean.",
        ),
    ),
    splits={
        "be divided into two groups": (
            "Let students list the divisions of three categories and then of four. Each further category about "
            "doubles their number: {truth}."
        ),
        "RMSE with groups": (
            "Students who expect no change argue that both trees have equally many leaves. Count how many splits on "
            "one band do the work of one group. The RMSE is {truth}."
        ),
        "split on a group send it": (
            "Read the split aloud: is the band in the group? A new band is not, so the answer needs no guess."
        ),
        "do both make the same test error": (
            "If the holes are random, they carry no information, and there is little to learn: {truth}."
        ),
        "Is the learned direction better than the mean": (
            "Let students act as the instrument and hide all large values. A hole then means a large value, but other "
            "columns may contain the same information. {truth}."
        ),
        "How often is the learned direction better": (
            "Students who expect all trials forget that other columns of a table often contain the same information. "
            "{truth}."
        ),
    },
    figures=_categories_and_missing,
)


def _where_tao_does_not_help(built: BuiltLesson) -> dict[str, str]:
    patients = built.scenes[2]
    return {"before": lookup.error(patients, 0), "after": lookup.error(patients, patients.last)}


WHERE_TAO_DOES_NOT_HELP = Notes(
    minutes=8,
    aims=(
        "separate a lower training error from a lower error on new rows",
        "name data on which TAO cannot improve CART's tree, and explain why",
        "use several draws and a test before a method is called better",
    ),
    needs=("The lesson *Overfitting*", "The lesson *Greedy fails on XOR*", "Training rows and new rows"),
    misconceptions=(
        (
            "TAO never makes a tree worse.",
            "TAO never raises its objective on the training rows. With a large λ, the training error can rise, and new "
            "rows have no guarantee.",
        ),
        (
            "A lower training error means that the tree has learned more.",
            "It may have learned noise. For the patients, TAO lowers the training error from {before} to {after} and "
            "does not become better on new rows.",
        ),
        (
            "The method with the smaller mean error is better.",
            "The difference may be chance. Count the draws in which each method is better, and correct for splits that "
            "share rows and for the number of tests.",
        ),
    ),
    splits={
        "change the test error": (
            "Ask which training rows TAO should correct. CART's tree leaves almost none. {truth}."
        ),
        "error on new rows, over many splits": (
            "Let students repeat what TAO guarantees, and for which rows. New rows have no guarantee. {truth}."
        ),
        "TAO's tree better on new rows": (
            "Students with a high guess rely on the training error. Let them name reasons for noise in these "
            "measurements, then show the answer: {truth}."
        ),
        "misclassify, with the same depth": (
            "Show CART's first split: no threshold follows slanted stripes. In most draws, TAO moves this split, too. "
            "The error is {truth}."
        ),
        "fewer errors on new rows in most draws": (
            "Collect data sets with bad early splits, such as XOR, and count them. {truth}."
        ),
        "significantly better": (
            "Let students toss a coin for each draw: a few more heads than tails prove nothing. With eleven tests, one "
            "passes by chance too easily, so the level is stricter: {truth}."
        ),
    },
    figures=_where_tao_does_not_help,
)


def _how_far_from_best(built: BuiltLesson) -> dict[str, str]:
    tao, best = built.scenes
    return {
        "local": count(lookup.wrong(tao, tao.last)),
        "best": count(lookup.wrong(best, best.last)),
        "n_new": count(len(tao.rows[2])),
        "local_new": count(lookup.wrong(tao, tao.last, 2)),
        "best_new": count(lookup.wrong(best, best.last, 2)),
    }


HOW_FAR_FROM_BEST = Notes(
    minutes=8,
    aims=(
        "explain the meaning and the limits of a certificate of a best tree",
        "compute the gap between a tree and the best tree of its shape",
        "describe a local optimum of TAO and two remedies",
    ),
    needs=("The lesson *Greedy fails on XOR*", "The lesson *One number for the whole tree*"),
    misconceptions=(
        (
            "If no single split can be improved, the tree is the best one.",
            "It is a local optimum. TAO's tree misclassifies {local} training points and the best tree {best}, because "
            "root and children must change together.",
        ),
        (
            "To find the best tree, a program must try all trees one by one.",
            "For each first threshold, both subtrees can be searched separately, so far fewer searches are enough.",
        ),
        (
            "The best tree is also certified for new points.",
            "The certificate is about training points. Of {n_new} new points, the best tree misclassifies {best_new} "
            "and TAO's tree {local_new}.",
        ),
    ),
    splits={
        "How many such trees": (
            "Count the thresholds on both features and multiply three choices. Then show how the separate search of "
            "both sides avoids this product."
        ),
        "How many does the best tree have": (
            "Let students draw three lines that misclassify fewer points than CART's. The best possible result is "
            "{truth}."
        ),
        "does TAO close": (
            "Students with a high guess remember that TAO repairs CART's splits. Here a change of one split alone "
            "gains nothing: {truth}."
        ),
        "comes nearer to the best tree": (
            "Random trees help by chance. Two levels at a time change root and children together, and exactly this is "
            "necessary here."
        ),
        "new points does the best tree misclassify": (
            "The certificate promises nothing for new points. Let students predict which tree is better there, then "
            "show {truth}."
        ),
        "find a best tree": "Students who guess the least generalise from the spirals. {truth}.",
    },
    figures=_how_far_from_best,
)

BREAST_CANCER = Notes(
    minutes=8,
    aims=(
        "read a tree with lines as a few rules on real data",
        "judge how far a leaf with few rows can be trusted",
        "explain why a small test set often cannot decide between two trees",
    ),
    needs=("The lesson *One feature, two, or many*", "Test rows"),
    misconceptions=(
        (
            "Features that the tree leaves out are unrelated to the disease.",
            "Many are nearly equivalent to a feature in the tree, so they are not worth their penalty.",
        ),
        (
            "A leaf without errors is a safe rule.",
            "With few rows, a leaf without errors can be chance. Test such a leaf on new rows.",
        ),
        (
            "The tree with fewer errors on the test rows is the better tree.",
            "A difference of a few rows can be chance. The lesson tests it before it draws a conclusion.",
        ),
    ),
    splits={
        "new rows reach this leaf": (
            "Compare the shares: few training rows reach the leaf, and there are fewer test rows. So {truth} is "
            "plausible."
        ),
        "do most of the rows need": "Let students count the rows at each leaf and the splits above it.",
        "better on new rows": "Ask how many rows would have to change sides for the opposite result.",
    },
)

SEGMENT = Notes(
    minutes=8,
    aims=(
        "describe the shape of a long tree and its effect on decision paths",
        "name the features that a tree selects, and give the reason",
        "find the classes that a tree confuses",
    ),
    needs=("The lesson *One feature, two, or many*", "The lesson *λ prunes*"),
    misconceptions=(
        (
            "A good tree is balanced.",
            "The objective does not contain the depth. A long tree is good if it separates one class after another.",
        ),
        (
            "Short decision paths are a goal of TAO.",
            "Only errors and splits count. Classes that are easy to separate leave early because this saves splits.",
        ),
        (
            "The largest tree is the best on new patches.",
            "The test rows do not show a difference between the small and the large tree.",
        ),
    ),
    splits={
        "19 features does it use": (
            "Features can occur several times, so count different ones. Each split has a penalty, so not all are "
            "used: {truth}."
        ),
        "largest tree on the path": (
            "Students expect either a clear gain or clear overfitting. Few rows differ, so the answer is {truth}."
        ),
    },
)

MNIST = Notes(
    minutes=8,
    aims=(
        "read from the weights of a node which strokes it tests",
        "follow a digit from the root to its leaf",
        "explain why a tree that is easy to read need not be the most accurate one",
    ),
    needs=("The lesson *Pixels as features*",),
    misconceptions=(
        (
            "A node recognises a whole digit.",
            "A node tests a few pixels. Only the nodes of a decision path together determine the digit.",
        ),
        (
            "A model must use the whole image.",
            "The pixels outside the decision path can have any value, and the prediction stays the same.",
        ),
        (
            "The same λ is right for every use.",
            "To explain, choose a tree with few pixels. To sort mail, choose the smaller error.",
        ),
    ),
    splits={
        "pixels does the tree use on this path": (
            "Estimate the pixels per node and the nodes on the path together. The product is close to {truth}."
        ),
        "How many does the node classify correctly": (
            "The answer is between a single leaf and all digits. Some digits of other classes reach the node and "
            "must be "
            "misclassified: {truth}."
        ),
        "test digits does this tree misclassify": (
            "Ask whether more pixels must help. Here they do: {truth}, but the nodes are harder to read."
        ),
    },
)

ALL: Mapping[str, Notes] = {
    "what-a-tree-is": WHAT_A_TREE_IS,
    "split-choice": SPLIT_CHOICE,
    "staircases": STAIRCASES,
    "greedy-fails-on-xor": GREEDY_FAILS,
    "care-points": CARE_POINTS,
    "objective-only-falls": OBJECTIVE_FALLS,
    "lambda-prunes": LAMBDA_PRUNES,
    "overfitting": OVERFITTING,
    "two-features": TWO_FEATURES,
    "pixels-as-features": PIXELS,
    "regression-trees": REGRESSION_TREES,
    "unstable": UNSTABLE,
    "what-a-forest-adds": FOREST,
    "from-threshold-to-sum": THRESHOLD_TO_SUM,
    "pruning-and-lambda": PRUNING_AND_LAMBDA,
    "bias-and-variance": BIAS_AND_VARIANCE,
    "categories-and-missing-values": CATEGORIES_AND_MISSING,
    "where-tao-does-not-help": WHERE_TAO_DOES_NOT_HELP,
    "how-far-from-the-best-tree": HOW_FAR_FROM_BEST,
    "breast-cancer": BREAST_CANCER,
    "segment": SEGMENT,
    "mnist": MNIST,
}


def minutes_of(slug: str) -> int:
    """Return the planned minutes of a lesson."""
    return ALL[slug].minutes if slug in ALL else USUAL
