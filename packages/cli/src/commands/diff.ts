import { usageError } from "@lamplight/errors";
import { exitCodes, parseFlags, print, printError, printJson } from "@lamplight/server/command";
import type { Command } from "../command.ts";
import { type Call, compareCall, type Comparison, type Verdict } from "../diff/compare-call.ts";
import { dasDifferences } from "../diff/das-differences.ts";
import { knownDifferences } from "../diff/known-differences.ts";
import { readRequests, type Skipped } from "../diff/read-requests.ts";
import { sampleCalls } from "../diff/sample-calls.ts";
import { sampleDasCalls } from "../diff/sample-das-calls.ts";
import { shorten, valueText } from "../diff/value-text.ts";
import { exactJson } from "@lamplight/sources/endpoint";
import {
  defaultEndpointUrl,
  endpointOptions,
  endpointUsage,
  openEndpoint,
} from "../endpoint/open-endpoint.ts";
import { jsonOption } from "../output.ts";
import { runStoppable } from "@lamplight/runtime";

const WAIT_SECONDS_DEFAULT = 20;

const usage = `--against URL [--url URL | --store URL] [--requests FILE] [--methods das] [--profile WORD] [--wait-seconds N]
       [--json]

  --against  address of the other server, key included; or LAMPLIGHT_AGAINST. Any server of the same methods
  --requests file of calls: a JSON array, or one {"method", "params"} a line. JSON-RPC requests, batches, and lines
             of an access log in JSON with the request in "request_body" or "body" are taken as they are.
             What is no call is skipped and counted.
             Default: every method, about the newest assets and the largest accounts of this server
  --methods  das: the calls are DAS methods. Addresses are those of DAS servers, and differences that DAS servers have
             by decision are known
${endpointUsage}
  --wait-seconds  how long to ask again until both answer at the same slot (${WAIT_SECONDS_DEFAULT})
  --json     one JSON line per call, and one for the summary

Sends the same calls to two servers and compares the answers field by field. Differences that are known (profile,
version, paging of asset servers) are named with their reason, and do not count. The others are listed by call, and at
the end by place. A server that is asked too often is asked again after its Retry-After. Exits with 1 if an answer
differs, if the servers never answered at the same slot, or if one does not know the key.

Examples:
  lamplight diff --against http://127.0.0.1:8899 --profile agave --requests calls.jsonl
  lamplight diff --store sqlite:index.db --against https://host/v3/KEY
  lamplight diff --methods das --url http://127.0.0.1:5267/das/KEY --against https://other/KEY --requests calls.jsonl`;

export const diffCommand: Command = {
  name: "diff",
  summary: "compare the answers of two servers",
  usage,
  run: (args) => {
    const flags = readFlags(args);
    return runStoppable({
      run: (signal) => diff(flags, signal),
      onStopped: () => printError("stopped"),
    });
  },
};

const noneSkipped: Skipped = { count: 0, first: null };

const options = {
  ...endpointOptions,
  ...jsonOption,
  against: { type: "string" },
  methods: { type: "string" },
  requests: { type: "string" },
  "wait-seconds": { type: "string" },
} as const;

type DiffFlags = ReturnType<typeof readFlags>;

const readFlags = (args: readonly string[]) => {
  const values = parseFlags(args, options);
  const against = values.against ?? process.env["LAMPLIGHT_AGAINST"] ?? "";
  if (against === "") throw usageError("--against URL is missing");
  const seconds = values["wait-seconds"] ?? String(WAIT_SECONDS_DEFAULT);
  if (!/^\d{1,4}(?:\.\d{1,3})?$/u.test(seconds))
    throw usageError("--wait-seconds must be a number, up to 9999");
  const { methods } = values;
  if (methods !== undefined && methods !== "das") throw usageError("--methods must be das");
  const isDas = methods === "das";
  return { ...values, against, isDas, waitMs: Number(seconds) * 1000 };
};

