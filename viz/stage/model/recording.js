// A recorded run: the changes in each step, in addition to the tree after it.

/**
 * Return the recording in a payload, or null: {title, lam, cost, steps}. A step has kind ("start", "level", "best",
 * "prune" or "split"), iteration, depth, objective, loss, error, test_error, sentence, nodes, skipped (Map origin ->
 * reason) and most (the node with the most care points, or null). A node has origin, n, before, after, sentence, rows
 * (care points, indices in the sample), sides (pseudolabels: -1 left, 1 right), weights and isLeaf.
 * @param {Recorded} recorded @param {StageTree[]} trees @returns {Recording | null}
 */
export function recordingOf(recorded, trees) {
  if (!recorded.run) return null;
  const { steps, ...rest } = recorded.run;
  let first = 0; // first node of the step among the nodes of all steps
  return {
    ...rest,
    steps: steps.map((/** @type {any} */ step, /** @type {number} */ index) => {
      first += step.nodes.length;
      return stepOf(step, recorded, first - step.nodes.length, trees[index]);
    }),
  };
}

/**
 * @param {any} step as sent, with the sentences of its nodes
 * @param {Recorded} recorded @param {number} first @param {StageTree} tree @returns {RecordedStep}
 */
function stepOf(step, recorded, first, tree) {
  /** @type {RecordedNode[]} */
  const nodes = step.nodes.map((/** @type {string} */ sentence, /** @type {number} */ index) => {
    const [i, part] = [first + index, [recorded.start[first + index], recorded.stop[first + index]]];
    const at = tree.nodeOf.get(recorded.origins[i]);
    return {
      origin: recorded.origins[i],
      n: recorded.n[i],
      before: recorded.before[i],
      after: recorded.after[i],
      sentence,
      rows: recorded.rows.subarray(...part),
      sides: recorded.sides.subarray(...part),
      weights: recorded.weights.subarray(...part),
      isLeaf: at === undefined || tree.isLeaf(at),
    };
  });
  /** @param {RecordedNode} node */
  const ranks = (node) => [node.rows.length, !node.isLeaf, node.before !== node.after, node.n].map(Number);
  return {
    ...step,
    nodes,
    skipped: new Map(Object.entries(step.skipped ?? {}).map(([origin, reason]) => [Number(origin), reason])),
    most: nodes.length ? nodes.reduce((best, node) => (isAbove(ranks(node), ranks(best)) ? node : best)) : null,
  };
}

/**
 * Return whether the first list of numbers is above the second one in lexicographic order.
 * @param {number[]} a @param {number[]} b
 */
function isAbove(a, b) {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && a[at] > b[at];
}

/**
 * Return a path that has no recording as a recording, with one step for each tree and no sentences.
 * @param {Path} path @returns {Recording}
 */
export function bareRecording(path) {
  const steps = path.trees.map((tree) => {
    const loss = tree.figures(0).losses[0];
    const { error } = tree.sizes(0);
    /** @type {Omit<RecordedStep, "sentence" | "nodes" | "skipped" | "most">} */
    const facts = { kind: "start", iteration: 0, depth: null, objective: loss, loss, error, test_error: null };
    return { ...facts, sentence: "", nodes: [], skipped: new Map(), most: null };
  });
  return { title: "", lam: 0, cost: null, steps };
}

/** Return the name of a step: "Pass 2, depth 3". @param {RecordedStep} step */
export function stepName(step) {
  if (step.kind === "level") return `Pass ${step.iteration}, depth ${step.depth}`;
  return {
    start: "Initial tree",
    best: "Best tree restored",
    prune: "Pruning",
    split: `Split ${step.iteration}`,
  }[step.kind];
}

/** Return the index of the first step of every pass: [{index, pass}]. @param {RecordedStep[]} steps */
export function passes(steps) {
  /** @type {{index: number, pass: number}[]} */
  const found = [];
  steps.forEach((step, index) => {
    if (step.kind === "level" && step.iteration !== found.at(-1)?.pass) found.push({ index, pass: step.iteration });
  });
  return found;
}

/**
 * Return the node of a step whose care points are shown. It is the selected node if the step has it, otherwise the node
 * with the most care points, or null.
 * @param {RecordedStep} step @param {number | null} selected
 */
export function shownNode(step, selected) {
  return step.nodes.find((node) => node.origin === selected) ?? step.most;
}

/**
 * Return a Map node -> "dead" (without training rows), "pure" (rows of one class) or "same" (all leaves below have the
 * same prediction).
 * @param {StageTree} tree
 */
export function idleParts(tree) {
  return tree.once("idle", () => {
    const { n, counts } = tree.figures(0);
    const k = tree.path.target.n;
    /** @param {number} node */
    const isPure = (node) => counts.subarray(node * k, node * k + k).some((count) => count === n[node]);
    // class of all reached leaves below a node; -1: no leaf is reached, -2: several classes
    const only = new Int32Array(tree.n).fill(-1);
    const idle = new Map();
    for (let node = tree.n - 1; node >= 0; node--) {
      if (tree.isLeaf(node)) only[node] = n[node] ? tree.label[node] : -1;
      else {
        const [a, b] = tree.children(node).map((child) => only[child]);
        only[node] = a === -1 ? b : b === -1 || a === b ? a : -2;
      }
    }
    for (let node = 0; node < tree.n; node++) {
      const above = tree.parent[node];
      if (!n[node]) idle.set(node, "dead");
      else if (idle.has(above)) idle.set(node, idle.get(above));
      else if (!tree.isLeaf(node) && only[node] >= 0) idle.set(node, isPure(node) ? "pure" : "same");
    }
    return idle;
  });
}
