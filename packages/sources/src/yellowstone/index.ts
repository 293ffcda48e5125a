export type { AccountsFilter } from "./encode-request.ts";
export { parseServerAddress } from "./server-address.ts";
export { GapReader } from "./gap-reader.ts";
export { YellowstoneSource, type YellowstoneState } from "./yellowstone-source.ts";
