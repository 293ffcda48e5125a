export type { AccountsFilter } from "./encode-request.ts";
export { GapReader } from "./gap-reader.ts";
export type { ProgramAccounts, ProgramBatch } from "../rpc/program-accounts.ts";
export { FillReader } from "../rpc/fill-reader.ts";
export type { YellowstoneState } from "./yellowstone-options.ts";
export { YellowstoneSource } from "./yellowstone-source.ts";
