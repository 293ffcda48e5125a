// A store whose file is replaced while it is served: every call says so.
import { copyFileSync, renameSync } from "node:fs";

import { afterAll, beforeAll, expect, test } from "vitest";

import { callText, expectRefusal, post, testKey } from "../../test/protocol-server.ts";
import { createSmallStore, smallAddress, type SmallStore } from "../../test/small-store.ts";
import { type RunningServer, startServer } from "../start-server.ts";

let store: SmallStore;
let server: RunningServer;
beforeAll(async () => {
  store = await createSmallStore();
  // A call that waited for a place would never be answered.
  const limits = { callTimeoutMs: 600_000 };
  server = await startServer({ viewSource: store.reader, keys: [testKey], port: 0, limits });
});
afterAll(async () => {
  await server.stop();
  store.remove();
});

test("calls say that it was replaced, alone and in batches, and hold no read view", async () => {
  const call = callText("getAccountInfo", [smallAddress]);
  const batch = `[${Array.from({ length: 100 }, () => call).join()}]`;
  expect((await post(server, batch)).status).toBe(200);
  copyFileSync(store.file, `${store.file}.new`);
  renameSync(`${store.file}.new`, store.file);
  await expect.poll(async () => (await post(server, call)).status).toBe(503);
  // The places that the calls of one batch held were missing to the others.
  const bodies = [
    batch,
    ...Array.from({ length: 12 }, (_, at) => (at % 3 === 0 ? call : `[${call},${call}]`)),
  ];
  const answers = await Promise.all(bodies.map((body) => post(server, body)));
  for (const answer of answers) {
    expectRefusal(answer, 503, -32067);
    expect(answer.statusText).toContain("The store file was replaced");
  }
  expect(server.load()).toMatchObject({ readViews: 0, viewQueue: 0 });
});
