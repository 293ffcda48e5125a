import { type Client, createMainClient } from "./client.ts";
import { type InProcessOptions, openInProcessTransport } from "./in-process-options.ts";
import type { IntegerMode } from "./types/values.ts";

export type { InProcessOptions } from "./in-process-options.ts";

/**
 * The same client without a server: calls go straight into the methods of `@lamplight/core`, which must be installed
 * next to this package, together with `@lamplight/errors`. It reads one view of the store per call or batch.
 *
 * ```ts
 * const client = createInProcessClient({ viewSource: openSqliteReader({ file: "index.db" }) });
 * ```
 *
 * Every method throws `RpcError` as over HTTP, and the abort reason when `signal` or `timeoutMs` ended the call.
 * Where those packages are missing, every call throws a `TypeError` that names them.
 * Errors that a server would only log are the `cause` of an `RpcError` with code -32603.
 */
export const createInProcessClient = <const I extends IntegerMode = "amounts">(
  options: InProcessOptions<I>,
): Client<I> => {
  const { signal, timeoutMs, integers = "amounts" as I } = options;
  return createMainClient(openInProcessTransport(options), { signal, timeoutMs }, integers);
};
