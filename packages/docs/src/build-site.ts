// Writes the site into `dist/site`. Run by `build`. LAMPLIGHT_DOCS_URL names the domain that it is built for.
import { fileURLToPath } from "node:url";
import { writeSite } from "./site.ts";

writeSite(fileURLToPath(new URL("../dist/site", import.meta.url)), process.env["LAMPLIGHT_DOCS_URL"] ?? null);
