import { encodeAddress } from "@lamplight/codecs";
import { type AddressBytes, type LargestQuery, type ReadView, reads } from "@lamplight/core";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { type Bench, type Figure, interleavedTimes, median, timesOf } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { accountCalls, callText } from "../harness/calls.ts";
import { sampleStore } from "../sample-store.ts";
import { BareStatements } from "./bare-statements.ts";

const ACCOUNTS = 2_000_000;
/** Connections of the load on two builds. */
const CONNECTIONS = 16;
const POINT_READS = 20_000;
/** Rows read in all by the runs of one by-delegate figure, and the fewest runs. */
const DELEGATE_ROWS = 200_000;
const DELEGATE_RUNS_MIN = 15;
const DELEGATE_RUNS_MAX = 2000;
const LARGEST_READS = 2_000;
const SCANS = 3;

type Say = (line: string) => void;

export const accountsBench: Bench = {
  name: "accounts",
  about: `the reads behind the account methods on ${ACCOUNTS} accounts, next to the bare statements they rest on`,
  async run(say): Promise<readonly Figure[]> {
    const file = await sampleStore("accounts", ACCOUNTS, say);
    const bare = new BareStatements(file);
    const reader = openSqliteReader({ file });
    const view = await reader.openView("finalized");
    try {
      return [
        ...(await pointReads(bare, view, say)),
        ...(await delegateReads(bare, view, say)),
        ...(await largestReads(bare, view, say)),
      ];
    } finally {
      view.close();
      reader.close();
      bare.close();
    }
  },
  async served(say) {
    const file = await sampleStore("accounts", ACCOUNTS, say);
    return [{ store: `sqlite:${file}`, work: accountWork(file), connections: CONNECTIONS }];
  },
};

/** Calls of the account methods. */
const accountWork = (file: string): ReadonlyMap<string, readonly string[]> => {
  const bare = new BareStatements(file);
  const busiest = delegatesOf(bare);
  const byDelegate = ([delegate, program]: Delegate): readonly string[] => [
    callText("getTokenAccountsByDelegate", [
      encodeAddress(delegate),
      { programId: encodeAddress(programOf(bare, program)) },
      { encoding: "base64" },
    ]),
  ];
  const work = new Map([
    ["point read", accountCalls(file)],
    ["by-delegate, median", byDelegate(busiest[busiest.length >> 1]!)],
    ["by-delegate, busiest", byDelegate(busiest[0]!)],
    ...["circulating", "nonCirculating"].map((filter): [string, readonly string[]] => [
      `top 20, ${filter}`,
      [callText("getLargestAccounts", [{ filter }])],
    ]),
    ["top 20, all", [callText("getLargestAccounts", [])]],
  ]);
  bare.close();
  return work;
};

type Delegate = readonly [delegate: Uint8Array, program: bigint, accounts: bigint];

/** Most accounts first. */
const delegatesOf = (bare: BareStatements): readonly Delegate[] =>
  bare.rows<Delegate>(
    "SELECT delegate, program, count(*) AS accounts FROM account WHERE delegate IS NOT NULL GROUP BY delegate, program ORDER BY accounts DESC",
  );

/** Ours and the bare statement in turn, so that anything that else the machine does meets both. */
const compare = async (
  name: string,
  runs: number,
  ours: (run: number) => unknown,
  bare: (run: number) => unknown,
): Promise<{ readonly median: number; readonly figures: Figure[] }> => {
  const [ourTimes, bareTimes] = await interleavedTimes(runs, [ours, bare]);
  const ourMedian = median(ourTimes!);
  const bareMedian = median(bareTimes!);
  return {
    median: ourMedian,
    figures: [
      { name: `${name}: ours, median`, value: ourMedian, unit: "µs" },
      { name: `${name}: bare statement, median`, value: bareMedian, unit: "µs" },
      {
        name: `${name}: ours / bare`,
        value: ourMedian / bareMedian,
        unit: "×",
        budget: budgets.readTimeOverBare,
      },
    ],
  };
};

const pointReads = async (bare: BareStatements, view: ReadView, say: Say): Promise<readonly Figure[]> => {
  say("point reads");
  const keys = Array.from({ length: POINT_READS }, (_, index) => {
    const around = (BigInt(index) * 922_337_203_685_477n * 7n) % 9_000_000_000_000_000_000n;
    return bare.rows<[bigint, Uint8Array]>("SELECT id, tail FROM account WHERE id > ? LIMIT 1", around)[0]!;
  });
  const addresses = keys.map(([id, tail]): AddressBytes => {
    const address = new Uint8Array(32);
    new DataView(address.buffer).setBigInt64(0, id);
    address.set(tail, 8);
    return address;
  });
  const find = bare.account();
  const { figures } = await compare(
    "point read",
    POINT_READS,
    (run) => view.read(reads.account(addresses[run]!)),
    (run) => find.get(...keys[run]!),
  );
  return figures;
};

