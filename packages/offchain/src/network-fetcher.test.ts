import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { failed, never, noValidators, startSmallInternet } from "../test/small-internet.ts";
import { createNetworkFetcher } from "./network-fetcher.ts";

const { server, inside, options, fetchUri, at, close } = await startSmallInternet();
afterAll(close);

describe("createNetworkFetcher", () => {
  test("fetches a document, minified with every digit, with what it can be asked for again by", async () => {
    server.on("/plain", (request, response) => {
      expect(request.headers).toMatchObject({
        accept: "application/json, */*;q=0.1",
        "user-agent": "lamplight",
      });
      response.setHeader("etag", '"v1"').setHeader("last-modified", "Sat, 01 Jan 2022 00:00:00 GMT");
      response.end('\ufeff{ "a": 18446744073709551616,\n "b": 1.0 }');
    });
    expect(await fetchUri(at("/plain"))).toMatchObject({
      kind: "document",
      json: '{"a":18446744073709551616,"b":1.0}',
      etag: '"v1"',
      lastModified: "Sat, 01 Jan 2022 00:00:00 GMT",
      immutable: false,
    });
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ] as const)("decompresses %s", async (encoding, compress) => {
    server.on(`/${encoding}`, (_request, response) => {
      response.setHeader("content-encoding", encoding).end(compress(Buffer.from('{"x":1}')));
    });
    expect(await fetchUri(at(`/${encoding}`))).toMatchObject({ kind: "document", json: '{"x":1}' });
  });

  test("asks again only for what changed", async () => {
    server.on("/etag", (request, response) => {
      response.writeHead(request.headers["if-none-match"] === '"v1"' ? 304 : 200).end();
    });
    const fetcher = createNetworkFetcher(options());
    expect(await fetcher.fetch(at("/etag"), { etag: '"v1"', lastModified: null }, never)).toEqual({
      kind: "notModified",
    });
  });

  test("a server that says that nothing changed to a first request has no document yet", async () => {
    server.on("/304", (_request, response) => response.writeHead(304).end());
    expect(await fetchUri(at("/304"))).toMatchObject(failed("failed", /answered 304/));
  });

  describe("addresses", () => {
    test.each([
      ["a private address", () => `http://10.0.0.1:${server.port}/`],
      ["another loopback address", () => `http://127.0.0.2:${inside.port}/secret`],
      ["loopback spelled as one number", () => `http://2130706434:${inside.port}/secret`],
      ["loopback spelled in hex and octal", () => `http://0x7f.0.0.02:${inside.port}/secret`],
      ["loopback in IPv6", () => `http://[::1]:${server.port}/`],
      ["loopback mapped into IPv6", () => `http://[::ffff:127.0.0.2]:${inside.port}/secret`],
      ["the metadata service of a cloud", () => `http://169.254.169.254:${server.port}/latest/meta-data`],
      ["a name that stands for a private address", () => at("/plain", "private.test")],
      ["a name that stands for a private address too", () => at("/plain", "half.test")],
      ["localhost", () => at("/plain", "localhost")],
      ["a name below localhost", () => at("/plain", "a.localhost")],
      ["a bare host", () => at("/plain", "intranet")],
      ["credentials", () => `http://user:pass@docs.test:${server.port}/plain`],
      ["another port", () => "http://docs.test:22/"],
      ["a file", () => "file:///etc/passwd"],
      ["a path", () => "metadata/1.json"],
      ["nothing", () => "\0\0"],
    ])("refuses %s", async (_what, uri) => {
      expect(await fetchUri(uri())).toMatchObject({ kind: "failure", status: "refused" });
      expect(inside.asked).toEqual([]);
    });

    test.each([
      ["another loopback address", () => `http://127.0.0.2:${inside.port}/secret`],
      ["a name that stands for one", () => `http://inside.test:${inside.port}/secret`],
      ["a file", () => "file:///etc/passwd"],
      ["data", () => "data:application/json,{}"],
      ["credentials", () => `http://u:p@docs.test:${server.port}/plain`],
    ])("refuses a redirect to %s", async (what, target) => {
      const path = `/redirect-${encodeURIComponent(what)}`;
      server.on(path, (_request, response) => response.writeHead(302, { location: target() }).end());
      expect(await fetchUri(at(path))).toMatchObject({ kind: "failure", status: "refused" });
      expect(inside.asked).toEqual([]);
    });

    test("connects to the address that was checked: a name that moves in the meantime is not asked again", async () => {
      server.on("/moving", (_request, response) => response.end("{}"));
      let lookups = 0;
      const resolve = async (): Promise<readonly string[]> => {
        lookups += 1;
        return lookups === 1 ? ["127.0.0.1"] : ["127.0.0.2"];
      };
      expect(await fetchUri(at("/moving", "moving.test"), { resolve })).toMatchObject({ kind: "document" });
      expect(lookups).toBe(1);
    });

    test("a name that does not resolve may do so later", async () => {
      expect(await fetchUri(at("/", "unknown.test"))).toMatchObject(failed("failed", /does not resolve/));
      expect(await fetchUri(at("/", "nowhere.test"))).toMatchObject(failed("failed", /no address/));
    });
  });

  describe("redirects", () => {
    test("follows five and gives up at the sixth", async () => {
      for (let hop = 0; hop <= 6; hop += 1) {
        server.on(`/hop${hop}`, (_request, response) => {
          if (hop === 0) response.end('{"end":1}');
          else response.writeHead(301, { location: `hop${hop - 1}` }).end();
        });
      }
      expect(await fetchUri(at("/hop5"))).toMatchObject({ kind: "document", json: '{"end":1}' });
      expect(await fetchUri(at("/hop6"))).toMatchObject(failed("failed", /more than 5 redirects/));
    });

    test("a redirect to itself ends", async () => {
      server.on("/self", (_request, response) => response.writeHead(302, { location: "/self" }).end());
      expect(await fetchUri(at("/self"))).toMatchObject(failed("failed", /redirects/));
    });
  });

  describe("bodies", () => {
    test("a body without an end is cut off at the bound", async () => {
      server.on("/endless", (_request, response) => {
        const chunk = Buffer.alloc(64 * 1024, 0x20);
        const pour = (): void => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on("drain", pour);
        pour();
      });
      expect(await fetchUri(at("/endless"))).toMatchObject(failed("tooLarge", /larger than 2097152 bytes/));
    });

    test.each([
      ["gzip", gzipSync],
      ["br", brotliCompressSync],
      ["zstd", zstdCompressSync],
    ] as const)("a %s bomb is stopped while it unfolds", async (encoding, compress) => {
      const bomb = compress(Buffer.alloc(64 * 1024 * 1024));
      expect(bomb.length).toBeLessThan(128 * 1024);
      server.on(`/bomb-${encoding}`, (_request, response) => {
        response.setHeader("content-encoding", encoding).end(bomb);
      });
      expect(await fetchUri(at(`/bomb-${encoding}`))).toMatchObject({ kind: "failure", status: "tooLarge" });
    });

    test("a slow drip runs out of time", async () => {
      server.on("/drip", (_request, response) => {
        const timer = setInterval(() => response.write(" "), 10);
        response.on("close", () => clearInterval(timer));
      });
      const limits = { totalTimeoutMs: 200 };
      expect(await fetchUri(at("/drip"), { limits })).toMatchObject(failed("failed", /too long/));
    });

    test("a server that never answers runs out of time", async () => {
      server.on("/silent", () => undefined);
      const limits = { headTimeoutMs: 100 };
      expect(await fetchUri(at("/silent"), { limits })).toMatchObject(failed("failed", /too long to begin/));
    });

    // Node ends an upgraded connection that no one asked for without an error and without a response.
    test.each(["ends", "stays open"])("an upgrade that no one asked for is a failure (%s)", async (how) => {
      const path = `/upgrade ${how}`.replaceAll(" ", "-");
      server.on(path, ({ socket }) => {
        socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        if (how === "ends") socket.end();
      });
      expect(await fetchUri(at(path))).toMatchObject(failed("failed", /without a response/));
    });

    test("a head of endless headers is refused", async () => {
      server.on("/headers", (_request, response) => {
        for (let index = 0; index < 40; index += 1) response.setHeader(`x-${index}`, "y".repeat(1000));
        response.end("{}");
      });
      expect(await fetchUri(at("/headers"))).toMatchObject(failed("failed", /HPE_HEADER_OVERFLOW/));
    });

    test("a body that breaks off may be whole the next time", async () => {
      server.on("/broken", (_request, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write('{"a":', () => response.destroy());
      });
      expect(await fetchUri(at("/broken"))).toMatchObject(failed("failed", /broke off/));
      server.on("/garbled", (_request, response) =>
        response.setHeader("content-encoding", "gzip").end("no gzip"),
      );
      expect(await fetchUri(at("/garbled"))).toMatchObject(failed("failed", /broke off/));
      server.on("/stacked", (_request, response) =>
        response.setHeader("content-encoding", "gzip, gzip").end("{}"),
      );
      expect(await fetchUri(at("/stacked"))).toMatchObject(failed("refused", /encoding/));
    });

    test.each([
      ["an error page", "<html>not found</html>", /not JSON/],
      ["nothing", "", /not JSON/],
      ["JSON nested too deep", "[".repeat(65) + "]".repeat(65), /too deep/],
      ["a million brackets", "[".repeat(1_000_000), /too deep/],
      ["too many values", `[${"1,".repeat(100_001)}1]`, /not JSON/],
      ["a trailing comma", '{"a":1,}', /not JSON/],
      ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
    ])("%s is not JSON, though the status is 200", async (what, body, reason) => {
      const path = `/body-${encodeURIComponent(what)}`;
      server.on(path, (_request, response) =>
        response.setHeader("content-type", "application/json").end(body),
      );
      expect(await fetchUri(at(path))).toMatchObject(failed("notJson", reason));
    });

    test("an image is its own document, and its body is not waited for", async () => {
      server.on("/image", (_request, response) => {
        response.writeHead(200, { "content-type": "image/webp" });
        response.write("RIFF");
      });
      const uri = at("/image");
      expect(await fetchUri(uri)).toMatchObject({
        kind: "failure",
        status: "notJson",
        json: JSON.stringify({ image: uri, properties: { files: [{ uri, type: "image/webp" }] } }),
      });
    });

    test("a video is an animation", async () => {
      server.on("/video", (_request, response) => response.setHeader("content-type", "video/mp4").end());
      expect(await fetchUri(at("/video"))).toMatchObject({
        json: expect.stringContaining("animation_url") as unknown,
      });
    });
  });

  describe("statuses", () => {
    test.each([
      [404, "gone"],
      [410, "gone"],
      [403, "gone"],
      [408, "failed"],
      [429, "failed"],
      [500, "failed"],
      [503, "failed"],
      [204, "gone"],
    ])("%d is %s", async (code, status) => {
      server.on(`/status${code}`, (_request, response) => response.writeHead(code).end());
      expect(await fetchUri(at(`/status${code}`))).toMatchObject(failed(status, new RegExp(String(code))));
    });

    test("hears what the server asks to wait, in seconds and as a date", async () => {
      server.on("/later", (_request, response) => response.writeHead(429, { "retry-after": "120" }).end());
      expect(await fetchUri(at("/later"))).toMatchObject({ retryAfterMs: 120_000 });
      server.on("/date", (_request, response) =>
        response.writeHead(503, { "retry-after": "Thu, 01 Jan 1970 00:10:00 GMT" }).end(),
      );
      expect(await fetchUri(at("/date"), { nowMs: () => 0 })).toMatchObject({ retryAfterMs: 600_000 });
    });
  });

  test("gives up when reported to", async () => {
    server.on("/given-up", () => undefined);
    const controller = new AbortController();
    const fetching = createNetworkFetcher(options()).fetch(at("/given-up"), noValidators, controller.signal);
    controller.abort(new Error("stop"));
    await expect(fetching).rejects.toThrow("stop");
  });
});
