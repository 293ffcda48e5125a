// These tests check which form of answers a request gets, by its URL, the setting and its header, however its bytes
// arrive.
import { connect } from "node:net";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { expectRefusal, post, testKey } from "../test/protocol-server.ts";
import { createSmallStore, missingAddress, type SmallStore } from "../test/small-store.ts";
import { chooseProfile, namedProfile } from "./http/request-head.ts";
import { profileSettings } from "./profile.ts";
import { type RunningServer, startServer } from "./start-server.ts";

let store: SmallStore;
const servers = new Map<string, RunningServer>();
beforeAll(async () => {
  store = await createSmallStore();
  for (const profile of profileSettings)
    servers.set(profile, await startServer({ viewSource: store.reader, keys: [testKey], port: 0, profile }));
});
afterAll(async () => {
  for (const server of servers.values()) await server.stop();
  store.remove();
});

const callOf = (id: number) => ({ jsonrpc: "2.0", id, method: "getAccountInfo", params: [missingAddress] });
const solanaText = "Solana-Client: py/0.36.9\r\n";

/** Sends the parts of a request, each in a write of its own. @returns the body of the answer */
const exchange = async (server: RunningServer, parts: readonly string[]): Promise<string> => {
  const socket = connect(server.port, "127.0.0.1").setNoDelay().setEncoding("utf8");
  let received = "";
  const done = new Promise((resolve) => socket.on("close", resolve));
  socket.on("data", (text: string) => {
    received += text;
    if (/[}\]]$/u.test(received)) socket.destroy();
  });
  for (const part of parts) {
    await new Promise((resolve) => socket.write(part, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  return received.slice(received.indexOf("\r\n\r\n") + 4);
};

const requestOf = (target: string, headers: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

/** The ways in which bytes arrive: in one chunk, which is read at once, or in a way that only node:http reads. */
const ways: Readonly<Record<string, (target: string, headers: string, body: string) => readonly string[]>> = {
  "in one chunk": (target, headers, body) => [requestOf(target, headers, body)],
  "in two chunks": (target, headers, body) => {
    const text = requestOf(target, headers, body);
    return [text.slice(0, 20), text.slice(20)];
  },
  "to an absolute target": (target, headers, body) => [requestOf(`http://x${target}`, headers, body)],
  "among other members": (target, headers, body) => {
    const join = target.includes("?") ? "&" : "?";
    return [requestOf(`${target}${join}api-key=k&x`, headers, body)];
  },
};

const isAgave = (result: unknown): boolean => {
  if (result === null) return false;
  expect(result).toMatchObject({ context: {}, value: null });
  return true;
};

describe.each(Object.entries(ways))("a request %s", (_way, partsOf) => {
  const cases = profileSettings.flatMap((setting) =>
    ["", solanaText].flatMap((header) =>
      (["", "spec", "agave"] as const).map((named) => ({ setting, header: header.trim(), named })),
    ),
  );
  test.each(cases)("with %o gets the form of the first that decides", async ({ setting, header, named }) => {
    const expected =
      named !== "" ? named === "agave" : setting === "auto" ? header !== "" : setting === "agave";
    const target = `/v3/${testKey}${named === "" ? "" : `?profile=${named}`}`;
    const send = async (body: unknown): Promise<unknown> => {
      const headers = header === "" ? "" : solanaText;
      const parts = partsOf(target, headers, JSON.stringify(body));
      return JSON.parse(await exchange(servers.get(setting)!, parts));
    };
    const single = (await send(callOf(1))) as { result: unknown };
    expect(isAgave(single.result)).toBe(expected);
    const batch = (await send([callOf(1), callOf(2)])) as readonly { result: unknown }[];
    expect(batch.map(({ result }) => isAgave(result))).toEqual([expected, expected]);
  });
});

test.each([
  "profile=",
  "profile",
  "profile=Agave",
  "profile=solana",
  "profile=agave&profile=spec",
  "profile=agave&profile=agave",
  "profile=agave?api-key=k",
])("?%s is refused, with what it may be", async (query) => {
  const answer = await post(servers.get("auto")!, JSON.stringify(callOf(1)), {}, `/v3/${testKey}?${query}`);
  expectRefusal(answer, 400, -32600);
  expect(answer.text).toContain("/v3/<API_KEY>?profile=agave");
});

test("a wrong key is refused before a wrong profile", async () => {
  const answer = await post(servers.get("auto")!, JSON.stringify(callOf(1)), {}, "/v3/other?profile=x");
  expectRefusal(answer, 401, -32060);
});

test("other members of a query, however many, name no profile", () => {
  expect(namedProfile(`/v3/k?${"a=1&".repeat(2000)}`)).toBeNull();
  expect(namedProfile("/v3/k?Profile=agave&xprofile=agave&api-key=profile=agave")).toBeNull();
  expect(namedProfile("http://x/v3/k?a&%70rofile=%61gave")).toBe("agave");
  expect(chooseProfile(null, "auto", undefined)).toBe("spec");
});
