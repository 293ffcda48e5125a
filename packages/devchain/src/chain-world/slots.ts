import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { hash } from "node:crypto";
import type { Account, AddressBytes, Slot, Transaction } from "@lamplight/core";
import { type Draft, draftOf } from "../draft.ts";
import { encodeProgram, encodeProgramData } from "../encode/loader.ts";
import { encodeEpochSchedule, encodeRent } from "../encode/sysvar.ts";
import { clockAccount } from "../parts/runtime.ts";
import { SLOTS_PER_EPOCH } from "../world.ts";
import { sysvarAddresses } from "@lamplight/codecs";

/** All writes of one slot. */
export interface WorldSlot {
  readonly slot: Slot;
  /** -1 for the first. */
  readonly parent: Slot;
  /** Base58 text. */
  readonly blockhash: string;
  /** Null for the first. */
  readonly parentBlockhash: string | null;
  /** The newest version of each account that the slot wrote, the clock included. */
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
  /** JSON by URI, of documents that are new since the last slot. */
  readonly documents: readonly (readonly [uri: string, json: string])[];
}

/** A slot while it is written: of an account, the last write counts. */
export class OpenSlot {
  readonly #drafts = new Map<string, Draft>();
  readonly #transactions: Transaction[] = [];

  get isEmpty(): boolean {
    return this.#drafts.size === 0 && this.#transactions.length === 0;
  }

  write(draft: Draft): void {
    this.#put(encodeAddress(draft.address), draft);
  }

  #put(key: string, draft: Draft): void {
    this.#drafts.delete(key);
    this.#drafts.set(key, draft);
  }

  send(transaction: Transaction): void {
    this.#transactions.push(transaction);
  }

  /** Replaces its content by that of another one. */
  append(other: OpenSlot): void {
    for (const [key, draft] of other.#drafts) this.#put(key, draft);
    this.#transactions.push(...other.#transactions);
  }

  /** @param firstVersion - write version of its first account */
  close(slot: Slot, firstVersion: number): Pick<WorldSlot, "accounts" | "transactions"> {
    const drafts = [clockAccount(slot), ...this.#drafts.values()];
    return {
      accounts: drafts.map((draft, index) => ({ ...draft, slot, writeVersion: firstVersion + index })),
      transactions: this.#transactions.map((transaction, index) => ({ ...transaction, slot, index })),
    };
  }
}

/** The same in every run of a seed; another one after a fork. */
export const blockhashOf = (seed: number, slot: Slot, fork: number): string =>
  encodeAddress(hash("sha256", `block ${seed} ${slot} ${fork}`, "buffer"));

const PROGRAM_DATA_BYTES = 128;

/** The first accounts: programs and sysvars, without assets. */
export const genesisAccounts = (slot: Slot): readonly Draft[] => {
  const programs = ["token", "token2022", "tokenMetadata", "mplCore", "bubblegum", "inscriptions"] as const;
  return [
    draftOf(sysvarAddresses.rent, programAddresses.sysvar, encodeRent()),
    draftOf(sysvarAddresses.epochSchedule, programAddresses.sysvar, encodeEpochSchedule(SLOTS_PER_EPOCH)),
    ...programs.flatMap((name) => programAccounts(programAddresses[name], slot)),
  ];
};

const programAccounts = (program: AddressBytes, slot: Slot): readonly Draft[] => {
  const code = new Uint8Array(hash("sha256", program, "buffer"));
  const data = encodeProgramData(slot - 1, null, new Uint8Array(PROGRAM_DATA_BYTES));
  return [
    draftOf(code, programAddresses.upgradeableLoader, data),
    { ...draftOf(program, programAddresses.upgradeableLoader, encodeProgram(code)), executable: true },
  ];
};
