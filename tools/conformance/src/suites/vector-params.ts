import { parseExact } from "@lamplight/core";
import { startServer } from "@lamplight/server";
import { matchExpected } from "../compare/match-expected.ts";
import { shown } from "../compare/exact-value.ts";
import type { OpenLab } from "../lab.ts";
import type { Suite } from "../outcome.ts";
import { isMembers, membersOf, textOf, type Members } from "../read-json.ts";

const key = "conformance";

/** Codes that refuse a request before anything is looked up. */
const refusalCodes: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602]);

/** Refusals of -32602 that come after the parameters were understood: something was looked up and not found. */
const lookedUp: readonly RegExp[] = [
  /^Invalid param: could not find /,
  /^Invalid param: unrecognized Token program id$/,
  /^Invalid param: not a Token mint$/,
];

/** Messages that clients match on, which therefore must be the same to the letter. */
const exactMessages: readonly RegExp[] = [/^Invalid param: (Invalid|WrongSize)$/, /^Parse error$/];

/** Clients match on how this one begins; a hint may follow. */
const unknownMethod = "Method not found";

/** Request texts against a real server, envelope and all: the same code, the same id, and where clients match on it the same words. */
export const openParamCases = async (
  file: string,
  vectors: readonly Members[],
  openLab: OpenLab,
): Promise<Suite> => {
  const lab = await openLab();
  const server = await startServer({
    viewSource: await lab.viewSource(),
    keys: [key],
    port: 0,
  });
  const url = `${server.url}/v3/${key}`;
  const cases = vectors.map((vector) => ({
    name: `${file}/${textOf(vector["case"])}`,
    run: () => runVector(url, vector),
  }));
  const close = async (): Promise<void> => {
    await server.stop();
    await lab.close();
  };
  return { cases, close };
};

const runVector = async (url: string, vector: Members): Promise<readonly string[]> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "solana-client": "conformance" },
    body: textOf(vector["requestText"]),
  });
  return judgeParamAnswer(vector, await response.text());
};

/** Faults of the body that answers a vector's request; empty = none. */
export const judgeParamAnswer = (vector: Members, text: string): readonly string[] => {
  const expectedText = vector["httpBodyText"];
  if (vector["accepted"] === true) return acceptedDifferences(text, vector);
  if (expectedText === "") return text === "" ? [] : [`expected an empty body, got ${text.slice(0, 160)}`];
  return refusalDifferences(text, textOf(expectedText));
};

const acceptedDifferences = (text: string, vector: Members): readonly string[] => {
  if (text === "") return ["expected an answer, got an empty body"];
  const answer = parseExact(text);
  const shape = vector["batchAnswerShape"];
  if (Array.isArray(shape) && (!Array.isArray(answer) || shape.length !== answer.length)) {
    return [`expected ${shape.length} replies, got ${shown(answer)}`];
  }
  const replies = Array.isArray(answer) ? (answer as readonly unknown[]) : [answer];
  const expectedIds = idsOf(shape ?? parseExact(textOf(vector["requestText"])));
  return replies.flatMap((reply, index) => {
    const error = membersOf(membersOf(reply)["error"]);
    const message = textOf(error["message"]);
    const refused = refusalCodes.has(error["code"]) && !lookedUp.some((known) => known.test(message));
    if (refused) return [`expected to be accepted, got ${shown(reply)}`];
    return matchExpected(
      membersOf(reply)["id"],
      expectedIds[index],
      Array.isArray(shape) ? `/${index}/id` : "/id",
    );
  });
};

/** The ids of a batch, or of the one call. */
const idsOf = (calls: unknown): readonly unknown[] =>
  (Array.isArray(calls) ? (calls as readonly unknown[]) : [calls]).map((call) => membersOf(call)["id"]);

const refusalDifferences = (text: string, expectedText: string): readonly string[] => {
  const actual: unknown = text === "" ? undefined : parseExact(text);
  const expected = parseExact(expectedText);
  if (!isMembers(actual)) return [`expected ${expectedText}, got ${text.slice(0, 160)}`];
  const [error, expectedError] = [membersOf(actual["error"]), membersOf(membersOf(expected)["error"])];
  const differences = [
    ...matchExpected(actual["id"], membersOf(expected)["id"], "/id"),
    ...matchExpected(error["code"], expectedError["code"], "/error/code"),
  ];
  if (exactMessages.some((known) => known.test(textOf(expectedError["message"])))) {
    differences.push(...matchExpected(error["message"], expectedError["message"], "/error/message"));
  }
  if (expectedError["message"] === unknownMethod && !textOf(error["message"]).startsWith(unknownMethod))
    differences.push(`/error/message: ${textOf(error["message"])} does not begin with ${unknownMethod}`);
  return differences;
};
