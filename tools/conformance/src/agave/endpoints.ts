/** One of the two that are asked. */
export interface Endpoint {
  readonly name: string;
  ask(body: string): Promise<string>;
}

/** Without a client's name Lamplight answers by its own contract: the header asks for the answers of validators. */
export const httpEndpoint = (name: string, url: string): Endpoint => ({
  name,
  ask: async (body) => {
    const headers = { "content-type": "application/json", "solana-client": "conformance" };
    const response = await fetch(url, { method: "POST", headers, body });
    // Validators end a body with a line feed.
    return (await response.text()).replace(/\n$/u, "");
  },
});
