/* Elements that stand over the nodes of a picture, where they can have the focus, be typed into and be dragged. */

const FIGURES = "rect, ellipse, polygon";

/* Puts each element over its node, or on the edge to it; again whenever the picture changes its size. */
export function overlay(box, items) {
  const place = () => {
    const outer = box.getBoundingClientRect();
    for (const { key, element, edge, grow = 0 } of items) {
      const group = box.querySelector(`[data-key="${key}"]`);
      if (!group) continue;
      const figure = group.querySelector(FIGURES) ?? group.querySelector("text") ?? group;
      const inner = edge ? onEdge(group, edge) : figure.getBoundingClientRect();
      if (!edge) element.classList.toggle("round", figure.tagName === "ellipse");
      const width = Math.max(inner.width + grow, 26), height = Math.max(inner.height + grow, 26);
      const left = inner.left + inner.width / 2 - outer.left + box.scrollLeft - box.clientLeft;
      const top = inner.top + inner.height / 2 - outer.top + box.scrollTop - box.clientTop;
      Object.assign(element.style, {
        position: "absolute", left: `${left - width / 2}px`, top: `${top - height / 2}px`, width: `${width}px`, height: `${height}px`,
      });
    }
  };
  const watch = new ResizeObserver(place);
  watch.observe(box);
  const svg = box.querySelector("svg");
  if (svg) watch.observe(svg);
  place();
  return { place, end: () => watch.disconnect() };
}

/** A place on an edge, so far down it: its name stands in the middle, and to leaves edges lie close together above that. */
function onEdge(group, part) {
  const line = group.querySelector("polyline, line");
  const { x, y } = line.getPointAtLength(line.getTotalLength() * part).matrixTransform(line.getScreenCTM());
  const size = Math.min(40, 20 * line.getScreenCTM().a);
  return { left: x - size / 2, top: y - size / 2, width: size, height: size };
}

export const keyOf = (path) => "n" + path.join(".");
