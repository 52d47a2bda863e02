// The effect of gestures on the map: pan, zoom, draw a lasso, choose, or drag the chosen document.

import { inside } from "./lasso.js";

/** The effects of gestures on one map. */
export function makeInteraction(map) {
  const { camera, marks, act } = map;
  const pan = (dx, dy) => {
    camera.pan(dx, dy);
    map.redraw();
  };
  const lasso = (points) => {
    marks.lasso = points;
    map.redraw();
  };
  let [isDrawing, held] = [false, -1];
  return {
    pan,
    begin: (point, event) => {
      isDrawing = map.isLasso || event.shiftKey;
      const near = map.near(point);
      held = near >= 0 && near === marks.chosen ? near : -1;
      if (isDrawing) lasso([point]);
    },
    drag: (dx, dy, point, event) => {
      if (isDrawing) lasso([...marks.lasso, point]);
      else if (held >= 0) act.drag(held, event);
      else pan(dx, dy);
    },
    end: (click, event) => {
      if (isDrawing && marks.lasso.length > 2)
        act.lasso(
          inside(
            map.grid,
            marks.lasso.map((point) => camera.world(...point)),
          ),
        );
      else if (click) act.choose(map.near(click), event);
      [isDrawing, held] = [false, -1];
      lasso([]);
    },
    hover: (point) => {
      const near = point ? map.near(point) : -1;
      if (near !== marks.hovered) map.mark({ hovered: near });
      act.hover(near, ...(point ?? [0, 0]));
    },
    zoom: (factor, px, py) => {
      camera.zoomAt(factor, px, py);
      map.redraw();
    },
  };
}