const diff = async (flags: DiffFlags, signal: AbortSignal): Promise<number> => {
  const { profile, waitMs, isDas } = flags;
  const series = { isSeries: true, signal };
  const url = flags.url ?? (isDas && flags.store === undefined ? defaultDasUrl() : undefined);
  const ours = await openEndpoint({ ...flags, ...series, url });
  const theirs = await openEndpoint({
    ...series,
    url: flags.against,
    profile,
    setting: "--against or LAMPLIGHT_AGAINST",
  });
  const isJson = flags.json === true;
  try {
    const sample = isDas ? sampleDasCalls : sampleCalls;
    const { calls, skipped } =
      flags.requests === undefined
        ? { calls: await sample(ours), skipped: noneSkipped }
        : await readRequests(flags.requests);
    if (calls.length === 0) throw usageError("there are no calls to compare");
    if (!isJson) print(`${ours.name} against ${theirs.name}, ${calls.length} calls`);
    if (skipped.first !== null)
      printError(`skipped as no call: ${skipped.count}; the first is ${skipped.first.message}`);
    const counts: Record<Verdict, number> = { equal: 0, different: 0, "no common slot": 0, "not served": 0 };
    const known = new Map<string, number>();
    const places = new Map<string, number>();
    const rules = isDas ? dasDifferences : knownDifferences;
    for (const call of calls) {
      signal.throwIfAborted();
      const comparison = await compareCall(ours, theirs, call, { waitMs, signal, known: rules });
      counts[comparison.verdict] += 1;
      count(known, comparison.known);
      count(places, placesOf(comparison));
      if (isJson) printJson(exactJson(comparison));
      else reportCall(comparison);
    }
    const isEqual = counts.different + counts["no common slot"] === 0;
    if (isJson)
      printJson(
        exactJson({
          ...counts,
          skipped: skipped.count,
          known: Object.fromEntries(known),
          places: Object.fromEntries(places),
        }),
      );
    else reportSummary(counts, known, places);
    return isEqual ? exitCodes.done : exitCodes.failed;
  } finally {
    await ours.close();
    await theirs.close();
  }
};

/** Differences shown of one call; the others are counted. */
const SHOWN_MAX = 20;

const reportCall = ({ call, verdict, slot, differences, note }: Comparison): void => {
  if (verdict === "equal") return;
  const where = slot === null ? "" : ` at slot ${slot}`;
  print(`\n${verdict}${where}: ${callText(call)}${note === null ? "" : `\n  ${note}`}`);
  for (const { at, ours, theirs } of differences.slice(0, SHOWN_MAX)) {
    print(`  ${at === "" ? "/" : at}\n    ours    ${valueText(ours)}\n    theirs  ${valueText(theirs)}`);
  }
  if (differences.length > SHOWN_MAX) print(`  … and ${differences.length - SHOWN_MAX} more`);
};

const reportSummary = (
  counts: Readonly<Record<Verdict, number>>,
  known: ReadonlyMap<string, number>,
  places: ReadonlyMap<string, number>,
): void => {
  const parts = Object.entries(counts).filter(([verdict, count]) => count > 0 || verdict === "different");
  print(`\n${parts.map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`);
  for (const [reason, calls] of known) print(`  known, in ${calls}: ${reason}`);
  const byCalls = [...places].toSorted(([, one], [, other]) => other - one);
  for (const [place, calls] of byCalls) print(`  different, in ${calls}: ${place}`);
};

/** Places that are counted; more are left out of the summary. */
const PLACES_MAX = 200;

/** Counts each name once a call. */
const count = (counts: Map<string, number>, names: Iterable<string>): void => {
  for (const name of new Set(names))
    if (counts.has(name) || counts.size < PLACES_MAX) counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** Method and member, with `*` for positions and ids in lists. */
const placesOf = ({ call, differences }: Comparison): readonly string[] =>
  differences.map(
    ({ at }) => `${call.method} ${at.replaceAll(/\/(?:\d+|[1-9A-HJ-NP-Za-km-z]{32,44})(?=\/|$)/gu, "/*")}`,
  );

const defaultDasUrl = (): string =>
  process.env["LAMPLIGHT_URL"] || defaultEndpointUrl.replace("/v3/", "/das/");

const callText = ({ method, params }: Call): string =>
  shorten(`${method} ${params === undefined ? "" : exactJson(params)}`);
