/* pen: draws lines of a Gantt on uPlot's canvas, in device pixels; what lies outside is cut. */
takt.Pen = class {
  constructor(u) {
    this.ratio = window.devicePixelRatio || 1;
    this.ctx = u.ctx;
    this.left = u.bbox.left;
    this.right = u.bbox.left + u.bbox.width;
    this.from = u.scales.x.min;
    this.to = u.scales.x.max;
    this.scale = u.bbox.width / (this.to - this.from);
    this.cyclesOfPixel = 1 / this.scale;
    this.colours = new Map();
  }
  x(cycle) {
    return this.left + (cycle - this.from) * this.scale;
  }
  colour(name) {
    if (!this.colours.has(name)) this.colours.set(name, takt.colour(name));
    return this.colours.get(name);
  }
  rect(x0, x1, y, height, colour) {
    if (x1 <= this.left || x0 >= this.right || height <= 0) return;
    const a = Math.round(Math.max(x0, this.left)),
      b = Math.max(Math.round(Math.min(x1, this.right)), a + 1);
    this.ctx.fillStyle = this.colour(colour);
    this.ctx.fillRect(a, Math.round(y), b - a, Math.max(Math.round(height), 1));
  }
  text(text, x0, x1, y, height) {
    this.ctx.save();
    this.ctx.beginPath();
    this.ctx.rect(x0, y, Math.min(x1, this.right) - x0, height);
    this.ctx.clip();
    this.ctx.font = `${10 * this.ratio}px system-ui, sans-serif`;
    this.ctx.textAlign = 'left';
    this.ctx.textBaseline = 'middle';
    this.ctx.fillStyle = this.colour('onflight');
    this.ctx.fillText(text, x0 + 4 * this.ratio, y + height / 2);
    this.ctx.restore();
  }
};
