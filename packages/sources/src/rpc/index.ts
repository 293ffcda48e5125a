export { assertNodeAnswers } from "./assert-node-answers.ts";
export { FillReader } from "./fill-reader.ts";
export type { FollowTargets } from "./follow-plan.ts";
export type { FillProgress, KnownChain, RpcState } from "./rpc-options.ts";
export { RpcSource } from "./rpc-source.ts";
export { TreeHistory } from "./tree-history.ts";
