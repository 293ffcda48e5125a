import { shorten, valueText } from "../diff/value-text.ts";
import { exactJson } from "@lamplight/sources/endpoint";
import { prettyJson } from "../endpoint/pretty-json.ts";
import type { AssetDifference, Derivation, ExplainedPart } from "./derivation.ts";
import type { ExplainedCall, ExplainedRead, ExplainedStatement } from "./explain-call.ts";
import { factsLines, wrapped } from "./facts-text.ts";

/** Lines of the answer that are shown, and characters of each: `lamplight call` prints all. */
const ANSWER_LINES_MAX = 100;
const ANSWER_WIDTH_MAX = 100;
/** Differences that are shown; the others are counted. */
const DIFFERENCES_MAX = 40;

/** An explained call as lines of text. */
export const explainText = (method: string, explained: ExplainedCall): readonly string[] => {
  const { outcome, reads, statements, derivation } = explained;
  return [
    headline(method, explained),
    ...reads.flatMap((read, index) => readLines(read, index, reads)),
    ...statementLines(statements),
    "",
    ...(outcome.ok
      ? answerLines(outcome.result)
      : [`refused: ${outcome.error.message} (${outcome.error.code})${dataText(outcome.error.data)}`]),
    ...(derivation === null ? [] : ["", ...derivationLines(derivation)]),
  ];
};

const dataText = (data: unknown): string => (data === undefined ? "" : ` ${exactJson(data)}`);

const headline = (method: string, { at, reads }: ExplainedCall): string => {
  if (at === null) return `${method}: nothing was read`;
  const { commitment, slot, finalizedSlot } = at;
  const above = slot - finalizedSlot;
  const where =
    above === 0
      ? `the finalized slot ${slot}`
      : `the ${commitment} slot ${slot}, ${above} above the finalized slot ${finalizedSlot}`;
  return `${method} at ${where}: ${count(reads.length, "read")} in ${count(reads.at(-1)?.round ?? 0, "round")}`;
};

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

const readLines = (
  { round, kind, asked, found }: ExplainedRead,
  index: number,
  reads: readonly ExplainedRead[],
): readonly string[] => {
  const isShared = reads.some((other, at) => at !== index && other.round === round);
  return [
    "",
    `${String(index + 1).padStart(2)}  ${kind}${isShared ? `, in round ${round}` : ""}`,
    ...labeled("asked", factsLines(asked, factsIndent)),
    ...labeled("found", found === undefined ? [`${factsIndent}refused`] : factsLines(found, factsIndent)),
  ];
};

const factsIndent = " ".repeat(11);

const statementLines = (statements: readonly ExplainedStatement[]): readonly string[] => [
  ...(statements.length === 0 ? [] : ["", "sent to the database, by round"]),
  ...statements.flatMap(({ round, sql }) => labeled(String(round), wrapped(sql.split(/\s+/u), factsIndent))),
];

/** The label replaces the indent of the first line. */
const labeled = (label: string, [first = "", ...rest]: readonly string[]): readonly string[] => [
  `    ${label.padEnd(factsIndent.length - 4)}${first.trimStart()}`,
  ...rest,
];

const answerLines = (result: unknown): readonly string[] => {
  const lines = prettyJson(result).split("\n");
  const shown = lines.slice(0, ANSWER_LINES_MAX);
  const isCut = shown.length < lines.length || shown.some((line) => line.length > ANSWER_WIDTH_MAX);
  return [
    isCut ? "answer, shortened; lamplight call prints all" : "answer",
    ...shown.map((line) => shorten(line, ANSWER_WIDTH_MAX)),
    ...(shown.length < lines.length ? [`… and ${count(lines.length - shown.length, "line")} more`] : []),
  ];
};

const derivationLines = (derivation: Derivation): readonly string[] => {
  const { asset, parts, unlisted, unlinked, joined } = derivation;
  return [
    asset === null
      ? "derived again: nothing says that there is an asset"
      : `derived again: kind ${asset.kind}, created at slot ${asset.createdSlot}, updated at slot ${asset.updatedSlot}`,
    ...parts.flatMap((part) =>
      partLines(part, part.rule === null ? "no rule reads it:" : `by rule ${part.rule}:`),
    ),
    ...(unlisted === 0 ? [] : ["", `  and ${count(unlisted, "account")} more`]),
    ...(unlinked.length === 0 ? [] : ["", `  no account is linked as ${unlinked.join(" or ")}`]),
    ...(joined.length === 0
      ? []
      : ["", "joined when the asset is read", ...joined.flatMap((part) => partLines(part, "makes"))]),
    "",
    ...verdictLines(derivation),
  ];
};

const partLines = ({ part, from, found, makes }: ExplainedPart, by: string): readonly string[] => {
  const head = ["", `  ${part} ${shorten(from)}`];
  if (found === null) return [...head, "    not stored"];
  return [...head, ...factsLines(found, "    "), ...makesLines(by, makes)];
};

const makesLines = (by: string, makes: readonly string[] | null): readonly string[] => {
  if (makes === null) return [`    ${by} the asset itself, and what no other part makes`];
  return makes.length === 0
    ? [`    ${by} nothing that would differ without it`]
    : wrapped([by, ...makes], "    ");
};

const verdictLines = ({ asset, joined, differences }: Derivation): readonly string[] => {
  if (differences.length === 0) {
    if (asset === null) return ["stored asset: none, as derived"];
    const without = joined.length === 0 ? "" : ", without what is joined";
    return [`derived document: as in the answer${without}`, "stored asset: the same as derived"];
  }
  return [
    ...(asset === null ? [] : ["derived document", ...prettyJson(asset.document).split("\n"), ""]),
    ...differenceLines(differences),
  ];
};

const differenceLines = (differences: readonly AssetDifference[]): readonly string[] => {
  const others = differences.length - DIFFERENCES_MAX;
  return [
    `stored asset: differs from the derived one in ${count(differences.length, "place")}`,
    ...differences
      .slice(0, DIFFERENCES_MAX)
      .flatMap(({ at, stored, derived }) => [
        `  ${at === "" ? "/" : at}`,
        `    stored   ${valueText(stored)}`,
        `    derived  ${valueText(derived)}`,
      ]),
    ...(others <= 0 ? [] : [`  and ${others} more`]),
  ];
};
