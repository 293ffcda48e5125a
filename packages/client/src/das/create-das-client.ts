import { type ClientOptions, limitsOf, openTransport } from "../create-client.ts";
import type { IntegerMode } from "../types/values.ts";
import { createTypedDasClient, type DasClient } from "./das-client.ts";

/**
 * A client of the DAS methods of a server that was started with `--methods das`, and of the account methods. The
 * options are those of `createClient`; with `apiKey`, calls go to `<url>/das/<apiKey>`. Every method takes one object
 * of names.
 *
 * ```ts
 * const das = createDasClient({ url: "http://127.0.0.1:5267", apiKey: "demo" });
 * const { total, items } = await das.getAssetsByOwner({ ownerAddress: owner });
 * ```
 *
 * Every method throws what those of `createClient` throw.
 *
 * @throws TypeError at once, when `url` or `apiKey` cannot be right
 */
export const createDasClient = <const I extends IntegerMode = "amounts">(
  options: ClientOptions<I>,
): DasClient<I> =>
  createTypedDasClient(
    openTransport(options, "das"),
    limitsOf(options),
    options.integers ?? ("amounts" as I),
  );
