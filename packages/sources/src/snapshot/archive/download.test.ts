import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  answer,
  closeServers,
  content,
  fileServer,
  type Handler,
  listen,
  readParts,
  readSource,
  serve,
} from "../../../test/file-server.ts";
import { openArchiveSource } from "./archive-source.ts";
import { openDownload, retryWaitMs } from "./download.ts";

afterEach(closeServers);

const RETRY_MS = 5;

const readAll = async (url: string): Promise<Buffer> => readParts((await openDownload(url, RETRY_MS)).read());

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-kept-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Does not say how long it is. */
const whole: Handler = (_, response) => void response.writeHead(200, { etag: '"one"' }).end(content);

/** Says no to it, and sends the first byte alone where it has ranges. */
const withoutHead = (status: number, ranges: boolean): Handler => {
  const file = fileServer({ ranges, troubles: [] });
  return (request, response) => {
    if (request.method === "HEAD") return void response.writeHead(status).end();
    if (!ranges || request.headers.range !== "bytes=0-0") return file(request, response);
    const headers = { "content-range": `bytes 0-0/${content.length}`, "content-length": 1, etag: '"one"' };
    return void response.writeHead(206, headers).end(content.subarray(0, 1));
  };
};

describe("openDownload", () => {
  test("goes on where it broke when the server has ranges", async () => {
    const { url, requests } = await serve({ troubles: [100_000, 50_000] });
    expect((await readAll(`${url}/x.tar`)).equals(content)).toBe(true);
    expect(requests).toEqual(["HEAD", "GET", "GET bytes=100000-", "GET bytes=150000-"]);
  });

  test("fails when it breaks and the server has none", async () => {
    const { url } = await serve({ ranges: false, troubles: [100_000] });
    await expect(readAll(`${url}/x.tar`)).rejects.toMatchObject({ code: "SOURCE__DOWNLOAD" });
  });

  test("never joins two files", async () => {
    let tag = '"one"';
    const { url } = await serve({ troubles: [100_000], tag: () => tag });
    const download = await openDownload(`${url}/x.tar`, RETRY_MS);
    const read = readParts(download.read(), () => {
      tag = '"two"';
    });
    await expect(read).rejects.toThrow("changed while it was read");
  });

  test("never joins two files that a server sends in part regardless of what it is asked for", async () => {
    const range = { "content-range": "bytes 100000-299999/300000" };
    const other = answer(206, { ...range, etag: '"two"' }, "x".repeat(200_000));
    const { url } = await serve({ troubles: [100_000, other] });
    await expect(readAll(`${url}/x.tar`)).rejects.toThrow("changed while it was read");
  });

  test("follows a validator's redirect to the name of the archive", async () => {
    const { url } = await serve({ ranges: false });
    const source = await openArchiveSource(`${url}/snapshot.tar.bz2`);
    expect(source.name).toMatchObject({ kind: "full", slot: 100, compression: "zstd" });
    expect(source.sizeBytes).toBe(content.length);
  });

  test("goes on with what a process that is no more has kept, and with nothing else", async () => {
    let tag = '"one"';
    const { url, requests } = await serve({ tag: () => tag });
    await inFolder(async (folder) => {
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
    });
  });
});

