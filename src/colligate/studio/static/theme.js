// Light or dark: the system's setting or the user's choice; and the colour of a group in either.

import { COLOURS } from "./palette.js";

const KEY = "colligate-theme";
const THEMES = ["light dark", "light", "dark"];
const NAMES = { "light dark": "as the system", light: "light", dark: "dark" };
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = [];

const theme = () => (THEMES.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : THEMES[0]);

export const isDark = () => theme() === "dark" || (theme() !== "light" && system.matches);
export const themeName = () => NAMES[theme()];

/** Call a listener now and at every change of the theme. */
export function followTheme(listener) {
  listeners.push(listener);
  listener();
}

export function nextTheme() {
  localStorage.setItem(KEY, THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
  applyTheme();
}

function applyTheme() {
  document.documentElement.style.setProperty("color-scheme", theme());
  listeners.forEach((listener) => listener());
}

/** The colour of a group for style sheets, in light and dark. */
export function tint(group) {
  if (group < 0) return "var(--grey)";
  const [light, dark] = COLOURS[group % COLOURS.length];
  return `light-dark(${light}, ${dark})`;
}

/** Red, green and blue from 0 to 255 of the colours of all groups in the present theme. */
export function pixels() {
  return COLOURS.map((pair) => {
    const code = parseInt(pair[isDark() ? 1 : 0].slice(1), 16);
    return [code >> 16, (code >> 8) & 255, code & 255];
  });
}

system.addEventListener("change", applyTheme);
applyTheme();
