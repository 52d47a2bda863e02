// Numbers and times for readers.

const WHOLE = new Intl.NumberFormat("en-GB");

/** A count with its noun: "1 document", "1,200 documents". */
export function count(number, noun) {
  return `${WHOLE.format(number)} ${noun}${number === 1 ? "" : "s"}`;
}

export const whole = (number) => WHOLE.format(number);

export const percent = (share) => `${Math.round(100 * share)} %`;

/** Hours and minutes of today, or the day. */
export function time(iso) {
  const then = new Date(iso);
  const today = then.toDateString() === new Date().toDateString();
  return today
    ? then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
    : then.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

/** The first line of a text and the rest, as a title and what follows. */
export function titled(text) {
  const [title, ...rest] = text.trim().split("\n");
  return { title: title.trim() || "(no text)", rest: rest.join("\n").trim() };
}

export function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;
}