describe("a try that fails", () => {
  const wrongStart = { "content-range": "bytes 99999-299999/300000", etag: '"one"' };
  test("is followed by another, and nothing is lost", async () => {
    const { url, requests } = await serve({
      troubles: [
        answer(503),
        100_000,
        answer(503),
        answer(429, { "retry-after": "0" }),
        answer(404),
        answer(206, wrongStart, "x"),
        answer(206, { etag: '"one"' }, "x"),
        (_, response) => void response.destroy(),
        50_000,
      ],
    });
    expect((await readAll(`${url}/x.tar`)).equals(content)).toBe(true);
    const again = Array.from({ length: 7 }, () => "GET bytes=100000-");
    expect(requests).toEqual(["HEAD", "GET", "GET", ...again, "GET bytes=150000-"]);
  });

  test("is the last of so many without a byte, and what came before stays for the next process", async () => {
    const { url } = await serve({ troubles: [100_000, ...Array.from({ length: 8 }, () => answer(503))] });
    await inFolder(async (folder) => {
      const place = `${url}/x.tar`;
      const read = async () => readSource(await openArchiveSource(place, folder, RETRY_MS));
      await expect(read()).rejects.toMatchObject({
        code: "SOURCE__DOWNLOAD",
        message: expect.stringContaining("503 Service Unavailable") as string,
      });
      const [kept = ""] = readdirSync(folder);
      expect(statSync(join(folder, kept)).size).toBe(100_000);
      expect(await read()).toEqual(content);
    });
  });

  test("waits longer each time, and as long as the server asks", () => {
    expect([0, 1, 2, 3, 4].map((tries) => retryWaitMs(tries, null, 10))).toEqual([10, 10, 20, 40, 80]);
    expect(retryWaitMs(40, null, 10)).toBe(60_000);
    expect(retryWaitMs(1, 5000, 10)).toBe(5000);
    expect(retryWaitMs(1, 5, 10)).toBe(10);
    expect(retryWaitMs(1, 10 ** 12, 10)).toBe(600_000);
  });
});

describe("a length that is not that of the file", () => {
  test.each([
    ["larger", content.length + 10],
    ["smaller", content.length - 10],
  ])("ends the reading with both: %s", async (_, headLength) => {
    const { url, requests } = await serve({ headLength });
    const reading = expect(readAll(`${url}/x.tar`)).rejects;
    await reading.toMatchObject({
      code: "SOURCE__DOWNLOAD",
      message: expect.stringMatching(
        new RegExp(`${headLength} bytes, but sent ${content.length}`, "u"),
      ) as string,
    });
    expect(requests).toEqual(["HEAD", "GET"]);
  });

  test.each([
    ["larger", content.length + 10],
    ["smaller", content.length - 10],
  ])("ends the reading where the answer has none of its own: %s", async (_, headLength) => {
    const { url, requests } = await serve({ headLength, troubles: [whole] });
    await inFolder(async (folder) => {
      const source = await openArchiveSource(`${url}/x.tar`, folder, RETRY_MS);
      await expect(readSource(source)).rejects.toMatchObject({
        code: "SOURCE__DOWNLOAD",
        message: expect.stringContaining(String(headLength)) as string,
      });
      expect(readdirSync(folder)).toHaveLength(1);
    });
    expect(requests.length).toBeLessThan(4);
  });

  test("is not known when it is 0: the body is asked for all the same, and taken up again", async () => {
    const { url, requests } = await serve({ headLength: 0, troubles: [100_000] });
    await inFolder(async (folder) => {
      const open = () => openArchiveSource(`${url}/x.tar`, folder, RETRY_MS);
      const source = await open();
      expect(source.sizeBytes).toBe(null);
      expect(await readSource(source)).toEqual(content);
      expect(requests).toEqual(["HEAD", "GET", "GET bytes=100000-"]);
      // All of it is there, which only the server can report.
      expect(await readSource(await open())).toEqual(content);
      expect(requests.slice(3)).toEqual(["HEAD", "GET bytes=300000-"]);
    });
  });
});

describe("a server that does not answer HEAD", () => {
  test.each([400, 403, 404, 405, 501])("but %i is asked for the first byte", async (status) => {
    for (const ranges of [true, false]) {
      const { url, requests } = await listen(withoutHead(status, ranges));
      const download = await openDownload(`${url}/x.tar`);
      expect(download).toMatchObject({ sizeBytes: content.length, validator: '"one"', isResumable: ranges });
      expect((await readAll(`${url}/x.tar`)).equals(content)).toBe(true);
      expect(requests.slice(2)).toEqual(["HEAD", "GET bytes=0-0", "GET"]);
    }
  });

  test("says with GET what it lacks", async () => {
    const { url, requests } = await listen(answer(404));
    await expect(openDownload(`${url}/x.tar`)).rejects.toMatchObject({
      code: "SOURCE__DOWNLOAD",
      message: `${url}/x.tar could not be downloaded: the server answers 404 Not Found`,
    });
    expect(requests).toEqual(["HEAD", "GET bytes=0-0"]);
  });
});
