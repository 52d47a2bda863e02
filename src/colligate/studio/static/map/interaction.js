// The effect of gestures on the map: pan, zoom, draw a lasso, choose, or drag the chosen document.

import { inside, modeOf } from "./lasso.js";

/** The effects of gestures on one map. */
export function makeInteraction(map) {
  const { camera, marks, act } = map;
  let [isDrawing, isGivenUp, held] = [false, false, -1];
  const pan = (dx, dy) => {
    camera.pan(dx, dy);
    map.redraw();
  };
  const extend = (point) => map.mark({ lasso: { ...marks.lasso, points: [...marks.lasso.points, point] } });
  const stop = () => {
    [isDrawing, isGivenUp, held] = [false, false, -1];
    map.mark({ lasso: { points: [], mode: "replace" } });
  };
  // the chosen document is open beside the map, and needs no text under the pointer
  const hover = (point) => {
    const near = point ? map.near(point) : -1;
    if (near !== marks.hovered) map.mark({ hovered: near });
    act.hover(near === marks.chosen ? -1 : near, ...(point ?? [0, 0]));
  };
  return {
    pan,
    hover,
    begin: (point, event) => {
      hover(null);
      const mode = modeOf(event, map.lassoMode);
      isDrawing = mode !== null;
      const near = map.near(point);
      held = near >= 0 && near === marks.chosen ? near : -1;
      if (isDrawing) map.mark({ lasso: { points: [point], mode } });
    },
    drag: (dx, dy, point, event) => {
      if (isGivenUp) return;
      if (isDrawing) extend(point);
      else if (held >= 0) act.drag(held, event);
      else pan(dx, dy);
    },
    end: (click, event) => {
      const { points, mode } = marks.lasso;
      const polygon = points.map((point) => camera.world(...point));
      if (isDrawing && points.length > 2) act.lasso(inside(map.grid, polygon), mode);
      else if (click) act.choose(map.near(click), event);
      stop();
    },
    /** Give up a lasso, and forget what is under the pointer. */
    cancel: () => {
      const wasDrawing = isDrawing;
      stop();
      isGivenUp = wasDrawing;
      hover(null);
    },
    zoom: (factor, px, py) => {
      hover(null);
      camera.zoomAt(factor, px, py);
      map.redraw();
    },
  };
}
