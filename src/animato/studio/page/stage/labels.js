// Words beside places of the stage: elements over the picture, so that they are sharp and can be read aloud.
export class Labels {
  constructor(root, canvas) {
    this.canvas = canvas;
    this.box = document.createElement("div");
    this.box.className = "stage-labels";
    this.box.setAttribute("aria-hidden", "true");
    root.prepend(canvas, this.box);
    this.used = 0;
  }

  begin() { this.used = 0; this.frame = this.canvas.getBoundingClientRect(); }

  // Words at a place of the page [pixels]; nothing where it is behind who looks.
  put([x, y, depth], words, kind = "") {
    if (!(depth > 0)) return;
    const made = this.box.children[this.used++] || this.box.appendChild(document.createElement("span")), name = `stage-label ${kind}`;
    if (made.textContent !== words) made.textContent = words;
    if (made.className !== name) made.className = name;
    const across = Math.min(x - this.frame.left, this.frame.width - 7.5 * words.length - 30); // in the picture
    made.style.transform = `translate(${Math.round(Math.max(across, -8))}px, ${Math.round(y - this.frame.top)}px)`;
    made.hidden = false;
  }

  end() { for (let n = this.used; n < this.box.children.length; n++) this.box.children[n].hidden = true; }
}
