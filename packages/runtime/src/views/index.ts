export { fillSharedIndex } from "./fill-shared-index.ts";
export { serveViews } from "./serve-views.ts";
export { UnfinalizedRelay } from "./unfinalized-relay.ts";
