import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createResolver, resolveChecked } from "./resolve-host.ts";
import { isPublicAddress } from "./address-guard.ts";
import { offchainLimits } from "./offchain-limits.ts";

/** Labels of the name in a query, and where the question ends. */
const questionOf = (
  query: Buffer,
): { readonly name: string; readonly type: number; readonly end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
};

/** An answer with one record, or none. */
const answerOf = (query: Buffer, end: number, type: number, data: Buffer | null): Buffer => {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(data === null ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  if (data === null) return head;
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, record, data]);
};

describe("createResolver", () => {
  let server: Socket;
  let asked: string[];
  let servers: string[];
  beforeAll(async () => {
    asked = [];
    server = createSocket("udp4");
    server.on("message", (query, { port, address }) => {
      const { name, type, end } = questionOf(query);
      asked.push(name);
      if (name.startsWith("slow")) return;
      const ipv4 = Buffer.from(name.startsWith("inside") ? [10, 0, 0, 1] : [8, 8, 4, 4]);
      const ipv6 = Buffer.from("20010db8000000000000000000000001", "hex");
      const data = type === 1 ? ipv4 : name.startsWith("both") ? ipv6 : null;
      server.send(answerOf(query, end, type, data), port, address);
    });
    server.bind(0, "127.0.0.1");
    await once(server, "listening");
    servers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
  });
  afterAll(() => server.close());

  test("answers addresses of both kinds", async () => {
    const resolve = createResolver(servers);
    expect(await resolve("one.test", false)).toEqual(["8.8.4.4"]);
    expect(await resolve("both.test", false)).toEqual(["8.8.4.4", "2001:db8::1"]);
  });

  test("names whose server never answers keep neither other names nor files waiting", async () => {
    const resolve = createResolver(servers);
    let slow = 0;
    for (let index = 0; index < 20; index += 1) {
      void resolve(`slow${index}.test`, false).finally(() => (slow += 1));
    }
    await expect.poll(() => asked.filter((name) => name.startsWith("slow")).length).toBeGreaterThan(19);
    expect(await resolve("one.test", false)).toEqual(["8.8.4.4"]);
    expect((await readFile(import.meta.filename)).length).toBeGreaterThan(0);
    expect(slow).toBe(0);
  });

  test("the operator's names are the system's", async () => {
    const before = asked.length;
    expect(await createResolver(servers)("localhost", true)).toContain("127.0.0.1");
    expect(asked.length).toBe(before);
  });

  test("every address is checked, and only a gateway's may be allowed", async () => {
    const policy = {
      resolve: createResolver(servers),
      allowedAddresses: new Set(["10.0.0.1"]),
      isPublic: isPublicAddress,
    };
    const signal = new AbortController().signal;
    for (const host of ["inside.test", "both.test"]) {
      await expect(
        resolveChecked(new URL(`http://${host}/`), false, policy, offchainLimits, signal),
      ).rejects.toThrow("not on the public internet");
    }
    expect(await resolveChecked(new URL("http://10.0.0.1/"), true, policy, offchainLimits, signal)).toEqual([
      "10.0.0.1",
    ]);
  });
});
