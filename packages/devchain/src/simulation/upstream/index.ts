export { SimulatedHistory } from "./history-server.ts";
export { RpcLedger } from "./rpc-ledger.ts";
export { noFaults, type RpcFaults, SimulatedRpc } from "./rpc-server.ts";
export { SimulatedYellowstone } from "./yellowstone-server.ts";
