// `npm run -s conformance -- --suite NAME --data DIR`: runs a folder of cases and counts what passes.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { usageError } from "@lamplight/errors";
import { Lab } from "./lab.ts";
import type { Outcome, Suite } from "./outcome.ts";
import { overruled } from "./overruled.ts";
import { runSuite } from "./run-suite.ts";

const usage = `conformance --suite NAME --data DIR [--store URL] [--only GLOB] [--json FILE] [--url URL] [--record] [--verbose]
conformance --against agave|URL [--seed N] [--only TOPIC,… | --traffic MINUTES] [--alpenglow] [--json FILE]

  --suite    accounts, assets, ingest, vectors or transcripts
  --data     folder of cases; transcripts have one of their own
  --store    where fresh stores are made: sqlite:FILE makes them as files next to FILE, postgres://… in
             schemas of that database (default: temporary files)
  --only     names to run, as globs separated by commas
  --json     write every outcome to this file
  --url      transcripts: ask this server (its demo chain), key included, instead of one started here
  --record   transcripts: write the answers into the files
  --verbose  name passed cases too

  --against  agave: start a validator and this server over the same accounts, and compare their answers as text. The
             program is solana-test-validator on PATH, or what LAMPLIGHT_VALIDATOR names
             A URL: follow that running node, and compare accounts that are chosen at random, at equal slots
  --traffic  send transactions to the validator for so long, and follow it in every way; all are killed and frozen on the way.
             Then all accounts are compared. LAMPLIGHT_PROGRAMS: folder of Metaplex programs, ADDRESS.so.
             LAMPLIGHT_GEYSER_PLUGIN: library of a Yellowstone plugin for this validator
  --alpenglow  begin the validator's chain with Alpenglow: a validator of 4.2 or later
  --seed     of the accounts, requests and transactions (default: 1)`;

const ownTranscripts = join(import.meta.dirname, "..", "transcripts");

const flags = {
  against: { type: "string" },
  seed: { type: "string", default: "1" },
  traffic: { type: "string" },
  alpenglow: { type: "boolean", default: false },
  suite: { type: "string" },
  data: { type: "string" },
  store: { type: "string" },
  only: { type: "string" },
  json: { type: "string" },
  url: { type: "string" },
  record: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

type Flags = ReturnType<typeof parseArgs<{ options: typeof flags }>>["values"];

/** Loads only the suite that is asked for: an account case does not wait for a server. */
const openSuite = async (values: Flags): Promise<Suite> => {
  const { suite, data } = values;
  const openLab = (): Promise<Lab> => Lab.open(values.store ?? null);
  if (suite === "transcripts") {
    const { openTranscriptSuite } = await import("./suites/transcripts.ts");
    return openTranscriptSuite(data ?? ownTranscripts, openLab, {
      url: values.url ?? null,
      record: values.record,
    });
  }
  if (data === undefined) throw usageError("--data DIR is missing");
  switch (suite) {
    case "accounts":
      return (await import("./suites/accounts.ts")).openAccountSuite(data, openLab);
    case "assets":
      return (await import("./suites/assets.ts")).openAssetSuite(data, openLab);
    case "ingest":
      return (await import("./suites/ingest.ts")).openIngestSuite(data, values.store ?? null);
    case "vectors":
      return (await import("./suites/vectors.ts")).openVectorSuite(data, openLab);
    default:
      throw usageError(
        `--suite must be accounts, assets, ingest, vectors or transcripts, got ${JSON.stringify(suite)}`,
      );
  }
};

const report = (outcome: Outcome, verbose: boolean): void => {
  if (outcome.status === "passed") {
    if (verbose) console.log(`passed  ${outcome.name}`);
    return;
  }
  console.log(`${outcome.status === "failed" ? "FAILED " : "skipped"} ${outcome.name}`);
  for (const reason of outcome.reasons) console.log(`        ${reason}`);
};

const isEqualTo = async (
  against: string,
  { seed, only, json, traffic, alpenglow }: Flags,
): Promise<boolean> => {
  const { runAgainst } = await import("./agave/against-command.ts");
  const minutes = traffic === undefined ? null : Number(traffic);
  return runAgainst({
    against,
    seed: Number(seed),
    only: only ?? null,
    json: json ?? null,
    traffic: minutes,
    alpenglow,
  });
};

const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: flags, strict: true });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.against !== undefined) return (await isEqualTo(values.against, values)) ? 0 : 1;
  const outcomes = await runSuite(await openSuite(values), {
    suite: values.suite ?? "",
    only: values.only ?? null,
    overruled,
    onOutcome: (outcome) => report(outcome, values.verbose),
  });
  const count = (status: Outcome["status"]): number =>
    outcomes.filter((outcome) => outcome.status === status).length;
  const [passed, failed, skipped] = [count("passed"), count("failed"), count("skipped")];
  if (values.json !== undefined) {
    const document = {
      suite: values.suite,
      data: values.data ?? null,
      passed,
      failed,
      skipped,
      cases: outcomes,
    };
    await writeFile(values.json, `${JSON.stringify(document, null, 2)}\n`);
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`conformance: ${error instanceof Error ? error.message : String(error)}`);
  console.error(usage);
  process.exitCode = 1;
}
