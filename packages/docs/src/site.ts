import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Contract } from "./contract-model.ts";
import { parseKeepingText } from "./exact-json.ts";
import { emitSite } from "./pages/emit-site.ts";
import { placesOf } from "./pages/place.ts";

/** Files that are no text: `favicon.ico`, which browsers ask for without a link. */
const binaries = new URL("static/", import.meta.url);

const readReference = (path: string): Contract =>
  parseKeepingText(readFileSync(new URL(path, import.meta.url), "utf8")) as Contract;

/** The site: path to text. A domain, as `https://docs.example.org`, adds canonical links and a sitemap. */
export const siteFiles = (domain: string | null = null): ReadonlyMap<string, string> =>
  emitSite(
    placesOf(readReference("generated/reference.json"), readReference("das/generated/reference.json")),
    domain,
  );

/** Writes the site into a folder. */
export const writeSite = (folder: string, domain: string | null = null): void => {
  for (const [path, text] of siteFiles(domain)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  cpSync(binaries, folder, { recursive: true });
};
