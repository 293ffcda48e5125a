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
export {
  ChainSimulation,
  type SimulatedBlock,
  type SimulationOptions,
} from "./simulation/chain-simulation.ts";
export { lastWrites } from "./simulation/tell-block.ts";
