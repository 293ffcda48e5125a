import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type ArchiveSource, openArchiveSource } from "./archive-source.ts";
import { openDownload } from "./download.ts";

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

interface Behaviour {
  readonly ranges: boolean;
  /** Bytes after which a connection breaks; each answer uses up one. */
  readonly breaks: number[];
  readonly tag?: () => string;
}

const serve = async ({
  ranges,
  breaks,
  tag = () => '"one"',
}: Behaviour): Promise<{ url: string; requests: string[] }> => {
  const requests: string[] = [];
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.range ?? ""}`.trim());
    if (request.url === "/snapshot.tar.bz2") {
      response.writeHead(303, { location: `/snapshot-100-${"2".repeat(44)}.tar.zst` }).end();
      return;
    }
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const isPart = ranges && from > 0 && request.headers["if-range"] === tag();
    response.writeHead(isPart ? 206 : 200, {
      "content-length": content.length - (isPart ? from : 0),
      etag: tag(),
      ...(ranges ? { "accept-ranges": "bytes" } : {}),
    });
    if (request.method === "HEAD") return void response.end();
    const bytes = content.subarray(isPart ? from : 0);
    const limit = breaks.shift();
    if (limit === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, limit), () => setTimeout(() => response.destroy(), 20));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};

const readAll = async (url: string): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of (await openDownload(url)).read()) parts.push(part);
  return Buffer.concat(parts);
};

const readSource = async (source: ArchiveSource): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of source.read()) parts.push(part);
  return Buffer.concat(parts);
};

describe("openDownload", () => {
  test("goes on where it broke when the server has ranges", async () => {
    const { url, requests } = await serve({ ranges: true, breaks: [100_000, 50_000] });
    expect((await readAll(`${url}/x.tar`)).equals(content)).toBe(true);
    expect(requests).toEqual(["HEAD", "GET", "GET bytes=100000-", "GET bytes=150000-"]);
  });

  test("fails when it breaks and the server has none", async () => {
    const { url } = await serve({ ranges: false, breaks: [100_000] });
    await expect(readAll(`${url}/x.tar`)).rejects.toMatchObject({ code: "SOURCE__DOWNLOAD" });
  });

  test("never joins two files", async () => {
    let tag = '"one"';
    const { url } = await serve({ ranges: true, breaks: [100_000, 0, 0, 0, 0, 0, 0], tag: () => tag });
    const download = await openDownload(`${url}/x.tar`);
    const read = async (): Promise<void> => {
      for await (const part of download.read()) {
        void part;
        tag = '"two"';
      }
    };
    await expect(read()).rejects.toThrow("changed while it was read");
  });

  test("follows a validator's redirect to the name of the archive", async () => {
    const { url } = await serve({ ranges: false, breaks: [] });
    const source = await openArchiveSource(`${url}/snapshot.tar.bz2`);
    expect(source.name).toMatchObject({ kind: "full", slot: 100, compression: "zstd" });
    expect(source.sizeBytes).toBe(content.length);
  });

  test("goes on with what a process that is no more has kept, and with nothing else", async () => {
    let tag = '"one"';
    const { url, requests } = await serve({ ranges: true, breaks: [], tag: () => tag });
    const folder = mkdtempSync(join(tmpdir(), "lamplight-kept-"));
    try {
      const open = () => openArchiveSource(`${url}/x.tar`, folder);
      let cut = 0;
      for await (const part of (await open()).read()) {
        cut += part.length;
        if (cut > 100_000) break;
      }
      expect(await readSource(await open())).toEqual(content);
      expect(requests).toEqual(["HEAD", "GET", "HEAD", `GET bytes=${cut}-`]);
      expect(await readSource(await open())).toEqual(content);
      expect(requests.slice(4)).toEqual(["HEAD"]);
      tag = '"two"';
      expect(await readSource(await open())).toEqual(content);
      expect(requests.slice(5)).toEqual(["HEAD", "GET"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