const delegateReads = async (bare: BareStatements, view: ReadView, say: Say): Promise<readonly Figure[]> => {
  const busiest = delegatesOf(bare);
  const scan = bare.scanByDelegate();
  const byDelegate = bare.byDelegate();
  const figures: Figure[] = [];
  for (const [name, [delegate, program, accounts]] of [
    ["by-delegate, median", busiest[busiest.length >> 1]!],
    ["by-delegate, busiest", busiest[0]!],
  ] as const) {
    say(`${name}: ${accounts} accounts`);
    const query = { delegate, tokenProgram: programOf(bare, program), mint: null };
    const result = await compare(
      name,
      runsFor(accounts),
      () => view.read(reads.moreDelegated(query)),
      () => byDelegate.all(delegate, program),
    );
    const scanTimes = await timesOf(SCANS, () => scan.all(delegate, program));
    figures.push(...result.figures, scanOver(name, scanTimes, result.median, accounts));
  }
  return [...figures, ...(await busiestWithMint(bare, view, busiest[0]!, say))];
};

/** One mint of the busiest delegate: filtering all of its accounts for it would be the mistake. */
const busiestWithMint = async (
  bare: BareStatements,
  view: ReadView,
  [delegate, program]: readonly [Uint8Array, bigint, bigint],
  say: Say,
): Promise<readonly Figure[]> => {
  const name = "by-delegate, busiest, one mint";
  say(name);
  const [[mint]] = bare.rows<[Uint8Array]>(
    "SELECT delegate_mint FROM account WHERE delegate = ? AND program = ? ORDER BY id LIMIT 1",
    delegate,
    program,
  ) as [[Uint8Array]];
  const query = { delegate, tokenProgram: programOf(bare, program), mint };
  const statement = bare.byDelegateAndMint();
  const result = await compare(
    name,
    DELEGATE_RUNS_MAX,
    () => view.read(reads.moreDelegated(query)),
    () => statement.all(delegate, program, mint),
  );
  const scan = bare.scanByDelegate();
  const scanTimes = await timesOf(SCANS, () => scan.all(delegate, program));
  return [...result.figures, scanOver(name, scanTimes, result.median, 1n)];
};

const programOf = (bare: BareStatements, id: bigint): AddressBytes =>
  bare.rows<[Uint8Array]>("SELECT address FROM program WHERE id = ?", id)[0]![0];

const runsFor = (accounts: bigint): number =>
  Math.min(DELEGATE_RUNS_MAX, Math.max(DELEGATE_RUNS_MIN, Math.floor(DELEGATE_ROWS / Number(accounts))));

/** Rows in an answer beyond which reading the answer alone is more than a hundredth of a scan. */
const JUDGED_ROWS_MAX = 500n;

const scanOver = (name: string, scan: readonly number[], ours: number, rows: bigint): Figure => ({
  name: `${name}: scan / ours`,
  value: median(scan) / ours,
  unit: "×",
  ...(rows <= JUDGED_ROWS_MAX ? { budget: budgets.scanTimeOverRead } : {}),
});

const largestReads = async (bare: BareStatements, view: ReadView, say: Say): Promise<readonly Figure[]> => {
  const clock = { epoch: 700n, unixTimestamp: 1_800_000_000n };
  const clockColumns = [clock.unixTimestamp, clock.epoch - 2n ** 63n] as const;
  const [top, topCirculating, heldStakes, listed] = [
    bare.top(),
    bare.topCirculating(),
    bare.heldStakes(),
    bare.listed(),
  ];
  const bareReads = {
    all: () => top.all(),
    circulating: () => topCirculating.all(...clockColumns),
    nonCirculating: () => [listed.all(), heldStakes.all(...clockColumns)],
  };
  const scanStatement = bare.scanTop();
  const scan = await timesOf(SCANS, () => scanStatement.all());
  const figures: Figure[] = [];
  for (const filter of ["all", "circulating", "nonCirculating"] as const) {
    const name = `top 20, ${filter}`;
    say(name);
    const query: LargestQuery = { filter, limit: 20, clock };
    const result = await compare(
      name,
      LARGEST_READS,
      () => view.read(reads.largest(query)),
      bareReads[filter],
    );
    figures.push(...result.figures, scanOver(name, scan, result.median, 20n));
  }
  return figures;
};
