import { DatabaseSync } from "node:sqlite";
import type { AddressBytes, LargestQuery, ReadView } from "@lamplight/core";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { type Bench, type Figure, median, timesOf } from "./bench.ts";
import { sampleStore } from "./sample-store.ts";

const ACCOUNTS = 2_000_000;
const POINT_READS = 20_000;
const DELEGATE_READS = 2_000;
const LARGEST_READS = 2_000;
const SCANS = 3;

/** Times over the bare statement that an answer may take: reading a row is not all a method's port has to do. */
const OVER_BARE_MAX = 2;
const UNDER_SCAN_MIN = 100;

interface Busy {
  readonly delegate: Uint8Array;
  readonly program: bigint;
  readonly accounts: bigint;
}

export const accountsBench: Bench = {
  name: "accounts",
  about: `the reads behind the account methods on ${ACCOUNTS} accounts, beside the bare statements they rest on`,
  async run(say): Promise<readonly Figure[]> {
    const file = await sampleStore("accounts", ACCOUNTS, say);
    const database = new DatabaseSync(file, { readOnly: true });
    database.exec("PRAGMA mmap_size = 2147483648; PRAGMA cache_size = -65536");
    const reader = openSqliteReader({ file });
    const view = await reader.openView("finalized");
    try {
      return [
        ...(await pointReads(database, view, say)),
        ...(await delegateReads(database, view, say)),
        ...(await largestReads(database, view, say)),
      ];
    } finally {
      view.close();
      reader.close();
      database.close();
    }
  },
};

const bigints = (database: DatabaseSync, sql: string): ReturnType<DatabaseSync["prepare"]> => {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
};

const ratio = (name: string, ours: readonly number[], bare: readonly number[]): Figure[] => [
  { name: `${name}: ours, median`, value: median(ours), unit: "µs" },
  { name: `${name}: bare statement, median`, value: median(bare), unit: "µs" },
  {
    name: `${name}: ours / bare`,
    value: median(ours) / median(bare),
    unit: "×",
    budget: { atMost: OVER_BARE_MAX },
  },
];

const underScan = (name: string, ours: readonly number[], scan: readonly number[]): Figure => ({
  name: `${name}: scan / ours`,
  value: median(scan) / median(ours),
  unit: "×",
  budget: { atLeast: UNDER_SCAN_MIN },
});

const pointReads = async (
  database: DatabaseSync,
  view: ReadView,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  say("point reads");
  const rows = bigints(database, "SELECT id, tail FROM account WHERE id > ? LIMIT 1");
  const keys = Array.from({ length: POINT_READS }, (_, index) => {
    const around = (BigInt(index) * 922_337_203_685_477n * 7n) % 9_000_000_000_000_000_000n;
    return rows.get(around) as { id: bigint; tail: Uint8Array };
  });
  const addresses = keys.map(({ id, tail }): AddressBytes => {
    const address = new Uint8Array(32);
    new DataView(address.buffer).setBigInt64(0, id);
    address.set(tail, 8);
    return address;
  });
  const find = bigints(
    database,
    "SELECT tail, program, lamports, slot, write_version, flags, rent_epoch, data FROM account WHERE id = ?",
  );
  const bare = await timesOf(POINT_READS, (run) => find.get(keys[run]!.id));
  const ours = await timesOf(POINT_READS, (run) => view.accounts.findAccount(addresses[run]!));
  return ratio("point read", ours, bare);
};

const delegateReads = async (
  database: DatabaseSync,
  view: ReadView,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const busiest = bigints(
    database,
    "SELECT delegate, program, count(*) AS accounts FROM account WHERE delegate IS NOT NULL GROUP BY delegate, program ORDER BY accounts DESC",
  ).all() as unknown as Busy[];
  const middle = busiest[busiest.length >> 1]!;
  const program = bigints(database, "SELECT address FROM program WHERE id = ?");
  const bareStatement = bigints(
    database,
    "SELECT id, tail, program, lamports, slot, write_version, flags, rent_epoch, data FROM account WHERE delegate = ? AND program = ?",
  );
  const scanStatement = bigints(
    database,
    "SELECT id, tail, program, lamports, slot, write_version, flags, rent_epoch, data FROM account NOT INDEXED WHERE delegate = ? AND program = ?",
  );
  const figures: Figure[] = [];
  for (const [name, one] of [
    ["by-delegate, median", middle],
    ["by-delegate, busiest", busiest[0]!],
  ] as const) {
    say(`${name}: ${one.accounts} accounts`);
    const runs = Math.max(50, Math.floor(DELEGATE_READS / Number(one.accounts)));
    const { address: tokenProgram } = program.get(one.program) as { address: Uint8Array };
    const bare = await timesOf(runs, () => bareStatement.all(one.delegate, one.program));
    const ours = await timesOf(runs, () =>
      view.accounts.listAccountsByDelegate({ delegate: one.delegate, tokenProgram, mint: null }),
    );
    const scan = await timesOf(SCANS, () => scanStatement.all(one.delegate, one.program));
    figures.push(...ratio(name, ours, bare), underScan(name, ours, scan));
  }
  return figures;
};

const largestReads = async (
  database: DatabaseSync,
  view: ReadView,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const clock = { epoch: 700n, unixTimestamp: 1_800_000_000n };
  const bareStatement = bigints(
    database,
    "SELECT lamports, address FROM top_account ORDER BY lamports DESC, address DESC LIMIT 20",
  );
  const scanStatement = bigints(
    database,
    "SELECT lamports, id, tail FROM account NOT INDEXED ORDER BY lamports DESC, id DESC LIMIT 20",
  );
  const bareStakes = bigints(
    database,
    "SELECT lamports, address FROM stake_hold WHERE listed OR lockup_timestamp > ? OR lockup_epoch > ? ORDER BY lamports DESC, address DESC LIMIT 20",
  );
  const scan = await timesOf(SCANS, () => scanStatement.all());
  const figures: Figure[] = [];
  for (const filter of ["all", "circulating", "nonCirculating"] as const) {
    say(`top 20, ${filter}`);
    const query: LargestQuery = { filter, limit: 20, clock };
    const bare = await timesOf(LARGEST_READS, () =>
      filter === "nonCirculating"
        ? bareStakes.all(clock.unixTimestamp, 700n - 2n ** 63n)
        : bareStatement.all(),
    );
    const ours = await timesOf(LARGEST_READS, () => view.accounts.listLargestAccounts(query));
    figures.push(...ratio(`top 20, ${filter}`, ours, bare), underScan(`top 20, ${filter}`, ours, scan));
  }
  return figures;
};
