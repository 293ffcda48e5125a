import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { findLocalNode } from "./find-local-node.ts";

test.each([
  ['{"jsonrpc":"2.0","result":{"solana-core":"4.1.0","feature-set":1},"id":1}', true],
  ['{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}', false],
  ["<html>", false],
])("what answers %s is a node: %s", async (body, isNode) => {
  const server = createServer((_request, response) => response.end(body)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await findLocalNode(url)).toBe(isNode ? url : null);
  server.close();
  await once(server, "close");
  expect(await findLocalNode(url)).toBe(null);
});
