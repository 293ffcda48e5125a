import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { callText, post, testKey } from "../../test/protocol-server.ts";
import { createSmallStore, smallAddress } from "../../test/small-store.ts";
import { createLog } from "../log/log.ts";
import type { LogLevel } from "../log/log-levels.ts";
import { startServer } from "../start-server.ts";

const linesAt = async (level: LogLevel): Promise<readonly unknown[]> => {
  const store = await createSmallStore();
  const output = new PassThrough();
  const log = createLog(level, output);
  const server = await startServer({ viewSource: store.reader, keys: [testKey], port: 0, log });
  try {
    expect((await post(server, callText("getAccountInfo", [smallAddress]))).status).toBe(200);
  } finally {
    await server.stop();
    store.remove();
  }
  const lines = String(output.read() ?? "").split("\n");
  return lines.filter((line) => line.includes("reads of a call")).map((line) => JSON.parse(line) as unknown);
};

test("the log at debug prints what a call reads, and no other level does", async () => {
  expect(await linesAt("debug")).toEqual([
    expect.objectContaining({
      method: "getAccountInfo",
      reads: [{ kind: "account", address: smallAddress }],
      count: 1,
    }),
  ]);
  expect(await linesAt("info")).toEqual([]);
});
