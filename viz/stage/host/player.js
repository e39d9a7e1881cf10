// Plays the path: one tree after the other.

export class Player {
  constructor(stage) {
    this.stage = stage;
    this.timer = null;
    this.wait = 600; // milliseconds between two trees
  }

  get isPlaying() {
    return this.timer !== null;
  }

  play(on) {
    const { stage } = this;
    clearInterval(this.timer);
    this.timer = null;
    if (!stage.path) return;
    const last = stage.path.trees.length - 1;
    if (on && last > 0) {
      if (stage.state.k === last) stage.go(0, false);
      this.timer = setInterval(() => {
        if (stage.state.k === last) this.play(false);
        else stage.go(stage.state.k + 1, false);
      }, this.wait);
    } else stage.settle();
    stage.transport.show(stage.state.k);
  }

  setSpeed(wait) {
    this.wait = wait;
    if (this.isPlaying) this.play(true);
  }
}
