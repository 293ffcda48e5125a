// The comparison itself: two servers of this project over the same accounts agree, and one spoiled account is found.

import { programAddresses, sysvarAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { type RunningServer, startServer } from "@lamplight/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Lab } from "../lab.ts";
import { compareAnswers } from "./compare-answers.ts";
import { httpEndpoint } from "./endpoints.ts";
import { makeFixtures } from "./fixtures/make-fixtures.ts";
import { maskMoving } from "./mask.ts";
import { makeRequests } from "./requests/make-requests.ts";

const SEED = 7;
const key = "conformance";
const fixtures = makeFixtures(SEED);
const requests = makeRequests(SEED, fixtures).filter(({ topic }) => topic !== "envelope");

const clock: Account = {
  address: sysvarAddresses.clock,
  programOwner: programAddresses.sysvar,
  lamports: 1_169_280n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: Buffer.alloc(40, 1),
  slot: 3,
  writeVersion: 0,
};

const labs: Lab[] = [];
const servers: RunningServer[] = [];
const serve = async (accounts: readonly Account[]): Promise<{ readonly lab: Lab; readonly url: string }> => {
  const lab = await Lab.open(null);
  labs.push(lab);
  await lab.indexAccounts([...accounts, clock]);
  const server = await startServer({ viewSource: await lab.viewSource(), keys: [key], port: 0 });
  servers.push(server);
  return { lab, url: `${server.url}/v3/${key}` };
};

const spoiled = fixtures.tokens.mints[3]!;
let ours: { readonly lab: Lab; readonly url: string };
let same: { readonly url: string };
let other: { readonly url: string };
beforeAll(async () => {
  ours = await serve(fixtures.all);
  same = await serve(fixtures.all);
  other = await serve([...fixtures.all, { ...spoiled, lamports: spoiled.lamports + 1n, slot: 1 }]);
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  for (const lab of labs) await lab.close();
});

const compareWith = (url: string) =>
  compareAnswers(requests, {
    ours: httpEndpoint("ours", ours.url),
    theirs: httpEndpoint("theirs", url),
    line: { major: 4, minor: 4 },
    setClock: (told) => ours.lab.indexAccounts([told]),
  });

describe("comparing answers", () => {
  test("the same accounts give the same text for every request", async () => {
    const { asked, equal, wrong } = await compareWith(same.url);
    expect(wrong.map(({ request }) => request.body)).toEqual([]);
    expect(equal).toBe(asked);
    expect(asked).toBeGreaterThan(1000);
  });

  test("one account that differs by one lamport is found", async () => {
    const { wrong } = await compareWith(other.url);
    expect(wrong.length).toBeGreaterThan(0);
    for (const { request } of wrong) expect(request.topic).toMatch(/^(parsed|slices|encodings)$/u);
  });
});

test("only where and when an answer was made is masked", () => {
  const text =
    '{"context":{"apiVersion":"4.1.0","slot":12},"value":{"data":{"info":{"slot":5}},"lamports":1}}';
  expect(maskMoving(text)).toBe(
    '{"context":{"apiVersion":"*","slot":"*"},"value":{"data":{"info":{"slot":5}},"lamports":1}}',
  );
});

const textsOf = (ofSeed: number): string =>
  makeRequests(ofSeed, makeFixtures(ofSeed))
    .map(({ body }) => body)
    .join("\n");

test("a seed gives the same accounts and requests each time, and another seed others", () => {
  expect(textsOf(SEED)).toBe(textsOf(SEED));
  expect(textsOf(SEED)).not.toBe(textsOf(SEED + 1));
});
