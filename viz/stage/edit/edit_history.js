// History of edits, with unlimited undo and redo.

/** List of entries {document, words: description of the edit, ...}, with the index of the current entry. @template T */
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

  /** Add an entry, and discard undone entries. @param {T} entry */
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
