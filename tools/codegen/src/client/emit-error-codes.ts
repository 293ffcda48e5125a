import { type Contract } from "@lamplight/docs/build";
import { banner } from "../emit-helpers.ts";

/** Names of the contract's errors and their codes. */
export const emitErrorCodes = (contract: Contract): string => {
  const rows = Object.entries(contract.components.errors).map(
    ([name, { code, message }]) => `  /** ${message}. */\n  ${name}: ${code},`,
  );
  return `${banner}
/** JSON-RPC codes of the errors a server answers with. Two that share a code differ in their message. */
export const rpcErrorCodes = {
${rows.join("\n")}
} as const;

/** Stable name of an error of the contract: the member kind of an RpcError. */
export type RpcErrorName = keyof typeof rpcErrorCodes;
`;
};
