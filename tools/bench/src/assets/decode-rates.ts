import { findBubblegumCalls, instructionShapes, programAddresses, sameBytes } from "@lamplight/codecs";
import type { Account, Instruction, Transaction } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { type Figure, median } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { claimOf, deriveDocument, deriveLeaves, viewsOf } from "./derive.ts";
import { ForgetfulStore } from "./forgetful-store.ts";
import {
  type Decode,
  officialAccountDecoder,
  officialInstructionDecoder,
  officialLeafDecoder,
} from "./official-decoders.ts";
import { type AccountKind, accountKinds, sampleAccounts, sampleTransactions } from "./samples.ts";

const ROUNDS = 9;
const ROUND_SECONDS = 0.5;
const PASSES_AT_ONCE = 64;
type Say = (line: string) => void;

/** Per kind: our decoding, deriving and documents of a batch, next to the library's decoding of the same bytes. */
export const decodeRates = async (say: Say): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const kind of Object.keys(accountKinds) as AccountKind[])
    figures.push(...(await accountRates(kind, say)));
  return [...figures, ...(await leafRates(say))];
};

const accountRates = async (kind: AccountKind, say: Say): Promise<readonly Figure[]> => {
  const { source, items } = sampleAccounts(kind);
  // Only what the library decodes too: neither side gets work that the other is spared.
  const accounts: Account[] = [];
  const decodes: Decode[] = [];
  for (const account of items) {
    const decode = officialAccountDecoder(account);
    if (decode === null) continue;
    accounts.push(account);
    decodes.push(decode);
  }
  if (accounts.length === 0) return missing(kind, say);
  const views = viewsOf(accounts);
  say(`${kind}: ${accounts.length} ${source} accounts, ${views.length} assets`);
  return ratesOf(kind, "accounts", accounts.length, {
    decode: () => accounts.forEach(claimOf),
    derive: () => {
      accounts.forEach(claimOf);
      views.forEach(deriveDocument);
    },
    engine: () => createIndexer(new ForgetfulStore()).applyAccounts(accounts, null),
    library: () => decodes.forEach((decode) => decode()),
  });
};

/** Compressed assets: each event is a Bubblegum instruction with the leaf it announced. */
const leafRates = async (say: Say): Promise<readonly Figure[]> => {
  const kind = "compressed";
  const transactions: Transaction[] = [];
  const decodes: Decode[] = [];
  let events = 0;
  for (const transaction of sampleTransactions().items) {
    const calls = findBubblegumCalls(transaction).filter(({ leafEvents }) => leafEvents.length > 0);
    const own = decodesOf(transaction);
    if (calls.length === 0 || own.length < 2 * calls.length) continue;
    transactions.push(transaction);
    decodes.push(...own);
    events += calls.length;
  }
  if (transactions.length === 0) return missing(kind, say);
  const assets = deriveLeaves(transactions);
  say(`${kind}: ${events} recorded leaf events in ${transactions.length} transactions, ${assets} assets`);
  return ratesOf(kind, "leaf events", events, {
    decode: () => transactions.forEach(findBubblegumCalls),
    derive: () => deriveLeaves(transactions),
    engine: () => createIndexer(new ForgetfulStore()).applyTransactions(transactions, null),
    library: () => decodes.forEach((decode) => decode()),
  });
};

/** The library's decoders of the Bubblegum instructions and leaf events of a transaction. */
const decodesOf = ({ groups }: Transaction): Decode[] => {
  const instructions = groups.flatMap(({ outer, inner }) => [outer, ...inner]);
  return instructions.flatMap((instruction) => {
    const decode = instructionDecoder(instruction);
    return decode === null ? [] : [decode];
  });
};

const instructionDecoder = (instruction: Instruction): Decode | null => {
  const { programAddress, data } = instruction;
  if (sameBytes(programAddress, programAddresses.bubblegum)) {
    const tag = Buffer.from(data.subarray(0, 8)).toString("hex");
    const shape = instructionShapes.find((one) => one.tag === tag);
    return shape === undefined ? null : officialInstructionDecoder(shape.name, instruction);
  }
  const isNoop =
    sameBytes(programAddress, programAddresses.splNoop) ||
    sameBytes(programAddress, programAddresses.mplNoop);
  // Application data; the other events are change logs of the tree, which only we read.
  return isNoop && data[0] === 1 ? officialLeafDecoder(instruction) : null;
};

const missing = (kind: string, say: Say): readonly Figure[] => {
  say(`${kind}: skipped, there are no recorded cases (LAMPLIGHT_SHARED) and no generated ones`);
  return [];
};

/** One pass over the whole sample each. */
interface Passes {
  /** Bytes to records, and nothing else. */
  readonly decode: () => unknown;
  /**
   * The work that we call decode + index: it reads every account or event, derives every asset, and writes its
   * document.
   */
  readonly derive: () => unknown;
  /** The same through the indexer's engine, with all joins and change sets, into a store that keeps nothing. */
  readonly engine: () => unknown;
  readonly library: () => unknown;
}

const ratesOf = async (
  kind: string,
  unit: string,
  items: number,
  passes: Passes,
): Promise<readonly Figure[]> => {
  const names = ["decode", "derive", "engine", "library"] as const;
  const rates: { readonly [name in keyof Passes]: number[] } = {
    decode: [],
    derive: [],
    engine: [],
    library: [],
  };
  // The first round warms all up.
  for (let round = -1; round < ROUNDS; round++)
    for (const name of names) {
      const rate = await itemsPerSecond(items, passes[name]);
      if (round >= 0) rates[name].push(rate);
    }
  const ratio = (ours: readonly number[]): number =>
    median(ours.map((rate, round) => rate / rates.library[round]!));
  return [
    { name: `${kind}: decode + index, ours`, value: median(rates.derive), unit: `${unit}/s` },
    { name: `${kind}: through the whole indexer, no store`, value: median(rates.engine), unit: `${unit}/s` },
    { name: `${kind}: decode only, official library`, value: median(rates.library), unit: `${unit}/s` },
    {
      name: `${kind}: decode + index / library's decode`,
      value: ratio(rates.derive),
      unit: "×",
      budget: budgets.decodeRateOverLibrary,
    },
    { name: `${kind}: decode / library's decode`, value: ratio(rates.decode), unit: "×" },
    { name: `${kind}: whole indexer / library's decode`, value: ratio(rates.engine), unit: "×" },
  ];
};

/**
 * Items per second of processor time, which other processes on the machine hardly change, over repeated passes. Asking
 * for that time takes as long as decoding some hundred items: it is asked for a few times a round, not after each pass.
 */
const itemsPerSecond = async (items: number, pass: () => unknown): Promise<number> => {
  const start = process.cpuUsage();
  let passes = 1;
  let done = 0;
  let seconds = 0;
  while (seconds < ROUND_SECONDS) {
    for (let count = 0; count < passes; count += 1) await pass();
    done += items * passes;
    passes = Math.min(passes * 2, PASSES_AT_ONCE);
    const { user, system } = process.cpuUsage(start);
    seconds = (user + system) / 1e6;
  }
  return done / seconds;
};
