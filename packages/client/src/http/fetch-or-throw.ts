import { RpcError, type WireError } from "../errors/rpc-error.ts";

/**
 * A `fetch` for libraries that drop the error of an answer, such as umi, which then reports that nothing was found.
 *
 * ```ts
 * const umi = createUmi("http://127.0.0.1:5267/v3/demo", { fetch: fetchOrThrow }).use(dasApi());
 * ```
 *
 * @returns the response, with its body unread. Batches, other statuses than 2xx, and what is not JSON are left to the library
 * @throws RpcError where the server refused the one call of the request
 */
export const fetchOrThrow: typeof globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init);
  const error = response.ok ? refusalIn(await response.clone().text()) : undefined;
  if (error === undefined) return response;
  throw new RpcError(error, { status: response.status, retryAfter: response.headers.get("retry-after") });
};

const refusalIn = (text: string): WireError | undefined => {
  try {
    const { error } = JSON.parse(text) as { readonly error?: WireError | null };
    return error ?? undefined;
  } catch {
    return undefined;
  }
};
