// Whether the studio answers: a lost server is shown at once, and the page finds back by itself.

import { byId, el, fill } from "./dom.js";
import { announce } from "./notices.js";
import { change, follow, state } from "./store.js";

const PING = "/static/mark.svg"; // a small file behind the same access check as everything
const RETRY_MS = 1000;
const WATCH_MS = 5000;
const PATIENCE_MS = 8000; // a busy server may be slow
const TEXTS = {
  lost: "The studio does not answer. Start it again with the same command: this page then goes on by itself. Nothing is lost.",
  refused: "The studio runs again, but another browser has access to it now. Open the address that it printed in its terminal.",
};

let isChecking = false;

/** Ask whether the server is there, and show it if not. */
export async function checkServer() {
  if (isChecking) return;
  isChecking = true;
  const server = await ping();
  isChecking = false;
  if (server !== state.server) {
    change({ server });
    announce(TEXTS[server] ?? "The studio is back.");
  }
}

async function ping() {
  try {
    const answer = await fetch(PING, { method: "HEAD", signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? "there" : "refused";
  } catch {
    return "lost";
  }
}

/** Show a banner while the server is away, and look for it until it is back. */
export function followServer() {
  const place = byId("lost");
  // on a small screen the banner stays in view while the page scrolls, so its place is kept for it
  const measure = new ResizeObserver(([{ target }]) => place.style.setProperty("--lost", `${target.offsetHeight}px`));
  follow(["server"], () => {
    measure.disconnect();
    fill(place, state.server === "there" ? null : banner());
    if (place.firstChild) measure.observe(place.firstChild);
  });
  setInterval(() => state.server !== "there" && checkServer(), RETRY_MS);
  setInterval(checkServer, WATCH_MS);
}

const banner = () =>
  el("p", { class: "lost" }, el("strong", {}, state.server === "lost" ? "No connection. " : "No access. "), TEXTS[state.server]);

/**
 * Follow the event stream: `listen` gets every new stream, `onBack` is called after the server was away. The browser
 * gives up on a stream after a refusal, so a new one is opened when the server is back.
 */
export function followStream(address, listen, onBack) {
  let source = null;
  let wasAway = false;
  const open = () => {
    source?.close();
    source = new EventSource(address);
    listen(source);
    source.addEventListener("error", () => {
      wasAway = true;
      checkServer();
    });
    source.addEventListener("open", () => {
      if (wasAway) onBack();
      wasAway = false;
    });
  };
  open();
  follow(["server"], () => state.server === "there" && source.readyState === EventSource.CLOSED && open());
}
