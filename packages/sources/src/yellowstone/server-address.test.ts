import { expect, test } from "vitest";
import { parseServerAddress } from "./server-address.ts";

test.each([
  ["https://grpc.example", "https://grpc.example", "grpc.example:443", false],
  ["https://grpc.example:10000/", "https://grpc.example:10000", "grpc.example:10000", false],
  ["http://127.0.0.1", "http://127.0.0.1", "127.0.0.1:80", true],
  ["http://[::1]:10000", "http://[::1]:10000", "[::1]:10000", true],
])("%s", (text, name, target, isPlain) => {
  expect(parseServerAddress(text)).toEqual({ name, target, isPlain });
});

test.each([
  "https://user:secret-token@grpc.example",
  "https://secret-token@grpc.example",
  "https://grpc.example/secret-token",
  "https://grpc.example:443?x-token=secret-token",
  "grpc.example/secret-token",
])("refuses %s, and does not tell what is secret in it", (text) => {
  expect(() => parseServerAddress(text)).toThrow(expect.objectContaining({ code: "CLI__USAGE" }));
  expect(() => parseServerAddress(text)).not.toThrow(/secret-token/u);
});
