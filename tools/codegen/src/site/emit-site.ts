import type { Contract } from "../contract-model.ts";

/** Path inside the site to text. */
export const emitSite = (contract: Contract): ReadonlyMap<string, string> =>
  new Map([["index.html", `<!doctype html><title>${contract.info.title}</title>\n`]]);
