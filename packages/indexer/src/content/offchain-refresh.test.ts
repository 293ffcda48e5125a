// A document that was fetched is asked for again: by its age, and when its asset changes.

import { describe, expect, test } from "vitest";
import {
  asked,
  contentOf,
  createWorker,
  DAY,
  host,
  localFetcher,
  never,
  put,
  rowOf,
  says,
  sweep,
  uriOf,
  useDocuments,
} from "../../test/document-host.ts";

useDocuments();

describe("OffchainWorker, documents that are there", () => {
  test("with an age, a document is asked for again by its validators, until it is immutable", async () => {
    const sent: (string | undefined)[] = [];
    host.answer = (request, response) => {
      sent.push(request.headers["if-none-match"]);
      if (request.headers["if-none-match"] === '"v1"') response.writeHead(304).end();
      else response.setHeader("etag", '"v1"').end('{"description":"first"}');
    };
    await put(1, uriOf("/1.json"));
    await put(2, 'data:application/json,{"description":"in place"}');
    const worker = createWorker(localFetcher(), 30 * DAY);
    await sweep(worker);
    expect(await rowOf(uriOf("/1.json"))).toMatchObject({ status: "ok", dueMs: host.nowMs + 30 * DAY });
    expect(await rowOf('data:application/json,{"description":"in place"}')).toMatchObject({ dueMs: null });
    host.nowMs += 29 * DAY;
    await sweep(worker);
    expect(sent).toEqual([undefined]);
    host.nowMs += 2 * DAY;
    await sweep(worker);
    expect(sent).toEqual([undefined, '"v1"']);
    expect(await rowOf(uriOf("/1.json"))).toMatchObject({ status: "ok", dueMs: host.nowMs + 30 * DAY });
    expect(worker.counts.outcomes).toMatchObject({ document: 2, notModified: 1 });
    // What was there once is asked for again, also after the retries of its class.
    host.answer = (_request, response) => response.writeHead(404).end();
    for (const days of [31, 2, 8]) {
      host.nowMs += days * DAY;
      await sweep(worker);
    }
    expect(await rowOf(uriOf("/1.json"))).toMatchObject({ status: "gone", dueMs: host.nowMs + 30 * DAY });
    expect(await contentOf(1)).toMatchObject({ metadata: { description: "first" } });
  });

  test("with an age, a document is also asked for again when its asset changes", async () => {
    host.answer = says("first");
    await put(1, uriOf("/1.json"));
    const worker = createWorker(localFetcher(), 30 * DAY);
    await sweep(worker);
    host.nowMs += 2 * DAY;
    host.answer = says("revealed");
    await put(1, uriOf("/1.json"), 2);
    await sweep(worker);
    expect(await contentOf(1)).toMatchObject({ metadata: { description: "revealed" } });
    host.answer = (_request, response) => response.writeHead(404).end();
    for (const days of [31, 2, 8]) {
      host.nowMs += days * DAY;
      await sweep(worker);
    }
    // The retries are over, and the age has not come.
    expect(await rowOf(uriOf("/1.json"))).toMatchObject({ status: "gone", dueMs: host.nowMs + 30 * DAY });
    host.nowMs += 2 * DAY;
    host.answer = says("back");
    await put(1, uriOf("/1.json"), 3);
    await sweep(worker);
    expect(await contentOf(1)).toMatchObject({ metadata: { description: "back" } });
  });

  test("a document is looked at again when its asset changes, a day later and not before, by its validators", async () => {
    let validators: unknown;
    host.answer = (request, response) => {
      validators = request.headers["if-none-match"];
      if (validators !== undefined) response.writeHead(304).end();
      else response.setHeader("etag", '"v1"').end('{"description":"hidden"}');
    };
    await put(1, uriOf("/1.json"), 1);
    const worker = createWorker();
    await sweep(worker);
    await put(1, uriOf("/1.json"), 2);
    await sweep(worker);
    expect(asked).toHaveLength(1);
    host.nowMs += DAY;
    await put(1, uriOf("/1.json"), 3);
    await sweep(worker);
    expect(asked).toHaveLength(2);
    expect(validators).toBe('"v1"');
    expect(await rowOf(uriOf("/1.json"))).toMatchObject({ status: "ok", fetchedMs: host.nowMs });
    expect(await contentOf(1)).toMatchObject({ metadata: { description: "hidden" } });
  });

  test("documents that were fetched before their age counted are requested by it, too", async () => {
    host.answer = says("before");
    await put(1, uriOf("/1.json"));
    await sweep(createWorker());
    expect((await rowOf(uriOf("/1.json")))?.dueMs).toBeNull();
    host.answer = says("after");
    const worker = createWorker(localFetcher(), DAY);
    host.nowMs += DAY - 1;
    await worker.dateRefreshes(never);
    await worker.fetchDue(never);
    expect((await contentOf(1)).metadata.description).toBe("before");
    host.nowMs += 1;
    await worker.fetchDue(never);
    expect((await contentOf(1)).metadata.description).toBe("after");
  });
});
