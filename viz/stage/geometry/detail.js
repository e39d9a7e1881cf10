// Levels of detail.

/** Widths on screen from which a node shows more. */
export const DETAIL = { glyph: 8, thumbnail: 24, line: 64, full: 160 };
