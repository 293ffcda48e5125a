import { type AgaveLine, isBefore } from "./agave-version.ts";
import type { ReferenceRequest } from "./requests/request.ts";

/** Answers to one request, masked. */
export interface AnswerPair {
  readonly request: ReferenceRequest;
  readonly ours: string;
  readonly theirs: string;
}

export interface Decision {
  readonly name: string;
  readonly reason: string;
  /** The first line of validators that answers as this project does; absent = none does. */
  readonly until?: AgaveLine;
  /** Whether this is all that the answers differ in. */
  readonly explains: (pair: AnswerPair) => boolean;
}

const codesOf = (text: string): string =>
  [...text.matchAll(/"error":\{"code":(-\d+)/gu)].map(([, code]) => code).join();
const isRefused = (text: string, code: number): boolean => text.includes(`"error":{"code":${code},`);
const isAnswered = (text: string): boolean => text.includes('"result":');
const errors = /"error":\{.*?\},"id"/gu;
/** Envelope, ids and results: everything but what an error says. */
const withoutErrors = (text: string): string =>
  text.replaceAll(errors, '"error":"*","id"').replaceAll('{"error"', '{"jsonrpc":"2.0","error"');

const amounts = /"uiAmount":([^,]+),"uiAmountString":"([^"]+)"/gu;
const withoutAmounts = (text: string): string => text.replaceAll(amounts, '"uiAmount":"*"');
const amountsOf = (text: string): readonly number[] =>
  [...text.matchAll(amounts)].flatMap(([, number, digits]) => [Number(number), Number(digits)]);
/** Two doubles are near if they differ by the last bit at most. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(a) * Number.EPSILON;

/** The text of a parsed mint without its extensions. */
const withoutExtensions = (text: string): string =>
  text.replace(/"extensions":\[.*\],"freezeAuthority"/u, '"freezeAuthority"');

/** Where this project answers otherwise than a validator, and means to. Anything else is wrong. */
const decisions: readonly Decision[] = [
  {
    name: "words of errors",
    reason: "code and id are the same; the message names the parameter and says what to do",
    explains: ({ ours, theirs }) =>
      codesOf(theirs) !== "" &&
      codesOf(ours) === codesOf(theirs) &&
      withoutErrors(ours) === withoutErrors(theirs),
  },
  {
    name: "JSON that is no call",
    reason: "JSON-RPC 2.0: only text that is no JSON is a parse error; any number is an id",
    explains: ({ request, ours, theirs }) =>
      request.topic === "envelope" &&
      isRefused(theirs, -32700) &&
      (isRefused(ours, -32600) || isAnswered(ours)),
  },
  {
    name: "unknown commitments",
    reason:
      "validators ignore them and answer for finalized; here they are refused, so that a typing error shows",
    explains: ({ ours, theirs }) =>
      isAnswered(theirs) && isRefused(ours, -32602) && ours.includes("commitment must be"),
  },
  {
    name: "getTokenSupply without a commitment",
    reason:
      "validators demand the member in a config object; here it has its default, as in every other method",
    explains: ({ request, ours, theirs }) =>
      request.body.includes('"getTokenSupply"') && isRefused(theirs, -32602) && isAnswered(ours),
  },
  {
    name: "parameters by name",
    reason: "this project takes them for every client; validators refuse them",
    explains: ({ request, ours, theirs }) =>
      request.body.includes('"params":{') && isRefused(theirs, -32602) && isAnswered(ours),
  },
  {
    name: "an empty batch",
    reason: "JSON-RPC 2.0 demands an error; validators answer with an empty body",
    explains: ({ request, ours, theirs }) =>
      request.body === "[]" && theirs === "" && isRefused(ours, -32600),
  },
  {
    name: "the last bit of interest",
    reason: "e^x is rounded correctly here; the C library of a validator misses the last bit of few values",
    explains: ({ request, ours, theirs }) => {
      const [our, their] = [amountsOf(ours), amountsOf(theirs)];
      return (
        request.readsClock === true &&
        our.length > 0 &&
        withoutAmounts(ours) === withoutAmounts(theirs) &&
        our.every((amount, index) => isNear(amount, their[index] ?? Number.NaN))
      );
    },
  },
  {
    name: "other forms of words and slices",
    reason: "a by-product of the validator's parser that no client uses",
    explains: ({ request, ours, theirs }) =>
      isAnswered(theirs) && isRefused(ours, -32602) && /\{"\w+":null\}|"dataSlice":\[/u.test(request.body),
  },
  {
    name: "mint extension 28",
    reason: "validators before 4.2 show no extensions of a mint that has one they do not know",
    until: { major: 4, minor: 2 },
    explains: ({ ours, theirs }) =>
      ours.includes('{"extension":"permissionedBurnConfig",') && withoutExtensions(ours) === theirs,
  },
];

/** @param line - of the validator that answered */
export const decisionFor = (pair: AnswerPair, line: AgaveLine): Decision | null =>
  decisions.find(({ until, explains }) => (until === undefined || isBefore(line, until)) && explains(pair)) ??
  null;
