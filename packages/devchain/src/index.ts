export { type ChainCounts, type ChainOptions, countsForAccounts } from "./chain-options.ts";
export {
  DEMO_CHAIN_VERSION,
  demoAddresses,
  type DemoAddressName,
  demoChain,
  demoOptions,
} from "./demo-chain.ts";
export { type ChainBatch, generateChain } from "./generate-chain.ts";
export { Random } from "./random.ts";
