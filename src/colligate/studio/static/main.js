// The studio's page: start every part, then open the project.

import { trying } from "./acts.js";
import { byId } from "./dom.js";
import { followKeys } from "./keys.js";
import { followEvents, openProject } from "./model.js";
import { followAddress } from "./place.js";
import { follow, state } from "./store.js";
import { startDetails } from "./views/details.js";
import { startGroups } from "./views/groups.js";
import { startJournal } from "./views/journal.js";
import { startRunning } from "./views/running.js";
import { startSearch } from "./views/search.js";
import { startViews } from "./views/views.js";

followAddress();
await trying(openProject);
startViews();
startGroups();
startDetails();
startJournal();
startSearch();
startRunning();
followKeys();
followEvents();
follow(["project"], () => {
  if (state.project) document.title = `${state.project.name} · Colligate studio`;
});
byId("middle").dataset.ready = "true";
