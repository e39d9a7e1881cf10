// Colours. They come with the path, so that every view uses the same colours.

/** Return [r, g, b] of "#rrggbb". @param {string} hex @returns {[number, number, number]} */
export function rgb(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  return [r, g, b];
}

/**
 * Return red, green and blue as one little-endian pixel of an ImageData.
 * @param {number} r @param {number} g @param {number} b
 */
export function pixel(r, g, b) {
  return (255 << 24) | (b << 16) | (g << 8) | r;
}

/** @param {string} hex */
export function luminance(hex) {
  const [r, g, b] = rgb(hex).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Return black or white, whichever has more contrast to a colour. @param {string} hex */
export function inkOn(hex) {
  return (luminance(hex) + 0.05) ** 2 > 0.05 * 1.05 ? "#000000" : "#ffffff";
}

/** Current colours: the theme, the groups (all grey except a selected one) and the diverging colours of weights. */
export class Colors {
  /**
   * @param {Palette} palette @param {Record<Scheme, string[]>} groups @param {Scheme} theme @param {string} diverging
   * @param {number | null} chosenClass
   */
  constructor(palette, groups, theme, diverging, chosenClass) {
    this.palette = palette;
    this.groups = groups[theme];
    this.classes = palette.classes[theme];
    this.theme = palette.themes[theme];
    this.isDark = theme === "dark";
    this.diverging = palette.diverging[theme][diverging];
    this.chosenClass = chosenClass;
    this.key = `${theme} ${diverging} ${chosenClass}`;
    this.ramp = rampOf(this.theme.surface, this.negative(), this.positive());
    this.inkRamp = inkRampOf(this.theme.surface, this.theme.text);
  }

  /**
   * Return the colour of a group of the target. Painted points may have more groups than the target.
   * @param {number} index
   */
  ofGroup(index) {
    const { classes } = this;
    const { grey, other } = this.palette;
    if (this.chosenClass !== null && index !== this.chosenClass) return grey[this.isDark ? 1 : 0];
    const color = this.groups[index] ?? classes[index] ?? other;
    return color === other && this.chosenClass === index ? classes[0] : color;
  }

  /**
   * Return the colour of a node for its rows in a set. "class" is the colour of a leaf's prediction, or of the group
   * with at least half of a decision node's rows, otherwise null. "confidence" is paler for fewer rows of this group.
   * "errors" is stronger for more misclassified rows. `zero`: colour that the paler colours approach.
   * @param {StageTree} tree @param {number} set @param {number} node @param {string} [shade]
   * @param {string} [zero] colour that paler colours approach
   */
  ofNode(tree, set, node, shade = "class", zero = this.theme.surface) {
    const { n, losses } = tree.figures(set);
    const isShare = tree.path.target.edges === null; // Errors of classes are shares.
    const errors = isShare && n[node] ? losses[node] / n[node] : 0;
    if (isShare && shade === "errors") return this.ofErrors(errors, zero);
    const isLeaf = tree.isLeaf(node) && !tree.isLinear(node);
    const { group, share } = isLeaf ? { group: tree.label[node], share: 1 - errors } : tree.leading(set, node);
    if (isShare && shade === "confidence") return this.ofConfidence(this.ofGroup(group), share, zero);
    return isLeaf || share >= 0.5 ? this.ofGroup(group) : null;
  }

  /** Return the pale fill of a leaf with a colour. @param {string} color @param {number} share */
  pale(color, share) {
    return mix(this.theme.background, color, share);
  }

  /** Return the colour of an error. @param {number} share */
  ofErrors(share, zero = this.theme.surface) {
    return mix(zero, this.theme.alarm, Math.sqrt(share));
  }

  /**
   * Return a colour that is paler for a smaller share of rows of its group.
   * @param {string} color @param {number} share
   */
  ofConfidence(color, share, zero = this.theme.surface) {
    return mix(zero, color, share ** 2);
  }

  /**
   * Return the pixel of a weight in units of the largest one, from -1 to 1. The smallest weight must still look
   * different from zero.
   * @param {number} share
   */
  weightPixel(share) {
    const size = share === 0 ? 0 : 0.25 + 0.75 * Math.sqrt(Math.min(1, Math.abs(share)));
    return this.ramp[share < 0 ? 127 - Math.round(127 * size) : 127 + Math.round(127 * size)];
  }

  /** Return the pixel of an ink value from 0 to 1. @param {number} share */
  inkPixel(share) {
    return this.inkRamp[Math.round(255 * Math.min(1, Math.max(0, share)))];
  }

  negative() {
    return this.diverging[0];
  }

  positive() {
    return this.diverging[1];
  }
}

/**
 * Interpolate between two colours.
 * @param {[number, number, number]} low @param {[number, number, number]} high @param {number} share
 * @returns {[number, number, number]}
 */
function between(low, high, share) {
  const [r, g, b] = low.map((v, c) => Math.round(v + share * (high[c] - v)));
  return [r, g, b];
}

/** Interpolate between two colours; return hex. @param {string} low @param {string} high @param {number} share */
function mix(low, high, share) {
  const channels = between(rgb(low), rgb(high), share);
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} background @param {string} negative @param {string} positive */
function rampOf(background, negative, positive) {
  const zero = rgb(background);
  const ends = [rgb(negative), rgb(positive)];
  return Int32Array.from({ length: 255 }, (_, i) => {
    const share = Math.abs(i - 127) / 127;
    const end = ends[i < 127 ? 0 : 1];
    return pixel(...between(zero, end, share));
  });
}

/** @param {string} background @param {string} ink */
function inkRampOf(background, ink) {
  const [low, high] = [rgb(background), rgb(ink)];
  return Int32Array.from({ length: 256 }, (_, i) => pixel(...between(low, high, i / 255)));
}
