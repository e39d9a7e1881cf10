// Points that stay where they are while something else moves: painted once, then copied.

/** One picture's points, for as long as they are the same in the same frame. */
export class PointLayer {
  /** Copy the points into the context of a picture; `paint(picture)` draws them when they are not there yet. */
  draw(picture, { low, high, area }, rows, paint) {
    const { context, lit, colors } = picture;
    const { canvas } = context;
    const key = [low, high, Object.values(area), rows.length, canvas.width, canvas.height, colors.key].join();
    if (this.key !== key || this.lit !== lit) {
      Object.assign(this, { key, lit });
      this.canvas = new OffscreenCanvas(canvas.width, canvas.height);
      const own = this.canvas.getContext("2d");
      own.setTransform(context.getTransform());
      paint({ ...picture, context: own });
    }
    context.save();
    context.resetTransform();
    context.drawImage(this.canvas, 0, 0);
    context.restore();
  }
}
