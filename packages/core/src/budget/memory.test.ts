import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";

import { memoryBound, setUsableMemory, usableBytes } from "./memory.ts";

const GIB = 1024 ** 3;

afterEach(() => setUsableMemory(undefined));

test.each([
  ["the machine", { totalBytes: 8 * GIB, constrainedBytes: 0 }, 8 * GIB],
  ["a container", { totalBytes: 8 * GIB, constrainedBytes: 2 * GIB }, 2 * GIB],
  ["a container without a limit", { totalBytes: 8 * GIB, constrainedBytes: 2 ** 64 }, 8 * GIB],
  ["the setting", { totalBytes: 8 * GIB, constrainedBytes: 2 * GIB, setting: `${4 * GIB}` }, 4 * GIB],
])("the memory that may be used is that of %s", (_, memory, expected) => {
  expect(usableBytes({ setting: undefined, ...memory })).toBe(expected);
});

test.each(["4G", "-1", "0", "1000", "1e12", " "])("refuses %j as a number of bytes", (setting) => {
  expect(() => usableBytes({ totalBytes: GIB, constrainedBytes: 0, setting })).toThrow(
    "the environment: LAMPLIGHT_MEMORY_BYTES must be a number of bytes, at least 268435456",
  );
});

test("a bound is its share of the memory, and never more than its maximum", () => {
  expect(memoryBound(1, 1000)).toBe(1000);
  const whole = memoryBound(1, Infinity);
  expect(memoryBound(1 / 4, Infinity)).toBe(Math.floor(whole / 4));
});

test("what a process sets is the memory of its thread, and of those that it starts", async () => {
  setUsableMemory(`${4 * GIB}`);
  expect(memoryBound(1, Infinity)).toBe(4 * GIB);
  const memory = JSON.stringify(new URL("memory.ts", import.meta.url).href);
  const code = `import(${memory}).then(({ memoryBound }) =>
    require("node:worker_threads").parentPort.postMessage(memoryBound(1 / 2, Infinity)))`;
  const worker = new Worker(code, { eval: true, execArgv: ["--conditions=@lamplight/source"] });
  expect(await once(worker, "message")).toEqual([2 * GIB]);
  await worker.terminate();
});

test("a wrong setting is reported where a bound is read, and can be replaced", () => {
  setUsableMemory("much");
  expect(() => memoryBound(1, Infinity)).toThrow("LAMPLIGHT_MEMORY_BYTES must be a number of bytes");
  setUsableMemory(`${GIB}`);
  expect(memoryBound(1, Infinity)).toBe(GIB);
});
