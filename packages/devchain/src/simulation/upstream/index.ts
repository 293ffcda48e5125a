export { SimulatedHistory } from "./history-server.ts";
export { type LedgerBlock, RpcLedger } from "./rpc-ledger.ts";
export { noFaults, type RpcFaults, SimulatedRpc, type SimulatedRpcOptions } from "./rpc-server.ts";
export {
  type ReplayMood,
  SimulatedYellowstone,
  type SimulatedYellowstoneOptions,
} from "./yellowstone-server.ts";
