/** The default address of a local validator. */
const localNode = "http://127.0.0.1:8899";
const TIMEOUT_MS = 500;

/** The URL of a node that runs on this machine; null = none answers there. */
export const findLocalNode = async (url = localNode): Promise<string | null> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getVersion" });
  const headers = { "content-type": "application/json" };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: "POST", headers, body, signal });
    const { result } = (await response.json()) as { readonly result?: { readonly "solana-core"?: unknown } };
    return typeof result?.["solana-core"] === "string" ? url : null;
  } catch {
    return null;
  }
};
