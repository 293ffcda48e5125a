import { afterEach, describe, expect, test } from "vitest";
import {
  answer,
  closeServers,
  content,
  fileServer,
  listen,
  readSource,
  serve,
} from "../../../test/file-server.ts";
import { openArchiveSource } from "./archive-source.ts";
import { openDownload } from "./download.ts";

afterEach(closeServers);

const RETRY_MS = 5;
const secrets = ["us:er", "us%3Aer", "passw0rd", "signature1", "X-Amz"];
const withSecrets = (url: string): string =>
  `${url.replace("http://", "http://us%3Aer:passw0rd@")}/x.tar?X-Amz-Signature=signature1`;
const expectNone = (said: unknown): void => {
  for (const secret of secrets) expect(JSON.stringify(said)).not.toContain(secret);
};

describe("what is secret in a URL", () => {
  test("is sent, and neither reported nor stored", async () => {
    const asked: unknown[] = [];
    const file = fileServer({ troubles: [100_000] });
    const { url } = await listen((request, response) => {
      asked.push([request.headers.authorization, request.url]);
      file(request, response);
    });
    const source = await openArchiveSource(withSecrets(url), null, RETRY_MS);
    expect(await readSource(source)).toEqual(content);
    const authorization = `Basic ${Buffer.from("us:er:passw0rd").toString("base64")}`;
    const one = [authorization, "/x.tar?X-Amz-Signature=signature1"];
    expect(asked).toEqual([one, one, one]);
    expect(source.place).toBe(`${url}/x.tar`);
    expectNone({ place: source.place, identity: source.identity });
  });

  test("is in no error", async () => {
    const { url } = await listen(answer(403));
    const refusals = [
      withSecrets(url),
      withSecrets("http://127.0.0.1:1"),
      withSecrets(url).replace("x.tar", "x.txt"),
      withSecrets("http://127.0.0.1:99999"),
      withSecrets(url).replace("http:", "ftp:"),
    ];
    for (const place of refusals) {
      const error: unknown = await openArchiveSource(place).catch((caught: unknown) => caught);
      const { code, message, context } = error as { code: string; message: string; context: unknown };
      expect(code).toMatch(/^SOURCE__(DOWNLOAD|SNAPSHOT_REFUSED)$/u);
      expectNone({ message, context });
    }
  });

  test("does not go to another server that it redirects to", async () => {
    const asked: unknown[] = [];
    const file = fileServer({});
    const other = await listen((request, response) => {
      asked.push([request.headers.authorization ?? null, request.url]);
      file(request, response);
    });
    const { url } = await listen(answer(302, { location: `${other.url}/snapshot.tar?token=signature1` }));
    const source = await openArchiveSource(withSecrets(url), null, RETRY_MS);
    expect(await readSource(source)).toEqual(content);
    expect(asked).toEqual([
      [null, "/snapshot.tar?token=signature1"],
      [null, "/snapshot.tar?token=signature1"],
    ]);
    expectNone({ place: source.place, identity: source.identity });
  });
});

describe("a reason", () => {
  test("says what went wrong with the connection", async () => {
    const { url, server } = await listen((request, response) =>
      answer(302, { location: request.url ?? "" })(request, response),
    );
    await expect(openDownload(`${url}/x.tar`)).rejects.toThrow("redirect count exceeded");
    await new Promise((resolve) => server.close(resolve));
    await expect(openDownload(`${url}/x.tar`)).rejects.toThrow(/ECONNREFUSED/u);
  });

  test("of a name that is no percent encoding is that it is no archive, or nothing", async () => {
    const { url } = await serve({});
    const source = await openArchiveSource(`${url}/%E0%A4%A.tar.zst`);
    expect(source.name).toMatchObject({ kind: "unnamed", compression: "zstd" });
    await expect(openArchiveSource(`${url}/%E0%A4%A`)).rejects.toMatchObject({
      code: "SOURCE__SNAPSHOT_REFUSED",
    });
  });
});
