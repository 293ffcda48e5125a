// `npm run bench -- reads export …`: a generated chain in stores of this project, and where the other server reads it.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { copyStore, openStoreExport, openStoreImport } from "@lamplight/runtime";
import { sampleStore } from "../sample-store.ts";
import { writeValidatorAccounts } from "./agave/validator-accounts.ts";
import { accountRequests } from "./cloudbreak/account-requests.ts";
import { exportToCloudbreak } from "./cloudbreak/export-to-cloudbreak.ts";
import { addDasIndex } from "./das/add-das-index.ts";
import { assetRequests } from "./das/asset-requests.ts";
import { dasRequests } from "./das/das-requests.ts";
import { exportToDas } from "./das/export-to-das.ts";

const usage = `reads export --das URL --requests FILE [--methods das] [--store URL] [--assets N] [--calls N]
reads export --cloudbreak URL --requests FILE [--store URL] [--accounts N] [--calls N]
reads export --account-folder FOLDER --requests FILE [--accounts N] [--calls N]

  --das             PostgreSQL database, in which das_api's migrations have made the tables, and which are empty
  --methods         das: the requests are of the DAS methods, and the stores have what these need in addition
  --cloudbreak      PostgreSQL database, in which Cloudbreak's migrations have made the tables, and which are empty
  --store           empty PostgreSQL database for a copy of the SQLite store that this command makes
  --assets          of the generated chain (200000); it has five times as many accounts
  --account-folder  folder for files that solana-test-validator --account-dir reads
  --accounts        of the generated chain (1350000 for Cloudbreak, 20000 in files)
  --requests        file for the requests
  --calls           different calls of each kind of work (500)`;

const flags = {
  das: { type: "string" },
  methods: { type: "string" },
  cloudbreak: { type: "string" },
  store: { type: "string" },
  "account-folder": { type: "string" },
  requests: { type: "string" },
  assets: { type: "string", default: "200000" },
  accounts: { type: "string" },
  calls: { type: "string", default: "500" },
} as const;

/** The busiest delegate then has some ten thousand token accounts. */
const ACCOUNTS_IN_TABLES = 1_350_000;
const ACCOUNTS_IN_FILES = 20_000;

const say = (line: string): void => console.error(`  … ${line}`);

/** @returns the exit code */
export const exportMain = async (args: readonly string[]): Promise<number> => {
  if (args.includes("--help")) {
    console.log(usage);
    return 0;
  }
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  const { das, cloudbreak, requests, "account-folder": accountFolder } = values;
  const peers = [das, cloudbreak, accountFolder].filter((peer) => peer !== undefined);
  const isDas = values.methods === "das" && das !== undefined;
  if (requests === undefined || peers.length !== 1 || (values.methods !== undefined && !isDas)) {
    console.error(usage);
    return 2;
  }
  const calls = Number(values.calls);
  let work: Work = {};
  const assets = Number(values.assets);
  if (isDas) work = await exportDas(das, assets, calls, values.store);
  else if (das !== undefined) work = await exportAssets(das, assets, calls, values.store);
  if (cloudbreak !== undefined)
    work = await exportAccounts(
      cloudbreak,
      Number(values.accounts ?? ACCOUNTS_IN_TABLES),
      calls,
      values.store,
    );
  if (accountFolder !== undefined) {
    mkdirSync(accountFolder, { recursive: true });
    work = writeValidatorAccounts(accountFolder, Number(values.accounts ?? ACCOUNTS_IN_FILES), calls);
    console.log(`accounts: ${accountFolder}`);
  }
  writeFileSync(requests, JSON.stringify(work));
  console.log(`requests: ${requests}`);
  return 0;
};

/** Calls by what they measure. */
type Work = Readonly<Record<string, readonly object[]>>;

const exportAssets = async (url: string, count: number, calls: number, store?: string): Promise<Work> => {
  const file = await sampleStore("nfts", count, say);
  console.log(`${await exportToDas(file, url)} assets are in das_api's tables`);
  await copySample(file, store);
  return assetRequests(file, calls);
};

const exportDas = async (url: string, count: number, calls: number, store?: string): Promise<Work> => {
  const file = await sampleStore("nfts", count, say);
  console.log(`${await exportToDas(file, url)} assets are in das_api's tables`);
  await copySample(file, store);
  for (const one of [`sqlite:${file}`, ...(store === undefined ? [] : [store])]) await addDasIndex(one);
  return dasRequests(file, calls);
};

const exportAccounts = async (url: string, count: number, calls: number, store?: string): Promise<Work> => {
  const file = await sampleStore("accounts", count, say);
  console.log(`${await exportToCloudbreak(file, url)} accounts are in Cloudbreak's tables`);
  await copySample(file, store);
  return accountRequests(file, calls);
};

const copySample = async (file: string, store?: string): Promise<void> => {
  console.log(`store: sqlite:${file}`);
  if (store === undefined) return;
  const [source, target] = [await openStoreExport(`sqlite:${file}`), await openStoreImport(store, true)];
  try {
    await copyStore(source, target);
  } finally {
    await target.close();
    await source.close();
  }
  console.log(`store: ${store}`);
};
