export type { AccountsFilter } from "./encode-request.ts";
export { parseServerAddress } from "./server-address.ts";
export { HoleReader } from "./hole-reader.ts";
export { YellowstoneSource, type YellowstoneState } from "./yellowstone-source.ts";
