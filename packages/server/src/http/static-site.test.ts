import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exchangeRaw, startTestServer } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";

let server: RunningServer;
const parent = mkdtempSync(join(tmpdir(), "lamplight-site-"));

beforeAll(async () => {
  const site = join(parent, "site");
  mkdirSync(join(site, "methods"), { recursive: true });
  writeFileSync(join(parent, "secret.txt"), "secret");
  writeFileSync(join(site, "index.html"), "<h1>home</h1>");
  writeFileSync(join(site, "methods", "index.html"), "<h1>methods</h1>");
  mkdirSync(join(site, "explore"));
  writeFileSync(join(site, "explore", "index.html"), "<h1>explore</h1>");
  writeFileSync(join(site, "style.css"), "h1{}");
  writeFileSync(join(site, "app.js"), "1");
  server = await startTestServer({ docsDirectory: site });
});

afterAll(async () => {
  await server.stop();
  rmSync(parent, { recursive: true });
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(server.url + path, { headers });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    etag: response.headers.get("etag"),
    text: await response.text(),
  };
};

const policyOf = async (path: string) =>
  (await fetch(server.url + path)).headers.get("content-security-policy");

describe("StaticSite", () => {
  test.each([
    ["/", "text/html; charset=utf-8", "<h1>home</h1>"],
    ["/index.html?x=1", "text/html; charset=utf-8", "<h1>home</h1>"],
    ["/methods/", "text/html; charset=utf-8", "<h1>methods</h1>"],
    ["/style.css", "text/css; charset=utf-8", "h1{}"],
    ["/app.js", "text/javascript; charset=utf-8", "1"],
  ])("answers %s as %s", async (path, type, text) => {
    expect(await get(path)).toMatchObject({ status: 200, type, text });
  });

  test("leads to a folder's page with the slash that its links need", async () => {
    const response = await fetch(`${server.url}/methods`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([308, "methods/"]);
    expect(await get("/methods")).toMatchObject({ status: 200, text: "<h1>methods</h1>" });
  });

  test("lets only the explorer show pictures from elsewhere", async () => {
    expect(await policyOf("/explore/")).toContain("img-src 'self' https: data:;");
    expect(await policyOf("/")).toContain("img-src 'self';");
    for (const path of ["/", "/explore/"]) expect(await policyOf(path)).toContain("script-src 'self';");
  });

  test("lets the explorer show pictures of a picture proxy only, where one is set", async () => {
    const pictureProxy = "https://pictures.example.org:8443/get?url=";
    const proxied = await startTestServer({
      docsDirectory: join(parent, "site"),
      pictures: "proxy",
      pictureProxy,
    });
    try {
      const policy = (await fetch(`${proxied.url}/explore/`)).headers.get("content-security-policy");
      expect(policy).toContain("img-src 'self' https://pictures.example.org:8443 data:;");
      const config: unknown = await (await fetch(`${proxied.url}/docs-config.json`)).json();
      expect(config).toEqual({ publicKey: null, pictures: "proxy", pictureProxy });
    } finally {
      await proxied.stop();
    }
  });

  test.each([
    ["proxy", null, "is missing"],
    ["proxy", "http://pictures.example.org/", "must be an https URL"],
    ["proxy", "https://", "must be an https URL"],
    ["click", "https://pictures.example.org/", "`pictures` is not `proxy`"],
  ] as const)("refuses pictures %s with the proxy %s", async (pictures, pictureProxy, reason) => {
    await expect(startTestServer({ pictures, pictureProxy })).rejects.toThrow(reason);
  });

  test("answers 304 to who has it already", async () => {
    const { etag } = await get("/style.css");
    expect(await get("/style.css", { "if-none-match": etag! })).toMatchObject({ status: 304, text: "" });
  });

  test.each([
    "/../secret.txt",
    "/methods/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "//secret.txt",
    "/nothing",
  ])("does not leave its folder for %s", async (path) => {
    const received = await exchangeRaw(server, [
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ]);
    expect(received).toContain("HTTP/1.1 404 ");
    expect(received).not.toContain("secret");
  });

  test("is read, not written", async () => {
    const response = await fetch(`${server.url}/style.css`, { method: "DELETE" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

test("pages load nothing from elsewhere, are framed nowhere, and reveal no address", async () => {
  for (const path of ["/", "/methods/", "/style.css"]) {
    const { headers } = await fetch(server.url + path);
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
});
