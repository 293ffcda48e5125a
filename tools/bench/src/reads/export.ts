// `npm run bench -- reads export …`: a generated chain in stores of this project, and where the other server reads it.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { copyStore, openStoreExport, openStoreImport } from "@lamplight/runtime";
import { sampleStore } from "../sample-store.ts";
import { writeValidatorAccounts } from "./agave/validator-accounts.ts";
import { exportToDas } from "./das/export-to-das.ts";
import { assetRequests } from "./das/asset-requests.ts";

const usage = `reads export --das URL --requests FILE [--store URL] [--assets N] [--calls N]
reads export --account-folder FOLDER --requests FILE [--accounts N] [--calls N]

  --das             PostgreSQL database, in which das_api's migrations have made the tables, and which are empty
  --store           empty PostgreSQL database for a copy of the SQLite store that this command makes
  --assets          of the generated chain (200000); it has five times as many accounts
  --account-folder  folder for files that solana-test-validator --account-dir reads
  --accounts        of the generated chain (20000)
  --requests        file for the requests
  --calls           different calls of each kind of work (500)`;

const flags = {
  das: { type: "string" },
  store: { type: "string" },
  "account-folder": { type: "string" },
  requests: { type: "string" },
  assets: { type: "string", default: "200000" },
  accounts: { type: "string", default: "20000" },
  calls: { type: "string", default: "500" },
} as const;

const say = (line: string): void => console.error(`  … ${line}`);

/** @returns the exit code */
export const exportMain = async (args: readonly string[]): Promise<number> => {
  if (args.includes("--help")) {
    console.log(usage);
    return 0;
  }
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  const { das, requests, calls, "account-folder": accountFolder } = values;
  if (requests === undefined || (das === undefined) === (accountFolder === undefined)) {
    console.error(usage);
    return 2;
  }
  if (das !== undefined) await exportAssets(das, requests, values);
  if (accountFolder !== undefined) {
    mkdirSync(accountFolder, { recursive: true });
    const work = writeValidatorAccounts(accountFolder, Number(values.accounts), Number(calls));
    writeFileSync(requests, JSON.stringify(work));
    console.log(`accounts: ${accountFolder}\nrequests: ${requests}`);
  }
  return 0;
};

interface AssetFlags {
  readonly store?: string | undefined;
  readonly assets: string;
  readonly calls: string;
}

const exportAssets = async (das: string, requests: string, flagged: AssetFlags): Promise<void> => {
  const file = await sampleStore("nfts", Number(flagged.assets), say);
  const assets = await exportToDas(file, das);
  writeFileSync(requests, JSON.stringify(await assetRequests(file, Number(flagged.calls))));
  console.log(`${assets} assets are in das_api's tables\nstore: sqlite:${file}`);
  if (flagged.store !== undefined) {
    await copyStore(await openStoreExport(`sqlite:${file}`), await openStoreImport(flagged.store, true));
    console.log(`store: ${flagged.store}`);
  }
  console.log(`requests: ${requests}`);
};
