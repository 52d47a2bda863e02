// A list of documents in any order, page after page. It is made once and follows the state, so it is never out of date.

import { api } from "../api.js";
import { attempt } from "../actions.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";
import { follow, state } from "../store.js";
import { documentRow } from "./components.js";

const PAGE = 50;
const MOST_AT_ONCE = 500;
const ORDERS = {
  doubt: "least sure first",
  confidence: "most confident first",
  given: "in the order of the file",
  id: "by id",
  title: "by title",
  length: "longest first",
  stated: "with statements first",
};

/** The orders of a list; `given` has another name where the documents come in an order of their own. */
function ordersOf({ given }) {
  const columns = (state.project?.columns.kept ?? []).map(({ name }) => [`column:${name}`, `by ${name}`]);
  return { ...ORDERS, ...(given ? { given } : {}), ...Object.fromEntries(columns) };
}

/**
 * A list that shows `scopeOf()`, again whenever one of these parts of the state, the run or a statement changes. A scope
 * has the `request` for the server, a `key` that stays while it is the same list, and a `title` of the number of its
 * documents; null hides the list. `order` is the first order, `given` the name of the order in which they come.
 */
export function documentList({ label, parts, scopeOf, level = "h3" }) {
  const [head, list, more] = [el("div"), el("ol", { class: "rows" }), el("p", { class: "actions" })];
  const element = el("section", { class: "documents", hidden: true, "aria-label": label }, head, list, more);
  const chosen = new Map(); // the order that the user chose, by kind of scope
  let [scope, wanted, turn, isDue] = [null, PAGE, 0, false];

  const orderOf = () => chosen.get(scope.kind) ?? { order: scope.order, reverse: false };

  function choose(change) {
    chosen.set(scope.kind, { ...orderOf(), ...change });
    wanted = PAGE;
    load();
  }

  /** Load once for all changes that come at the same time. */
  function loadSoon() {
    if (isDue || scope === null) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      if (scope) load();
    });
  }

  function followScope() {
    const [before, next] = [scope, state.run === null ? null : scopeOf()];
    scope = next;
    element.hidden = scope === null;
    if (scope === null) {
      turn++;
      return void [head, list, more].forEach((part) => fill(part));
    }
    if (before?.key === scope.key && JSON.stringify(before.request) === JSON.stringify(scope.request)) return;
    if (before?.key !== scope.key) {
      wanted = PAGE;
      [head, list, more].forEach((part) => fill(part));
    }
    loadSoon();
  }

  async function load() {
    const [mine, shown] = [++turn, scope];
    const rows = [];
    let page;
    element.setAttribute("aria-busy", "true");
    do {
      const limit = Math.min(wanted - rows.length, MOST_AT_ONCE);
      page = await attempt(() =>
        api.documents(state.run, { ...shown.request, ...orderOf(), offset: rows.length, limit }),
      );
      if (mine !== turn) return;
      rows.push(...(page?.documents ?? []));
    } while (page?.documents.length && rows.length < Math.min(wanted, page.total));
    element.setAttribute("aria-busy", "false");
    if (page) draw(rows, page.total);
  }

  function draw(rows, total) {
    fill(head, header(total));
    fill(
      list,
      rows.map((row) => documentRow(row, scope)),
    );
    const left = total - rows.length;
    const showMore = () => {
      wanted += Math.min(Math.max(wanted, PAGE), MOST_AT_ONCE);
      load();
    };
    fill(
      more,
      left > 0 ? button("Show more", showMore, { "data-keep": "more" }) : null,
      left > 0 ? el("small", {}, `${count(rows.length, "document")} of ${total.toLocaleString("en-GB")}`) : null,
    );
  }

  function header(total) {
    const { order, reverse } = orderOf();
    return el(
      "header",
      { class: "between", "data-keep": "head" },
      el(level, {}, scope.title ? scope.title(total) : count(total, "document")),
      el(
        "span",
        { class: "orders" },
        el(
          "select",
          {
            "aria-label": `Order: ${label}`,
            "data-keep": "order",
            onchange: (event) => choose({ order: event.target.value }),
          },
          Object.entries(ordersOf(scope)).map(([value, text]) =>
            el("option", { value, selected: value === order }, text),
          ),
        ),
        button("⇅", () => choose({ reverse: !reverse }), {
          class: "plain",
          "aria-label": "Reverse the order",
          "aria-pressed": String(reverse),
          title: "Reverse the order",
          "data-keep": "reverse",
        }),
      ),
    );
  }

  follow([...parts, "run"], followScope);
  follow(["run", "statements", "groups"], loadSoon);
  return element;
}
