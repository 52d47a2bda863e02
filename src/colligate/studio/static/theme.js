// Light or dark: the system's setting or the user's choice; and the colour of a group in either.

import { COLOURS, RAMP } from "./palette.js";

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

/** The colour of a group for drawings, in the present theme. */
export const solid = (group) => COLOURS[group % COLOURS.length][isDark() ? 1 : 0];

/** Red, green and blue from 0 to 255 of the colours of all groups in the present theme. */
export const pixels = () => COLOURS.map((pair) => parts(pair[isDark() ? 1 : 0]));

/** So many colours from low to high in the present theme. */
export function rampPixels(number) {
  const stops = RAMP[isDark() ? "dark" : "light"].map(parts);
  return Array.from({ length: number }, (_, k) => {
    const place = (k / Math.max(number - 1, 1)) * (stops.length - 1);
    const low = Math.min(Math.floor(place), stops.length - 2);
    return stops[low].map((part, channel) => Math.round(part + (place - low) * (stops[low + 1][channel] - part)));
  });
}

function parts(colour) {
  const code = parseInt(colour.slice(1), 16);
  return [code >> 16, (code >> 8) & 255, code & 255];
}

system.addEventListener("change", applyTheme);
applyTheme();
