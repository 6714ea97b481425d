/* Elements that stand over the nodes of a picture, where they can have the focus, be typed into and be dragged. */

const FIGURES = "rect, ellipse, polygon";

/* Puts each element over its node, or at the middle of the edge to it; again whenever the picture changes its size. */
export function overlay(box, items) {
  const place = () => {
    const outer = box.getBoundingClientRect();
    for (const { key, element, edge, grow = 0 } of items) {
      const group = box.querySelector(`[data-key="${key}"]`);
      if (!group) continue;
      const inner = edge ? middle(group) : (group.querySelector(FIGURES) ?? group.querySelector("text") ?? group).getBoundingClientRect();
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

/** A place on an edge, nearer to the parent: further down its name may stand. */
function middle(group) {
  const line = group.querySelector("polyline, line");
  const { x, y } = line.getPointAtLength(line.getTotalLength() * 0.42).matrixTransform(line.getScreenCTM());
  return { left: x, top: y, width: 0, height: 0 };
}

export const keyOf = (path) => "n" + path.join(".");
