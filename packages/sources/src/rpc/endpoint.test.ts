import { describe, expect, test } from "vitest";
import { parseEndpoint, socketEndpointOf } from "./endpoint.ts";

const http = ["http:", "https:"];

describe("parseEndpoint", () => {
  test("describes scheme and host only, and sends what userinfo says", () => {
    const endpoint = parseEndpoint(
      "https://us%65r:p%40ssword@node.example:8443/v2/key-in-path?api-key=k3y#x",
      http,
    );
    expect(endpoint.name).toBe("https://node.example:8443");
    expect(endpoint.url.href).toBe("https://node.example:8443/v2/key-in-path?api-key=k3y");
    expect(endpoint.authorization).toBe(`Basic ${Buffer.from("user:p@ssword").toString("base64")}`);
  });

  test("takes userinfo that is no percent encoding as it is", () => {
    expect(parseEndpoint("http://u%zz:p%E0@node.example", http).authorization).toBe(
      `Basic ${Buffer.from("u%zz:p%E0").toString("base64")}`,
    );
  });

  test.each([
    "no such key: /v2/key-in-path",
    "key-in-path is not allowed",
    "bad api-key=secret1, secret1",
    "https://user:password9@node.example/v2/key-in-path?api-key=secret1 failed",
    "password9 and p%61ssword9",
  ])("takes every secret out of %j", (said) => {
    const { redact } = parseEndpoint(
      "https://user:p%61ssword9@node.example/v2/key-in-path?api-key=secret1",
      http,
    );
    const reported = redact(said);
    for (const secret of ["key-in-path", "secret1", "password9", "p%61ssword9"])
      expect(reported).not.toContain(secret);
  });

  test("leaves what is no secret", () => {
    const { redact } = parseEndpoint("http://127.0.0.1:8899", http);
    expect(redact("connect ECONNREFUSED 127.0.0.1:8899 / x")).toBe("connect ECONNREFUSED 127.0.0.1:8899 / x");
  });

  test.each(["", "node.example", "ftp://node.example/key", "ws://x"])("refuses %j unquoted", (text) => {
    expect(() => parseEndpoint(text, http)).toThrow(
      /^the URL of the node must begin with http:\/\/ or https:\/\/$/u,
    );
  });

  test.each(["http://", "HTTP://:80/key", "http://node.example:port/key", "http://node.example:65536/key"])(
    "names host and port of %j, unquoted",
    (text) => {
      expect(() => parseEndpoint(text, http)).toThrow(
        /^the URL of the node must have a host after http:\/\/; a port must be a number up to 65535$/u,
      );
    },
  );
});

describe("socketEndpointOf", () => {
  test.each([
    ["http://127.0.0.1:8899", "ws://127.0.0.1:8900/"],
    ["https://node.example/v2/key?a=b", "wss://node.example/v2/key?a=b"],
    ["https://u:p@node.example:444/", "wss://u:p@node.example:445/"],
  ])("of %s is %s", (url, socket) => {
    expect(socketEndpointOf(url)).toBe(socket);
  });
});
