// The middle of the page: one view at a time, chosen in the top bar.

import { attempt } from "../actions.js";
import { byId, el, fill } from "../dom.js";
import { addressOf, VIEWS } from "../route.js";
import { follow, state } from "../store.js";
import { askView } from "./ask.js";
import { columnsView } from "./columnsview.js";
import { compareView } from "./compare.js";
import { knowledgeView } from "./knowledge.js";
import { mapView } from "./mapview.js";
import { wordsView } from "./wordsview.js";

const MAKERS = {
  map: mapView,
  words: wordsView,
  compare: compareView,
  knowledge: knowledgeView,
  ask: askView,
  columns: columnsView,
};

/**
 * Make all views. Each has an `element`, and `show`, which updates it while it is visible. `needs` returns what
 * else the view depends on; when it changes, the view is shown again.
 */
export function startViews() {
  const views = Object.fromEntries(VIEWS.map(({ name }) => [name, MAKERS[name]()]));
  fill(
    byId("view"),
    Object.values(views).map(({ element }) => element),
  );
  let seen = "";
  follow(["route", "run", "runs", "statements"], () => {
    const { view } = state.route;
    for (const [name, { element }] of Object.entries(views)) element.hidden = name !== view;
    const key = [view, state.run, views[view].needs?.()].join(" ");
    if (state.run !== null && key !== seen) attempt(views[view].show);
    seen = key;
  });
  follow(["route"], showTabs);
}

function showTabs() {
  fill(
    byId("views"),
    el(
      "ul",
      {},
      VIEWS.filter(({ title }) => title).map(({ name, title }) =>
        el(
          "li",
          {},
          el(
            "a",
            {
              href: addressOf({ ...state.route, view: name }),
              "aria-current": name === state.route.view ? "page" : null,
              "data-keep": name,
            },
            title,
          ),
        ),
      ),
    ),
  );
}
