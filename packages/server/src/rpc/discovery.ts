/** The contract as published: an OpenRPC document. */
export interface ContractDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly methods: readonly unknown[];
  readonly [member: string]: unknown;
}

/** The contract with the server's own address in it, as the playground and generated clients need it. */
export const discoverText = (document: ContractDocument, endpoint: string): string =>
  JSON.stringify({ ...document, servers: [{ name: "Lamplight", url: endpoint }] });
