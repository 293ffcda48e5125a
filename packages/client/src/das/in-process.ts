import { limitsOf } from "../create-client.ts";
import { type InProcessOptions, openInProcessTransport } from "../in-process-options.ts";
import type { InProcessTransportOptions } from "../in-process-transport.ts";
import type { IntegerMode } from "../types/values.ts";
import { createTypedDasClient, type DasClient } from "./das-client.ts";

/**
 * The DAS client without a server: calls go straight into the methods of `@lamplight/das`, which must be installed next
 * to this package, together with `@lamplight/core` and `@lamplight/errors`.
 *
 * ```ts
 * const das = createInProcessDasClient({ viewSource: openSqliteReader({ file: "index.db" }) });
 * ```
 *
 * Every method throws as those of `createInProcessClient` do.
 */
export const createInProcessDasClient = <const I extends IntegerMode = "amounts">(
  options: InProcessOptions<I>,
): DasClient<I> =>
  createTypedDasClient(
    openInProcessTransport(options, loadMethods),
    limitsOf(options),
    options.integers ?? ("amounts" as I),
  );

/** The DAS methods, and the account methods of core. */
const loadMethods: InProcessTransportOptions["loadMethods"] = async ({ callMethod }) => {
  const { dasMethods } = await import("@lamplight/das");
  return async (name, params, context) =>
    dasMethods.has(name)
      ? String(await dasMethods.answer(name, params, context))
      : callMethod(name, params, context);
};
