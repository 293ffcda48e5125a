import type { CountedDifference } from "./differences.ts";
import type { ReadsResult, Rates } from "./compare-reads.ts";

const SAMPLE_MAX = 60;

/** Markdown: one row per work and store, then one per kind of difference. */
export const reportOf = (results: readonly ReadsResult[], peer: string): string =>
  [
    `| Work | Store | Lamplight | ${peer} | Ratio | Processor time: Lamplight | ${peer} | Ratio | Wrong answers |`,
    "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ...results.map((result) => row(rateCells(result))),
    "",
    "Requests per second. Processor time of one request: server + database. Ratios above 1: Lamplight is faster.",
    `Without a request, ${peer} keeps ${(results[0]?.peerAtRest ?? 0).toFixed(2)} processors busy, which its times include.`,
    ...differenceLines(results, peer),
  ].join("\n");

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const rateCells = (result: ReadsResult): readonly string[] => [
  result.work,
  result.store,
  Math.round(result.ours.perSecond).toLocaleString("en"),
  Math.round(result.theirs.perSecond).toLocaleString("en"),
  result.ratio.toFixed(2),
  micros(result.ours),
  micros(result.theirs),
  result.processorRatio.toFixed(2),
  `${result.wrong} of ${result.asked}`,
];

const micros = ({ serverMicros, databaseMicros }: Rates): string =>
  `${[serverMicros, databaseMicros]
    .filter((value, index) => index === 0 || value > 0)
    .map((value) => Math.round(value).toLocaleString("en"))
    .join(" + ")} µs`;

/** One row for each place and reason, over all work and stores. */
const differenceLines = (results: readonly ReadsResult[], peer: string): readonly string[] => {
  const rows = new Map<string, CountedDifference>();
  for (const { differences } of results)
    for (const [key, difference] of differences) {
      const known = rows.get(key);
      if (known === undefined) rows.set(key, { ...difference });
      else known.answers += difference.answers;
    }
  if (rows.size === 0) return ["", "All answers are the same."];
  return [
    "",
    `| Answers differ at | Answers | Lamplight | ${peer} | Why |`,
    "|---|--:|---|---|---|",
    ...[...rows.values()].map(({ answers, example, reason }) =>
      row([
        `\`${example.path}\``,
        answers.toLocaleString("en"),
        sample(example.ours),
        sample(example.theirs),
        reason ?? "WRONG",
      ]),
    ),
  ];
};

const sample = (text: string | null): string => {
  if (text === null) return "absent";
  return `\`${text.length > SAMPLE_MAX ? `${text.slice(0, SAMPLE_MAX)}…` : text}\``;
};
