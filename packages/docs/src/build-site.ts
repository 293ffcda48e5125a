// Writes the site into `dist/site`. Run by `build`.
import { fileURLToPath } from "node:url";
import { writeSite } from "./site.ts";

writeSite(fileURLToPath(new URL("../dist/site", import.meta.url)));
