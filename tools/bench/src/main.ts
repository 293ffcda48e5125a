// `npm run bench -- [NAME…] [--json FILE] [--against PATH]`: runs the named benches, or all but the chaos tests. `npm run bench -- reads …`: see reads/main.ts.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { resolve } from "node:path";
import { runAgainst } from "./against.ts";
import { type Bench, type Figure, keepsBudget, runBench } from "./bench.ts";
import { assetsBench } from "./assets/assets.ts";
import { accountsBench } from "./accounts/accounts.ts";
import { attacksBench } from "./attacks/attacks.ts";
import { documentsBench } from "./documents/documents.ts";
import { followBench } from "./follow.ts";
import { httpBench } from "./http/http.ts";
import { loadBench } from "./load.ts";
import { loadShardsBench } from "./load-shards.ts";
import { nodesBench } from "./postgres/nodes.ts";
import { pointsBench } from "./points/points.ts";
import { postgresBench } from "./postgres/postgres.ts";
import { recoveryBench } from "./recovery.ts";
import { replicasBench } from "./replicas/replicas.ts";
import { roadBench } from "./road/road.ts";
import { searchBench } from "./search/search.ts";
import { sizesBench } from "./sizes/sizes.ts";
import { switchBench } from "./switch.ts";
import { searchAloneBench } from "./search/search-alone.ts";
import { keptNodesBench } from "./kept-nodes.ts";
import { costsBench } from "./costs/costs.ts";
import { chaosBench } from "./chaos.ts";
import { collectionsBench } from "./collections/collections.ts";
import { startBench } from "./search/start.ts";
import { testingBench } from "./testing/testing.ts";
import { turnsBench } from "./turns/turns.ts";
import { workersBench } from "./workers/workers.ts";

const benches: readonly Bench[] = [
  httpBench,
  accountsBench,
  assetsBench,
  searchBench,
  searchAloneBench,
  followBench,
  chaosBench,
  loadBench,
  loadShardsBench,
  postgresBench,
  nodesBench,
  pointsBench,
  roadBench,
  costsBench,
  turnsBench,
  attacksBench,
  collectionsBench,
  startBench,
  testingBench,
  workersBench,
  recoveryBench,
  replicasBench,
  sizesBench,
  documentsBench,
  switchBench,
  keptNodesBench,
];
const comparable = benches
  .filter(({ served, against }) => served !== undefined || against !== undefined)
  .map(({ name }) => name);
/** Run only when named: they take long, and distinguish right from wrong rather than fast from slow. */
const onlyByName: ReadonlySet<string> = new Set([
  "chaos",
  "attacks",
  "collections",
  "workers",
  "recovery",
  "replicas",
  "sizes",
  "documents",
  "load-shards",
  "search-alone",
  "switch",
  "kept-nodes",
]);

// Its flags are its own.
if (process.argv[2] === "reads") {
  const { readsMain } = await import("./reads/main.ts");
  process.exit(await readsMain(process.argv.slice(3)));
}

const { values, positionals } = parseArgs({
  options: {
    json: { type: "string" },
    against: { type: "string" },
    rounds: { type: "string", default: "31" },
    help: { type: "boolean", short: "h" },
  },
  allowPositionals: true,
});

const usage = `npm run bench -- [NAME…] [--json FILE] [--against PATH [--rounds N]]

  --json     writes the figures to a file
  --against  a checkout of this project that is set up: its server and this one do the same work in alternating rounds.
             Prints this over other as medians with half of the 95 % interval. For ${comparable.join(" ")}
  --rounds   of --against (31)

Without a name, all run but those marked *.
`;

if (values.help === true) {
  console.log(usage);
  for (const { name, about } of benches)
    console.log(`  ${`${name}${onlyByName.has(name) ? "*" : ""}`.padEnd(13)}${about}`);
  console.log(
    "  reads*       this server next to das_api, Agave or another one on the same data: reads --help",
  );
  process.exit(0);
}

const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`no bench ${unknown.join(", ")}; there are ${benches.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const against =
  values.against === undefined
    ? null
    : { checkout: resolve(process.env["INIT_CWD"] ?? ".", values.against), rounds: Number(values.rounds) };
const notComparable = against === null ? [] : positionals.filter((name) => !comparable.includes(name));
if (notComparable.length > 0 || (against !== null && positionals.length === 0)) {
  console.error(`--against takes ${comparable.join(", ")}`);
  process.exit(2);
}

const chosen = benches.filter(({ name }) =>
  positionals.length === 0 ? !onlyByName.has(name) : positionals.includes(name),
);
const results: { bench: string; figures: readonly Figure[] }[] = [];
for (const bench of chosen) {
  console.log(`\n${bench.name}: ${bench.about}`);
  const measured: Bench =
    against === null ? bench : { ...bench, run: (say) => runAgainst(bench, against, say) };
  const outcome = await runBench(measured, (line) => console.log(`  … ${line}`));
  if ("tooBusy" in outcome) {
    console.error(`  ${outcome.tooBusy}`);
    process.exitCode = 1;
    continue;
  }
  for (const figure of outcome.figures) console.log(describe(figure));
  results.push({ bench: bench.name, figures: outcome.figures });
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
const missed = results.flatMap(({ figures }) => figures.filter((figure) => keepsBudget(figure) === false));
if (missed.length > 0) {
  console.log(`\n${missed.length} figures miss their budget`);
  process.exitCode = 1;
}

function describe(figure: Figure): string {
  const { name, value, unit, budget } = figure;
  const shown = value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 1 ? 2 : 3);
  const wanted =
    budget === undefined
      ? ""
      : "atLeast" in budget
        ? `  (at least ${budget.atLeast})`
        : `  (at most ${budget.atMost})`;
  const verdict = keepsBudget(figure) === false ? "  MISSED" : "";
  return `  ${name.padEnd(58)} ${shown.padStart(12)} ${unit}${wanted}${verdict}`;
}
