export { deriveAgain } from "./derive-again.ts";
export { filtersOf } from "./followed-accounts.ts";
export { followChain } from "./follow-chain.ts";
export type { FollowOptions, RpcUpstream, Upstream } from "./follow-options.ts";
export { followMetrics } from "./follow-metrics.ts";
export type { Following } from "./following.ts";
export { scopeOf } from "./rpc-coverage.ts";
