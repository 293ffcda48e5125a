import type { ContractDocument } from "@lamplight/contract";

/** The contract with the server's own address in it, as the playground and generated clients need it. */
export const discoverText = (document: ContractDocument, endpoint: string): string =>
  JSON.stringify({ ...document, servers: [{ name: "Lamplight", url: endpoint }] });
