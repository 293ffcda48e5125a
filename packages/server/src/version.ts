import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Our own package version: `context.apiVersion` of every answer that has one. */
export const apiVersion: string = manifest.version;
