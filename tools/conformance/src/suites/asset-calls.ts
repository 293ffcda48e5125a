import { methodNames } from "@lamplight/core";
import { compareAnswer, type Leniency } from "../compare/compare-asset.ts";
import { comparePage, isPage, type PageRequest, withoutFungibles } from "../compare/compare-page.ts";
import { exactNumber, shown } from "../compare/exact-value.ts";
import { valueAt } from "../compare/json-pointer.ts";
import { matchExpected } from "../compare/match-expected.ts";
import { withParsedTokenAccount } from "../compare/parsed-token-account.ts";
import type { Answer, Lab } from "../lab.ts";
import { isMembers, listOf, membersOf, textOf, type Members } from "../read-json.ts";

/** A call of the case: by name as the reference was asked, and by position where all of it can be said so. */
export const runCall = async (lab: Lab, step: Members): Promise<readonly string[]> => {
  const call = membersOf(step["call"]);
  const method = textOf(call["method"]);
  // Methods of the reference that this service does not have are there for information; `derived` replaces them.
  if (!methodNames.includes(method)) return [];
  const expect = membersOf(step["expect"]);
  const leniency = leniencyOf(step, call["params"]);
  const byName = await compareCall(lab, method, call["params"], expect, leniency);
  const positional = membersOf(step["positional"]);
  if (
    byName.length > 0 ||
    step["positional"] === undefined ||
    listOf(positional["notExpressible"]).length > 0
  ) {
    return byName.map((difference) => `by name ${difference}`);
  }
  const byPosition = await compareCall(lab, method, positional["params"], expect, leniency);
  return byPosition.map((difference) => `by position ${difference}`);
};

/**
 * An equivalent call that the converter made. Where it says that answers may differ, they may in two ways that the
 * decisions settle: a search shows fungibles too, and a token account is not parsed without its mint.
 */
export const runDerived = async (lab: Lab, derived: Members): Promise<readonly string[]> => {
  // No parameters = the call cannot be said by position; the call by name has been run.
  if (!Array.isArray(derived["params"])) return [];
  const method = textOf(derived["method"]);
  const expect = membersOf(derived["expect"]);
  const leniency = leniencyOf(derived, derived["params"]);
  const differences = await compareCall(lab, method, derived["params"], expect, leniency);
  if (differences.length === 0 || listOf(derived["mayDiffer"]).length === 0) return differences;
  const view = method === "searchAssets" ? withoutFungibles : withParsedTokenAccount;
  return compareCall(lab, method, derived["params"], expect, leniency, view);
};

const leniencyOf = (step: Members, params: unknown): Leniency => {
  const { ownerAddress, options, displayOptions, config } = membersOf(params);
  const owner = Array.isArray(params) ? (params as readonly unknown[])[3] : ownerAddress;
  const display = membersOf(options ?? displayOptions ?? config);
  return {
    outsideSpec: new Set(listOf(step["outsideSpec"]).map(textOf)),
    disputed: new Set(listOf(step["disputedPaths"]).map(textOf)),
    showsFungible: display["showFungible"] === true,
    askedOwner: typeof owner === "string" ? owner : null,
  };
};

const compareCall = async (
  lab: Lab,
  method: string,
  params: unknown,
  expect: Members,
  leniency: Leniency,
  view: (result: unknown) => unknown = (result) => result,
): Promise<readonly string[]> => {
  const answer = await lab.call(method, params);
  if (expect["error"] !== undefined) {
    return answer.error === null ? [`expected an error, got ${shown(answer.result)}`] : [];
  }
  if (expect["gone"] === true) return goneDifferences(answer);
  if (answer.error !== null) return [`refused: ${answer.error.code} ${answer.error.message}`];
  const result = view(answer.result);
  const differences: string[] = [];
  const whole = expect["specView"] ?? expect["result"];
  if (Object.hasOwn(expect, "result") || Object.hasOwn(expect, "specView")) {
    const page = pageRequestOf(method, params);
    const found = isPage(whole)
      ? comparePage(result, whole, page, leniency)
      : compareAnswer(result, whole, leniency);
    differences.push(...found);
  }
  for (const { path, equals } of listOf(expect["partial"]).map(membersOf)) {
    differences.push(...compareAnswer(valueAt(result, textOf(path)), equals, leniency, textOf(path)));
  }
  if (expect["itemIds"] !== undefined) {
    const ids = listOf(membersOf(result)["items"]).map((item) => membersOf(item)["id"]);
    differences.push(...matchExpected(ids, expect["itemIds"], "/items ids"));
  }
  return differences;
};

const goneDifferences = ({ error, result }: Answer): readonly string[] => {
  const gone = error !== null || result === null || (isMembers(result) && result["value"] === null);
  return gone ? [] : [`expected to be gone, got ${shown(result)}`];
};

/** Where each method has its paging parameters by position, 0-based. */
const pagePositions: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  searchAssets: { limit: 20, page: 21, before: 22, after: 23 },
  getNftEditions: { page: 1, limit: 2, cursor: 3, before: 4, after: 5 },
};

export const pageRequestOf = (method: string, params: unknown): PageRequest => {
  const positions = pagePositions[method] ?? {};
  const list = Array.isArray(params) ? (params as readonly unknown[]) : null;
  const given = (name: string): unknown =>
    list === null ? membersOf(params)[name] : list[positions[name] ?? list.length];
  return {
    limit: numberOrNull(given("limit")),
    page: numberOrNull(given("page")),
    isSeek: ["before", "after", "cursor"].some((name) => (given(name) ?? null) !== null),
  };
};

const numberOrNull = (value: unknown): number | null => {
  const number = exactNumber(value);
  return number === null ? null : Number(number);
};
