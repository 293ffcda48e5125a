import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../contract-model.ts";
import { errorsPage } from "./errors-page.ts";
import { indexPage } from "./index-page.ts";
import { pageHtml } from "./layout.ts";
import { methodPage } from "./method-page.ts";
import { typesPage } from "./types-page.ts";

const assets = new URL("assets", import.meta.url).pathname;

/** Path inside the site to text. */
export const emitSite = (contract: Contract): ReadonlyMap<string, string> => {
  const pages = [
    indexPage(contract),
    ...contract.methods.map((method) => methodPage(contract, method)),
    typesPage(contract),
    errorsPage(contract),
  ];
  return new Map([
    ...pages.map((page) => [page.path, pageHtml(contract, page)] as const),
    ...readdirSync(assets)
      .toSorted()
      .map((name) => [name, readFileSync(join(assets, name), "utf8")] as const),
  ]);
};
