import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const run = promisify(execFile);

/** Prints which network libraries stand among the loaded modules after the import. Both are CommonJS. */
const script = (subpath: string): string => `
  import { createRequire } from "node:module";
  await import("@lamplight/sources/${subpath}");
  const files = Object.keys(createRequire(import.meta.url).cache);
  console.log(JSON.stringify(["@grpc/grpc-js", "ws"].filter((name) => files.some((file) => file.includes("/node_modules/" + name + "/")))));
`;

const loadedBy = async (subpath: string): Promise<unknown> => {
  const { stdout } = await run(
    process.execPath,
    ["--conditions=@lamplight/source", "--input-type=module", "--eval", script(subpath)],
    { cwd: import.meta.dirname },
  );
  return JSON.parse(stdout);
};

describe("an import of", () => {
  test.each([
    ["addresses", []],
    ["clone", []],
    ["dumps", []],
    ["endpoint", []],
    ["transactions", []],
    ["snapshot", []],
    ["snapshot/merge", []],
    ["rpc", ["ws"]],
    ["yellowstone", ["@grpc/grpc-js"]],
  ])("%s loads no network library but its own", async (subpath, libraries) => {
    expect(await loadedBy(subpath)).toEqual(libraries);
  });
});
