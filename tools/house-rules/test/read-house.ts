import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Picture, readPicture } from "../src/picture.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

/** The packages of this repository. */
export const packages = fileURLToPath(new URL("packages", root));

/** The tools of this repository. */
export const tools = fileURLToPath(new URL("tools", root));

export const picture: Picture = readPicture(read("ARCHITECTURE.md"));

/** Packages that the root's manifest provides for the tests of every package. */
export const shared: ReadonlySet<string> = new Set(
  Object.keys((JSON.parse(read("package.json")) as { devDependencies: object }).devDependencies).filter(
    (name) => !name.startsWith("@lamplight/"),
  ),
);
