import { afterAll, describe, expect, test } from "vitest";
import { failed, never, noValidators, startSmallInternet } from "../test/small-internet.ts";
import { createNetworkFetcher } from "./network-fetcher.ts";

const { server, options, fetchUri, at, close } = await startSmallInternet();
afterAll(close);

const cid = "bafybeihaky4htq6obur3ziksyanpdoqmrnefben3dbecddru52xh2sdkii";

describe("createNetworkFetcher, where hosts are busy", () => {
  const limits = { requestsPerSecondPerHost: 1000, requestsAtOncePerHost: 1 };

  test("a redirect to a busy host fails, to be tried again, and waits for no one", async () => {
    const { promise: held, resolve: onHeld } = Promise.withResolvers<void>();
    server.on("/held", () => onHeld());
    server.on("/to-busy", (_request, response) => response.writeHead(302, { location: at("/plain") }).end());
    const fetcher = createNetworkFetcher(options({ limits }));
    const controller = new AbortController();
    const holding = fetcher.fetch(at("/held"), noValidators, controller.signal);
    await held;
    expect(fetcher.startDelayMs?.(at("/plain"))).toBe(Infinity);
    expect(fetcher.startDelayMs?.(at("/plain", "other.test"))).toBe(0);
    expect(fetcher.startDelayMs?.("data:,{}")).toBe(0);
    const before = server.asked.length;
    expect(await fetcher.fetch(at("/to-busy", "other.test"), noValidators, never)).toMatchObject(
      failed("failed", /busy/),
    );
    expect(server.asked.slice(before)).toEqual(["/to-busy"]);
    controller.abort(new Error("enough"));
    await expect(holding).rejects.toThrow("enough");
    expect(fetcher.startDelayMs?.(at("/plain"))).toBeLessThan(Infinity);
  });

  test("a redirect within a host keeps its place", async () => {
    server.on("/from", (_request, response) => response.writeHead(302, { location: "/to" }).end());
    server.on("/to", (_request, response) => response.end('{"to":1}'));
    const fetcher = createNetworkFetcher(options({ limits }));
    expect(await fetcher.fetch(at("/from"), noValidators, never)).toMatchObject({ json: '{"to":1}' });
    expect(fetcher.startDelayMs?.(at("/from"))).toBeLessThan(Infinity);
  });

  test("a busy gateway is left out, and its answer not taken for granted", async () => {
    const { promise: held, resolve: onHeld } = Promise.withResolvers<void>();
    server.on("/held-gateway", () => onHeld());
    server.on(`/ipfs2/${cid}/7.json`, (_request, response) => response.end('{"n":7}'));
    const fetcher = createNetworkFetcher(options({ limits }));
    const controller = new AbortController();
    const holding = fetcher.fetch(at("/held-gateway"), noValidators, controller.signal);
    await held;
    expect(fetcher.startDelayMs?.(`ipfs://${cid}/7.json`)).toBe(0);
    expect(await fetcher.fetch(`ipfs://${cid}/7.json`, noValidators, never)).toMatchObject({
      json: '{"n":7}',
    });
    // The other gateway has not this one; the busy one may.
    expect(await fetcher.fetch(`ipfs://${cid}/8.json`, noValidators, never)).toMatchObject(
      failed("failed", /busy/),
    );
    controller.abort(new Error("enough"));
    await expect(holding).rejects.toThrow("enough");
  });
});

describe("createNetworkFetcher, for content-addressed URIs", () => {
  test("goes on to the next gateway where one fails, and knows the document for good", async () => {
    server.on(`/ipfs2/${cid}/1.json`, (_request, response) => response.end('{"n":1}'));
    for (const uri of [`ipfs://${cid}/1.json`, `ipfs://ipfs/${cid}/1.json`, at(`/ipfs/${cid}/1.json`)]) {
      expect(await fetchUri(uri)).toMatchObject({ kind: "document", json: '{"n":1}', immutable: true });
    }
  });

  test("answers the most hopeful failure when no gateway has it", async () => {
    server.on(`/ipfs2/${cid}/2.json`, (_request, response) => response.writeHead(502).end());
    expect(await fetchUri(`ipfs://${cid}/2.json`)).toMatchObject(failed("failed", /502/));
  });

  test("asks an Arweave gateway", async () => {
    const id = "JIdaRM9RXQUNhigQ7ochqc3AAVl95uGHAsilhcSMUC4";
    server.on(`/ar/${id}`, (_request, response) => response.end('{"ar":1}'));
    expect(await fetchUri(`ar://${id}`)).toMatchObject({
      kind: "document",
      json: '{"ar":1}',
      immutable: true,
    });
  });

  test("decodes data URIs without the network", async () => {
    const before = server.asked.length;
    for (const uri of [
      'data:application/json,{"a":"%C3%A9"}',
      'data:application/json;charset=utf-8,{"a":"é"}',
      `data:application/json;base64,${Buffer.from('{"a":"é"}').toString("base64")}`,
    ]) {
      expect(await fetchUri(uri)).toMatchObject({ kind: "document", json: '{"a":"é"}', immutable: true });
    }
    expect(await fetchUri("data:image/svg+xml,<svg/>")).toMatchObject({
      json: expect.stringContaining("data:image") as unknown,
    });
    for (const uri of ["data:application/json", "data:,%zz", "data:;base64,{}", "data:,{"]) {
      expect(await fetchUri(uri)).toMatchObject({ kind: "failure", status: "notJson", json: null });
    }
    expect(await fetchUri(`data:,${"1".repeat(256 * 1024)}`)).toMatchObject(failed("refused", /too long/));
    expect(server.asked.length).toBe(before);
  });
});
