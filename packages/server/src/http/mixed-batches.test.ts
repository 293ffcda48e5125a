// Batches that read at several commitments hold several places among the store's sessions.
import type { ViewSource } from "@lamplight/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callText, post } from "../../test/protocol-server.ts";
import { createSmallStore, smallAddress, type SmallStore } from "../../test/small-store.ts";
import { startServer } from "../start-server.ts";

let store: SmallStore;
beforeAll(async () => {
  store = await createSmallStore();
});
afterAll(() => store.remove());

/** The real store, whose views open in a later turn, as those of a database do. */
const later = (): ViewSource => ({
  openView: async (commitment) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return store.reader.openView(commitment);
  },
});

const at = (commitment: string): string => callText("getAccountInfo", [smallAddress, { commitment }]);

test.each([
  { readViews: 1, commitments: ["finalized", "confirmed", "processed"] },
  { readViews: 4, commitments: ["finalized", "confirmed"] },
  { readViews: 8, commitments: ["finalized", "confirmed", "processed"] },
])(
  "of many callers at $commitments.length commitments, none waits for what the others hold",
  async (load) => {
    const { readViews, commitments } = load;
    const limits = { readViews, callTimeoutMs: 150_000 };
    const server = await startServer({
      viewSource: later(),
      keys: ["one"],
      port: 0,
      limits,
      trustProxy: true,
    });
    try {
      // More calls than a batch starts at once: some commitments are asked for when the first view is open already.
      const first = Array.from({ length: 8 }, () => at(commitments[0]!));
      const bodies = [`[${commitments.map(at).join()}]`, `[${[...first, ...commitments.map(at)].join()}]`];
      const answers = await Promise.all(
        Array.from({ length: 24 }, async (_, index) =>
          post(server, bodies[index % 2]!, { "x-forwarded-for": `10.0.0.${index}` }, "/v3/one"),
        ),
      );
      expect(answers.filter(({ text }) => text.includes('"error"'))).toEqual([]);
      expect(server.load()).toMatchObject({ readViews: 0, viewQueue: 0, waitingRequests: 0 });
    } finally {
      await server.stop();
    }
  },
  120_000,
);
