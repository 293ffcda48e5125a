// What is left of a server that was stopped, in a process that goes on: nothing.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import type { ViewSource } from "@lamplight/core";
import { expect, test } from "vitest";

import { post, startTestServer } from "../../test/protocol-server.ts";

const SERVERS = 100;
/** What the engine itself may still hold of the last ones. */
const HELD_MAX = 5;

/** Starts a server, calls it, stops it, and lets go of it. */
const useServer = async (): Promise<WeakRef<ViewSource>> => {
  // The server holds it in all of its parts, and nothing else does.
  const viewSource: ViewSource = {
    openView: () => {
      throw new Error("this test must not read a store");
    },
  };
  const server = await startTestServer({ viewSource });
  const { status } = await post(server, '{"jsonrpc":"2.0","id":1,"method":"nope"}');
  expect(status).toBe(200);
  await server.stop();
  return new WeakRef(viewSource);
};

test(`${SERVERS} servers that were started and stopped leave no memory in use`, async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const used: WeakRef<ViewSource>[] = [];
  while (used.length < SERVERS) used.push(await useServer());
  await expect
    .poll(() => {
      collectGarbage();
      return used.filter((one) => one.deref() !== undefined).length;
    })
    .toBeLessThanOrEqual(HELD_MAX);
});
