import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeAddress } from "@lamplight/codecs";
import {
  type Account,
  callMethod,
  CallRequest,
  createMethodSettings,
  parseExact,
  type Profile,
} from "@lamplight/core";
import { dasMethods } from "@lamplight/das";
import { createIndexer, keepNodes } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { type Address, getBase64Decoder, type Instruction } from "@solana/kit";
import { Clock, FailedTransactionMetadata } from "litesvm";
import { type Bank, LiteBank } from "../src/index.ts";
import { buildTransaction } from "../src/bank/build-transaction.ts";

const clockAddress = "SysvarC1ock11111111111111111111111111111111" as Address;
const START_OF_TIME = 1_800_000_000n;
const NEVER_EXPIRES = 2n ** 63n;

/** A bank whose every write is indexed, as a follower would. */
export class IndexedBank implements Bank {
  readonly bank: LiteBank;
  readonly payer;
  /** Every account that any transaction could have written. */
  readonly seen = new Set<Address>();
  readonly #folder = mkdtempSync(join(tmpdir(), "lamplight-bank-"));
  readonly #file = join(this.#folder, "index.db");
  readonly #store = openSqliteStore({ file: this.#file, mode: "write" });
  readonly #reader = openSqliteReader({ file: this.#file });
  readonly #indexer = createIndexer(this.#store);
  readonly #settings = createMethodSettings({ apiVersion: "0.0.0", assetCommitment: "finalized" });

  constructor(bank: LiteBank) {
    this.bank = bank;
    this.payer = bank.payer;
  }

  async open(): Promise<void> {
    await this.#store.writeCoverage({ kind: "whole" });
    await keepNodes(this.#store);
    await this.moveClock(0n);
  }

  rentFor = (bytes: number): Promise<bigint> => this.bank.rentFor(bytes);
  now = (): Promise<bigint> => this.bank.now();
  /** The last complete slot: programs know the hash of no other. */
  slot = async (): Promise<bigint> => (await this.bank.slot()) - 1n;

  async send(instructions: readonly Instruction[]): Promise<void> {
    try {
      await this.bank.send(instructions);
    } finally {
      await this.moveClock(1n);
    }
  }

  /** Indexes what was written, and then a clock that is so many seconds later. */
  async moveClock(seconds: bigint): Promise<void> {
    const { slot, unixTimestamp } = this.bank.svm.getClock();
    const now = (unixTimestamp < START_OF_TIME ? START_OF_TIME : unixTimestamp) + seconds;
    this.bank.svm.setClock(new Clock(slot + 1n, START_OF_TIME, 0n, 1n, now));
    this.bank.svm.expireBlockhash();
    this.bank.svm.setSlotHashes([{ slot, hash: this.bank.svm.latestBlockhash() }]);
    const touched = [...this.bank.takeTouched(), clockAddress];
    for (const address of touched) this.seen.add(address);
    const watermark = { slot: Number(slot + 1n), blockhash: null };
    await this.#indexer.apply({
      accounts: touched.map((address) => this.#read(address, watermark.slot)),
      transactions: this.bank.takeExecuted().map((one) => ({ ...one, slot: watermark.slot })),
      watermark,
    });
  }

  #read(address: Address, slot: number): Account {
    const account = this.bank.svm.getAccount(address);
    const own = { address: decodeAddress(address), slot, writeVersion: 0, rentEpoch: 2n ** 64n - 1n };
    return account.exists
      ? {
          ...own,
          programOwner: decodeAddress(account.programAddress),
          lamports: account.lamports,
          executable: account.executable,
          data: Uint8Array.from(account.data),
        }
      : {
          ...own,
          programOwner: new Uint8Array(32),
          lamports: 0n,
          executable: false,
          data: new Uint8Array(0),
        };
  }

  /** The answer of the index, as Solana's clients get it. */
  ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#answer("agave", (request) => callMethod(method, params, request));
  }

  /** The answer of a DAS method. */
  askDas(method: string, params: object): Promise<unknown> {
    return this.#answer("spec", (request) => dasMethods.answer(method, params, request));
  }

  async #answer(profile: Profile, call: (request: CallRequest) => unknown): Promise<unknown> {
    const settings = this.#settings;
    const request = new CallRequest({ viewSource: this.#reader, settings, profile, isAlone: true });
    try {
      return parseExact(String(await call(request)));
    } finally {
      request.close();
    }
  }

  /** Runs instructions without changing anything; returns the bytes that the last of them returned. */
  async simulate(instructions: readonly Instruction[]): Promise<Uint8Array> {
    const lifetime = { blockhash: this.bank.svm.latestBlockhash(), lastValidBlockHeight: NEVER_EXPIRES };
    const transaction = await buildTransaction(this.payer, lifetime, instructions);
    const outcome = this.bank.svm.simulateTransaction(transaction);
    if (outcome instanceof FailedTransactionMetadata) throw new Error(outcome.toString());
    return outcome.meta().returnData().data();
  }

  /** `[data, encoding]` and the rest, as nodes write it. */
  describe(address: Address): object | null {
    const account = this.bank.svm.getAccount(address);
    if (!account.exists) return null;
    return {
      data: [getBase64Decoder().decode(account.data), "base64"],
      executable: account.executable,
      lamports: Number(account.lamports),
      owner: account.programAddress,
      space: account.data.length,
    };
  }

  async close(): Promise<void> {
    this.#reader.close();
    await this.#store.close();
    rmSync(this.#folder, { recursive: true });
  }
}
