// These tests compare what Agave and we answer to broken envelopes. Codes are equal, save for the cases that our
// decisions settle otherwise, each with its reason.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { post, startTestServer } from "../../test/protocol-server.ts";
import type { RunningServer } from "../start-server.ts";

const shared =
  process.env["LAMPLIGHT_SHARED"] ?? fileURLToPath(new URL("../../../../../shared", import.meta.url));
const file = `${shared}/vectors/param-vectors.json`;
const isHere = existsSync(file);
if (!isHere) console.warn(`skipped: ${file} is missing (set LAMPLIGHT_SHARED)`);

interface Vector {
  readonly case: string;
  readonly requestText: string;
  readonly accepted: boolean;
  readonly httpBodyText?: string;
}

const idText = "an id is any number or string and comes back digit for digit";
const jsonRpc = "JSON-RPC 2.0 keeps -32700 for what is no JSON; JSON that is no request is -32600";
const arrayCall = "a call written as an array is a by-product of Agave's parser; here an array is a batch";

/** Cases that a decision overrules: the codes we answer instead (null = no error), and why. */
const overruled: Readonly<Record<string, readonly [codes: readonly (number | null)[], reason: string]>> = {
  "null body": [[-32600], jsonRpc],
  "string body": [[-32600], jsonRpc],
  "id u64 overflow": [[null], idText],
  "id float": [[null], idText],
  "id float integral": [[null], idText],
  "id bool": [[-32600], jsonRpc],
  "id array": [[-32600], jsonRpc],
  "batch empty": [[-32600], "JSON-RPC 2.0: an empty batch is one invalid request"],
  "batch of numbers": [[-32600, -32600, -32600], jsonRpc],
  "batch with one number": [[null, -32600], "JSON-RPC 2.0: a fault of one entry stays with that entry"],
  "batch with one bad id type": [[null, -32602], `${idText}; what is wrong with that entry is its params`],
  "top-level array of two": [[-32600, -32600], arrayCall],
  "positional call with null version": [[-32600, -32600, -32600, -32600], arrayCall],
};

/** The codes of the envelope; -32602 belongs to the methods. */
const isAboutEnvelope = ({ accepted, httpBodyText = "" }: Vector): boolean => {
  if (accepted) return false;
  if (httpBodyText === "") return true;
  const { error } = JSON.parse(httpBodyText) as { error: { code: number } };
  return error.code !== -32602;
};

describe.skipIf(!isHere)("broken envelopes", () => {
  const vectors = isHere
    ? (JSON.parse(readFileSync(file, "utf8")) as { cases: readonly Vector[] }).cases
    : [];
  const cases = vectors
    .filter((vector) => isAboutEnvelope(vector))
    .map((vector) => ({ ...vector, name: vector.case }));
  let server: RunningServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.stop());

  const answer = async (text: string): Promise<{ codes: (number | null)[]; text: string }> => {
    const reply = await post(server, text);
    const parsed: unknown = reply.text === "" ? [] : JSON.parse(reply.text);
    const replies = (Array.isArray(parsed) ? parsed : [parsed]) as { error?: { code: number } }[];
    // The store of this test throws, so a call that got as far as its method shows as an internal error.
    const codes = replies.map(({ error }) =>
      error === undefined || error.code === -32603 ? null : error.code,
    );
    return { codes, text: reply.text };
  };

  test.each(cases)("$name", async ({ name, requestText, httpBodyText = "" }) => {
    const own = overruled[name];
    const got = await answer(requestText);
    if (own !== undefined) return expect(got.codes).toEqual(own[0]);
    if (httpBodyText === "") return expect(got.text).toBe("");
    const wanted = JSON.parse(httpBodyText) as { error: { code: number }; id: unknown };
    expect(JSON.parse(got.text)).toMatchObject({ error: { code: wanted.error.code }, id: wanted.id });
  });

  test("every overruled case is one that is there", () => {
    const names = new Set(cases.map(({ name }) => name));
    expect(Object.keys(overruled).filter((name) => !names.has(name))).toEqual([]);
  });
});
