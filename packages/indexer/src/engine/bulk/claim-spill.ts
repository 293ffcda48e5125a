import {
  type Account,
  type AccountBatch,
  type AddressBytes,
  batchLayout,
  type LedgerState,
} from "@lamplight/core";
import { isTokenProgram } from "@lamplight/codecs";
import { ruleBook, viewedRoles } from "../../programs/programs.ts";
import type { AccountClaim, AccountRule, LedgerRule, ReportProblem } from "../../rules/rules.ts";
import {
  type ClaimRecordMore,
  PART_MARK,
  type RecordKind,
  rolesMark,
  type StoredAccount,
  writeClaimRecord,
} from "./claim-record.ts";
import { isTokenAccountWithoutAsset } from "./accounts-without-asset.ts";
import { SpillWriter } from "./spill-files.ts";

export interface SpillPlace {
  /** Exists, and belongs to one derivation alone. */
  readonly folder: string;
  /** The partitions are 2^bits, 1 to 16. */
  readonly bits: number;
  /** Names of all that write into it. */
  readonly writers: readonly string[];
}

export const claimsStage = "claims";

/**
 * First step of a bulk load: finds out which assets each account describes, and writes it to the partition of each of
 * them. Rules run once per account. Afterwards one partition contains everything that its assets are derived from, so
 * no account has to be looked up.
 *
 * An account is written under its own address only if it is an asset or part of one. One that only describes others,
 * such as a metadata account, is written under their addresses.
 */
export class ClaimSpill {
  readonly #place: SpillPlace;
  readonly #writer: SpillWriter;
  readonly #report: ReportProblem;
  readonly #rules: readonly ProgramRule[] = programRules();
  #ledger: LedgerState[] = [];

  /** @param writer - one of the place's */
  constructor(place: SpillPlace, writer: string, report: ReportProblem = () => {}) {
    this.#place = place;
    this.#writer = new SpillWriter(place.folder, claimsStage, writer, place.bits);
    this.#report = report;
  }

  add(batch: AccountBatch): void {
    const { bytes, records } = batch;
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
    for (const record of records) {
      const rule = this.#ruleOf(words, (record + batchLayout.programOwner) >>> 2);
      if (rule === null || (rule.isToken && isTokenAccountWithoutAsset(batch, record))) continue;
      const account = batch.accountAt(record);
      const claim = rule.account?.claim(account) ?? null;
      if (claim !== null) this.#file(account, claim, { bytes, record });
      if (rule.ledger !== null) this.#fold(account, rule.ledger);
    }
  }

  /** States of the trees that were read since the last call. */
  takeLedger(): LedgerState[] {
    return this.#ledger.splice(0);
  }

  /** Everything is in the files when this returns. */
  close(): void {
    this.#writer.close();
  }

  #ruleOf(words: Uint32Array, at: number): ProgramRule | null {
    const first = words[at] as number;
    for (const rule of this.#rules) if (rule.words[0] === first && isAt(rule.words, words, at)) return rule;
    return null;
  }

  #file({ address, slot }: Account, claim: AccountClaim, account: StoredAccount): void {
    const isAsset = (id: AddressBytes): boolean => claim.assets.some((asset) => isSame(asset, id));
    const own = isAsset(address);
    // Assets whose views contain this account, and the assets that it names.
    const viewed: AddressBytes[] = [];
    const named: AddressBytes[] = [];
    if (own || claim.dependants.length > 0) {
      const seen = own || claim.assets.length === 0 ? slot : null;
      this.#write("self", address, { account, named: own, seen, mark: rolesMark(claim.roles) });
      viewed.push(address);
      named.push(address);
    }
    for (const { role, target } of claim.links) {
      if (!viewedRoles.includes(role)) {
        this.#write("bareLink", target, { role, other: address });
        continue;
      }
      const isNamed = isAsset(target);
      const seen = isNamed && claim.isRecord ? slot : null;
      this.#write("link", target, { role, account, named: isNamed, seen });
      viewed.push(target);
      named.push(target);
    }
    for (const id of claim.assets) {
      if (named.some((known) => isSame(known, id))) continue;
      this.#write("seen", id, { named: true, seen: claim.isRecord ? slot : null });
    }
    for (const asset of viewed) {
      for (const part of claim.parts) this.#write("need", part, { other: asset, mark: PART_MARK });
      for (const other of claim.others) this.#write("need", other, { other: asset });
    }
  }

  #write(kind: RecordKind, key: AddressBytes, more: ClaimRecordMore): void {
    writeClaimRecord(this.#writer, this.#place.bits, kind, key, more);
  }

  /** Reads the state of a tree. Only its own account describes it. */
  #fold(account: Account, rule: LedgerRule): void {
    const events = rule.readAccount(account);
    if (events.length === 0) return;
    const state = rule.fold(null, events, this.#report);
    // The memory of the batch is used again before the states are read, so this is a copy.
    this.#ledger.push({ ...state, key: state.key.slice(), tree: state.tree.slice() });
  }
}

interface ProgramRule {
  /** The address of the program. */
  readonly words: Uint32Array;
  readonly isToken: boolean;
  readonly account: AccountRule | null;
  readonly ledger: LedgerRule | null;
}

const programRules = (): readonly ProgramRule[] =>
  [
    ...ruleBook.accounts.flatMap((rule) =>
      rule.programs.map((program) => ({ program, account: rule, ledger: null })),
    ),
    ...ruleBook.ledgers.flatMap((rule) =>
      rule.programs.map((program) => ({ program, account: null, ledger: rule })),
    ),
  ].map(({ program, ...rule }) => ({
    ...rule,
    words: new Uint32Array(Uint8Array.from(program).buffer),
    isToken: isTokenProgram(program),
  }));

const isAt = (program: Uint32Array, words: Uint32Array, at: number): boolean => {
  for (let index = 0; index < program.length; index += 1)
    if (program[index] !== words[at + index]) return false;
  return true;
};

const isSame = (a: AddressBytes, b: AddressBytes): boolean => a === b || Buffer.compare(a, b) === 0;
