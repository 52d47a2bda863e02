// The page of the studio: open the project, and start every part.

import { attempt } from "./actions.js";
import { followServer } from "./connection.js";
import { byId } from "./dom.js";
import { followKeys } from "./keys.js";
import { followLayout } from "./layout.js";
import { followEvents, openProject } from "./model.js";
import { followAddress } from "./route.js";
import { follow, state } from "./store.js";
import { startDetails } from "./views/details.js";
import { startGroups } from "./views/groups.js";
import { startJournal } from "./views/journal.js";
import { startToolbar } from "./views/toolbar.js";
import { startTour } from "./views/tour.js";
import { startSearch } from "./views/search.js";
import { startViews } from "./views/views.js";
import { startWaiting } from "./views/waiting.js";

followAddress();
followLayout();
await attempt(openProject);
startViews();
startGroups();
startDetails();
startJournal();
startSearch();
startToolbar();
startWaiting();
startTour();
followKeys();
followEvents();
followServer();
follow(["project"], () => {
  if (state.project) document.title = `${state.project.name} · Colligate studio`;
});
byId("middle").dataset.ready = "true";
