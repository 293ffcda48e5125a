import { comparedLines, isCompared } from "./agave-version.ts";
import type { Comparison } from "./compare-answers.ts";
import type { AnswerPair } from "./decided.ts";
import type { AgaveComparison } from "./run-against-agave.ts";

const listedMax = 20;
const textMax = 1500;

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
  ...wrong.slice(0, listedMax).flatMap(pairLines),
  ...(wrong.length > listedMax ? [`and ${wrong.length - listedMax} wrong answers more`] : []),
];

const count = (decided: Comparison["decided"]): number =>
  [...decided.values()].reduce((sum, pairs) => sum + pairs.length, 0);

const pairLines = ({ request, ours, theirs }: AnswerPair): readonly string[] => {
  const from = Math.max(0, commonStart(ours, theirs) - textMax / 2);
  return [
    `WRONG    ${request.topic}: ${request.body.slice(0, textMax)}`,
    `  theirs ${theirs.slice(from, from + textMax)}`,
    `  ours   ${ours.slice(from, from + textMax)}`,
  ];
};

const commonStart = (a: string, b: string): number => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
};
