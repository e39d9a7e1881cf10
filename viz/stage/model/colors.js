// Colours. The palette itself comes with the path, so that every picture of the project has one map of colours.

/** "#rrggbb" as [r, g, b]. */
export function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/** Red, green, blue as one little-endian pixel of an ImageData. */
export function pixel(r, g, b) {
  return (255 << 24) | (b << 16) | (g << 8) | r;
}

export function luminance(hex) {
  const [r, g, b] = rgb(hex).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white, whichever has more contrast on a colour. */
export function inkOn(hex) {
  return (luminance(hex) + 0.05) ** 2 > 0.05 * 1.05 ? "#000000" : "#ffffff";
}

/** The colours in use: surroundings, groups (all but a chosen one grey, if one is chosen) and the diverging map. */
export class Colors {
  constructor(palette, groups, theme, diverging, chosenClass) {
    this.palette = palette;
    this.groups = groups;
    this.theme = palette.themes[theme];
    this.isDark = theme === "dark";
    this.diverging = palette.diverging[theme][diverging];
    this.chosenClass = chosenClass;
    this.key = `${theme} ${diverging} ${chosenClass}`;
    this.ramp = rampOf(this.theme.surface, ...this.diverging);
    this.inkRamp = inkRampOf(this.theme.surface, this.theme.text);
  }

  /** Colour of a group of the target; points that are painted may have more of them. */
  ofGroup(index) {
    const { grey, classes, other } = this.palette;
    if (this.chosenClass !== null && index !== this.chosenClass) return grey[this.isDark ? 1 : 0];
    const color = this.groups[index] ?? classes[index] ?? other;
    return color === other && this.chosenClass === index ? classes[0] : color;
  }

  /** Pixel of a weight in units of the largest one, -1 .. 1; even the smallest stands off the background of zero. */
  weightPixel(share) {
    const size = share === 0 ? 0 : 0.25 + 0.75 * Math.sqrt(Math.min(1, Math.abs(share)));
    return this.ramp[share < 0 ? 127 - Math.round(127 * size) : 127 + Math.round(127 * size)];
  }

  /** Pixel of a shade of ink, 0 .. 1. */
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

function rampOf(background, negative, positive) {
  const zero = rgb(background);
  const ends = [rgb(negative), rgb(positive)];
  return Int32Array.from({ length: 255 }, (_, i) => {
    const share = Math.abs(i - 127) / 127;
    const end = ends[i < 127 ? 0 : 1];
    return pixel(...zero.map((z, c) => Math.round(z + share * (end[c] - z))));
  });
}

function inkRampOf(background, ink) {
  const [low, high] = [rgb(background), rgb(ink)];
  return Int32Array.from({ length: 256 }, (_, i) =>
    pixel(...low.map((v, c) => Math.round(v + (i / 255) * (high[c] - v)))),
  );
}
