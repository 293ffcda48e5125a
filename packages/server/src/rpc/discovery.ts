import type { ContractDocument } from "@lamplight/contract";
import { type JsonText, storedJson } from "@lamplight/core";

/** Is in the text where the address goes; no contract has it. */
const place = "\u0000address\u0000";

/** The contract with the server's own address in it, as the playground and generated clients need it. */
export class Discovery {
  readonly #before: string;
  readonly #after: string;

  constructor(document: ContractDocument) {
    const text = JSON.stringify({ ...document, servers: [{ name: "Lamplight", url: place }] });
    const [before, after] = text.split(JSON.stringify(place));
    this.#before = before!;
    this.#after = after!;
  }

  text(endpoint: string): JsonText<ContractDocument> {
    return storedJson(this.#before + JSON.stringify(endpoint) + this.#after);
  }
}
