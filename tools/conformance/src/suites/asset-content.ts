import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentParts, contentText, joinContent, parseExact } from "@lamplight/core";
import { compareAnswer } from "../compare/compare-asset.ts";
import { valueAt } from "../compare/json-pointer.ts";
import { listOf, membersOf, textOf, type Members } from "../read-json.ts";

/** Builds the member `content` from what the chain says and a given document, without fetching anything. */
export const runContent = async (
  folder: string,
  content: Members,
  expect: Members,
): Promise<readonly string[]> => {
  const chain = membersOf(content["chain"]);
  const standard = chain["token_standard"];
  const text = await readFile(join(folder, textOf(content["offchain"])), "utf8");
  const own = contentText({
    name: textOf(chain["name"]),
    symbol: textOf(chain["symbol"]),
    jsonUri: textOf(content["jsonUri"]),
    tokenStandard: typeof standard === "string" ? standard : null,
  });
  const parts = contentParts(text);
  const result = parseExact(parts === null ? own : joinContent(own, parts));
  const differences = expect["result"] === undefined ? [] : [...compareAnswer(result, expect["result"])];
  for (const { path, equals } of listOf(expect["partial"]).map(membersOf)) {
    differences.push(...compareAnswer(valueAt(result, textOf(path)), equals, undefined, textOf(path)));
  }
  return differences;
};
