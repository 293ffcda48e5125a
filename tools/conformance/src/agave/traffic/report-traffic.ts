import { percentile } from "./measure-visibility.ts";
import type { TrafficReport } from "./run-traffic.ts";

const LISTED_MAX = 20;
const TEXT_MAX = 800;

/** The report as text. */
export const trafficLines = (report: TrafficReport): readonly string[] => [
  ...report.wrong
    .slice(0, LISTED_MAX)
    .flatMap(({ follower, request, ours, theirs }) => [
      `WRONG    ${follower}: ${request.body}`,
      `  theirs ${theirs.slice(0, TEXT_MAX)}`,
      `  ours   ${ours.slice(0, TEXT_MAX)}`,
    ]),
  ...report.problems.map((problem) => `PROBLEM  ${problem}`),
  ...[...report.delays].map(
    ([follower, delays]) =>
      `${follower}: ${delays.length} writes visible after the node showed them as confirmed: ` +
      `median ${percentile(delays, 50).toFixed(0)} ms, 95% ${percentile(delays, 95).toFixed(0)} ms, ` +
      `all ${percentile(delays, 100).toFixed(0)} ms`,
  ),
  `${report.transactions} transactions, ${report.refused} more refused, ${report.accounts} accounts`,
  `${report.asked} answers at rest, ${report.wrong.length} wrong, ${report.problems.length} problems`,
];
