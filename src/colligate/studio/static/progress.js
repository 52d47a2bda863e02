// How far the present job is, in words.

/** The stages of a run in their order. */
export const STAGES = [
  ["first look", "Take a first look"],
  ["preparing", "Prepare the words"],
  ["starting", "Try several starts"],
  ["clustering", "Refine the groups"],
  ["drawing", "Draw the map"],
];
const TEXTS = {
  "first look": () => "Taking a first look",
  preparing: ({ note }) => (note ? `Preparing: ${note}` : "Preparing the words"),
  starting: ({ note }) => `Trying starts: ${note}`,
  clustering: ({ restart, restarts, sweep }) =>
    sweep === undefined
      ? "Refining the groups"
      : `Refining: ${restarts > 1 ? `start ${restart} of ${restarts}, ` : ""}iteration ${sweep}`,
  drawing: ({ note }) => (note === "naming groups" ? "Naming the groups" : "Drawing the map"),
};

/** What a job does now. */
export function describeStage(job, progress) {
  if (job === null) return "Fetching the groups";
  if (job.status === "waiting") return "Waiting for another run";
  return TEXTS[progress?.stage]?.(progress) ?? progress?.note ?? progress?.stage ?? "Starting";
}

/** About how long it still takes; empty if that is not known yet. */
export function describeLeft(progress) {
  const seconds = progress?.left ?? null;
  if (seconds === null) return "";
  if (seconds < 2) return "nearly done";
  if (seconds < 90) return `about ${Math.round(seconds)} s left`;
  return `about ${Math.round(seconds / 60)} min left`;
}
