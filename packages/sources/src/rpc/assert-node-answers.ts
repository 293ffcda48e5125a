import { LamplightError } from "@lamplight/errors";
import { parseEndpoint } from "./endpoint.ts";
import { FIRST_CALL_MS_MAX } from "./limits.ts";
import { RpcClient } from "./rpc-client.ts";
import { isLasting, isRpcFault, RpcForbidden, RpcRefusal } from "./rpc-fault.ts";

/**
 * Makes the first call to a node, before any store is created. Returns early when `signal` aborts.
 *
 * @throws LamplightError `CLI__USAGE` for the URL, `SOURCE__REFUSED`, `SOURCE__UNREACHABLE`
 */
export const assertNodeAnswers = async (url: string, signal: AbortSignal): Promise<void> => {
  const endpoint = parseEndpoint(url, ["http:", "https:"]);
  const client = new RpcClient(endpoint, signal);
  try {
    await client.call("getGenesisHash", [], { timeoutMs: FIRST_CALL_MS_MAX });
  } catch (error) {
    if (signal.aborted) return;
    if (!isRpcFault(error)) throw error;
    const context = { url: endpoint.name, reason: error.message };
    if (error instanceof RpcForbidden) throw new LamplightError("SOURCE__REFUSED", context, { cause: error });
    if (error instanceof RpcRefusal && isLasting(error.code)) {
      const reason = `getGenesisHash, which every node has: ${error.message} (${error.code})`;
      throw new LamplightError("SOURCE__REFUSED", { ...context, reason }, { cause: error });
    }
    // Temporary errors are retried while following.
    if (!client.state.hasAnswered) throw new LamplightError("SOURCE__UNREACHABLE", context, { cause: error });
  } finally {
    client.close();
  }
};
