import { startPostgres } from "@lamplight/postgres-test";
import type { Bench, Figure } from "../bench.ts";
import { sampleStore } from "../sample-store.ts";
import { machineFor, roundPrices } from "./machines.ts";
import { measurePostgres } from "./measure-postgres.ts";
import { measureSqlite } from "./measure-sqlite.ts";
import { type BytesEach, storedKinds } from "./stored-bytes.ts";

const ACCOUNTS = Number(process.env["LAMPLIGHT_BENCH_ACCOUNTS"] ?? 400_000);
/** Bytes of the search index for one asset, as the `search` bench prints them. */
const INDEX_BYTES_EACH = 40;
const shares = [0.01, 0.1, 1];

export const sizesBench: Bench = {
  name: "sizes",
  about:
    "bytes of each account, asset and holding in each engine, and the machine that a share of mainnet needs",
  run: async (say) => {
    const file = await sampleStore("assets", ACCOUNTS, say);
    const sqlite = measureSqlite(file);
    say("copying the store into PostgreSQL");
    const postgres = await startPostgres();
    try {
      const copied = await measurePostgres(file, postgres.url);
      return [...figuresOf("SQLite", sqlite), ...figuresOf("PostgreSQL", copied)];
    } finally {
      await postgres.stop();
    }
  },
};

const figuresOf = (engine: string, each: BytesEach): readonly Figure[] => [
  ...storedKinds.map((kind) => ({ name: `${engine}, one ${kind}`, value: each[kind], unit: "bytes" })),
  ...shares.flatMap((share) => {
    const machine = machineFor(each, share, INDEX_BYTES_EACH, roundPrices);
    const name = `${engine}, ${share * 100} % of mainnet`;
    return [
      { name: `${name}: stored`, value: machine.storedBytes / 1e9, unit: "GB" },
      { name: `${name}: disk`, value: machine.diskBytes / 1e9, unit: "GB" },
      { name: `${name}: search index`, value: machine.indexBytes / 1e9, unit: "GB" },
      { name: `${name}: memory`, value: machine.memoryBytes / 1e9, unit: "GB" },
      {
        name: `${name}: a month, at ${roundPrices.diskPerTerabyte} $/TB and ${roundPrices.memoryPerGigabyte} $/GB`,
        value: machine.cost,
        unit: "$",
      },
    ];
  }),
];
