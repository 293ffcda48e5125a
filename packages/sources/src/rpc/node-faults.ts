import { isLamplightError, LamplightError } from "@lamplight/errors";
import { DumpFault } from "../dumps/parse-account-dump.ts";
import { isLasting, RpcForbidden, RpcRefusal, RpcTrouble } from "./rpc-fault.ts";

export interface NodeFaultsOptions {
  /** Name of the node, for messages. */
  readonly url: string;
  /** Whether the node ever answered a call. */
  readonly hasAnswered: () => boolean;
  /** Whether a node that never answered is called without end. */
  readonly callsForever: boolean;
}

/** Decides for every error of a call whether following ends or the call is repeated. */
export class NodeFaults {
  readonly #options: NodeFaultsOptions;
  /** Whether the node was once read completely. A later refusal may be temporary, for example from a proxy. */
  hasWorked = false;

  constructor(options: NodeFaultsOptions) {
    this.#options = options;
  }

  /** An error with `retryable`. Errors that no node can cause are thrown unchanged. */
  understand(error: unknown): LamplightError {
    if (isLamplightError(error)) return error;
    if (!this.hasWorked) {
      if (error instanceof RpcForbidden) return this.refused(error.message, error);
      if (error instanceof RpcRefusal && isLasting(error.code)) {
        return this.refused(`${error.message} (${error.code})`, error);
      }
    }
    const isTrouble = troubles.some((kind) => error instanceof kind);
    const { url, hasAnswered, callsForever } = this.#options;
    if (isTrouble && !hasAnswered() && !callsForever) {
      const context = { url, reason: (error as Error).message };
      return new LamplightError("SOURCE__UNREACHABLE", context, { cause: error });
    }
    if (isTrouble) return this.lost((error as Error).message, error);
    throw error;
  }

  refused(reason: string, cause?: unknown): LamplightError<"SOURCE__REFUSED"> {
    return new LamplightError("SOURCE__REFUSED", { url: this.#options.url, reason }, { cause });
  }

  lost(reason: string, cause?: unknown): LamplightError<"SOURCE__LOST"> {
    return new LamplightError("SOURCE__LOST", { url: this.#options.url, reason }, { cause });
  }
}

const troubles = [RpcRefusal, RpcForbidden, RpcTrouble, DumpFault, DOMException];
