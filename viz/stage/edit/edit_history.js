// Edits one after the other: back and forth as far as one likes.

/** A list of entries {document, words: what was done, ...} and the place in it. @template T */
export class EditHistory {
  /** @param {T} first */
  constructor(first) {
    this.entries = [first];
    this.at = 0;
  }

  get current() {
    return this.entries[this.at];
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at + 1 < this.entries.length;
  }

  /** A new entry; what was undone before is forgotten. @param {T} entry */
  push(entry) {
    this.entries.splice(this.at + 1, Infinity, entry);
    this.at++;
  }

  undo() {
    const undone = this.current;
    this.at--;
    return undone;
  }

  redo() {
    this.at++;
    return this.current;
  }
}
