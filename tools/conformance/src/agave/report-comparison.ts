import { comparedLines, isCompared } from "./agave-version.ts";
import type { Comparison } from "./compare-answers.ts";
import type { AnswerPair } from "./decided.ts";
import type { AgaveComparison } from "./run-against-agave.ts";

const LISTED_MAX = 20;
const TEXT_MAX = 1500;

/** The report as text. */
export const comparisonLines = ({
  version,
  asked,
  equal,
  decided,
  wrong,
}: AgaveComparison): readonly string[] => [
  ...wrongLines(wrong),
  ...[...decided].map(([{ name, reason }, pairs]) => `decided  ${pairs.length} × ${name}: ${reason}`),
  ...(isCompared(version) ? [] : [`note     the answers are made for ${linesText}, not for this version`]),
  `Agave ${version.text}${version.isAlpenglow ? " with Alpenglow" : ""}: ${asked} asked, ${equal} equal, ${count(decided)} decided, ${wrong.length} wrong`,
];

const linesText = comparedLines.map(({ major, minor }) => `${major}.${minor}`).join(" and ");

export const wrongLines = (wrong: readonly AnswerPair[]): readonly string[] => [
  ...wrong.slice(0, LISTED_MAX).flatMap(pairLines),
  ...(wrong.length > LISTED_MAX ? [`and ${wrong.length - LISTED_MAX} wrong answers more`] : []),
];

const count = (decided: Comparison["decided"]): number =>
  [...decided.values()].reduce((sum, pairs) => sum + pairs.length, 0);

const pairLines = ({ request, ours, theirs }: AnswerPair): readonly string[] => {
  const from = Math.max(0, commonStart(ours, theirs) - TEXT_MAX / 2);
  return [
    `WRONG    ${request.topic}: ${request.body.slice(0, TEXT_MAX)}`,
    `  theirs ${theirs.slice(from, from + TEXT_MAX)}`,
    `  ours   ${ours.slice(from, from + TEXT_MAX)}`,
  ];
};

const commonStart = (a: string, b: string): number => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
};
