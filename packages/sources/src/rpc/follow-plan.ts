import {
  decodeAddress,
  decodeEditionAccount,
  editionAddress,
  encodeAddress,
  metadataAddress,
  programAddresses,
  sameBytes,
  sysvarAddresses,
} from "@lamplight/codecs";
import type { Account } from "@lamplight/core";

/** What is followed; addresses as base58 text. */
export interface FollowTargets {
  readonly programs: readonly string[];
  readonly accounts: readonly string[];
  readonly mints: readonly string[];
  /** Merkle trees of compressed assets. */
  readonly trees: readonly string[];
}

export type RowFilter =
  | { readonly dataSize: number }
  | { readonly memcmp: { readonly offset: 0; readonly bytes: string; readonly encoding: "base58" } };

/** A set of accounts that one getProgramAccounts answers. */
export interface ScanRegion {
  /** For people. */
  readonly name: string;
  /** Base58 text. */
  readonly program: string;
  readonly filters: readonly RowFilter[];
  readonly covers: (account: Account) => boolean;
}

export const clockAddress: string = encodeAddress(sysvarAddresses.clock);
const TOKEN_ACCOUNT_BYTES = 165;

/** The regions and single accounts that what is followed comes to. */
export class FollowPlan {
  readonly scans: readonly ScanRegion[];
  /** Base58 text; the clock always, for amounts that move with it, and because every slot writes it. */
  readonly singles: ReadonlySet<string>;
  readonly trees: readonly string[];
  /** Where master editions of followed mints are. */
  readonly #editions: ReadonlySet<string>;
  readonly #hasEveryPrint: boolean;
  readonly #targets: FollowTargets;

  constructor(targets: FollowTargets) {
    const { programs, accounts, mints, trees } = targets;
    this.#targets = targets;
    this.scans = [...programs.map(programScan), ...mints.flatMap(mintScans)];
    this.trees = trees;
    this.#hasEveryPrint = programs.includes(encodeAddress(programAddresses.tokenMetadata));
    this.#editions = new Set(mints.map((mint) => encodeAddress(editionAddress(decodeAddress(mint), null))));
    const metadata = mints.map((mint) => encodeAddress(metadataAddress(decodeAddress(mint))));
    this.singles = new Set([clockAddress, ...accounts, ...trees, ...mints, ...metadata, ...this.#editions]);
  }

  /** What is left of it without some of the targets. */
  without({ programs, accounts, mints, trees }: FollowTargets): FollowPlan {
    const mine = this.#targets;
    return new FollowPlan({
      programs: mine.programs.filter((each) => !programs.includes(each)),
      accounts: mine.accounts.filter((each) => !accounts.includes(each)),
      mints: mine.mints.filter((each) => !mints.includes(each)),
      trees: mine.trees.filter((each) => !trees.includes(each)),
    });
  }

  covers(account: Account, address: string): boolean {
    if (this.singles.has(address) && !this.#isMasterOfUnknownPrints(account, address)) return true;
    return this.scans.some((scan) => scan.covers(account));
  }

  /**
   * Prints name their master, but nothing leads from there to their mints: a list of them would lack members. Without
   * the master edition such a list is refused instead.
   */
  #isMasterOfUnknownPrints(account: Account, address: string): boolean {
    if (this.#hasEveryPrint || !this.#editions.has(address)) return false;
    const edition = decodeEditionAccount(account.data);
    return edition?.kind === "masterEdition" && edition.supply > 0n;
  }
}

const programScan = (program: string): ScanRegion => {
  const bytes = decodeAddress(program);
  return {
    name: `program ${program}`,
    program,
    filters: [],
    covers: ({ programOwner }) => sameBytes(programOwner, bytes),
  };
};

/** The token accounts of a mint, whichever of the two programs it belongs to. */
const mintScans = (mint: string): readonly ScanRegion[] => {
  const bytes = decodeAddress(mint);
  return [programAddresses.token, programAddresses.token2022].map((program): ScanRegion => {
    const isClassic = sameBytes(program, programAddresses.token);
    return {
      name: `${isClassic ? "" : "Token-2022 "}token accounts of mint ${mint}`,
      program: encodeAddress(program),
      filters: [
        ...(isClassic ? [{ dataSize: TOKEN_ACCOUNT_BYTES }] : []),
        { memcmp: { offset: 0, bytes: mint, encoding: "base58" } },
      ],
      covers: ({ programOwner, data }) =>
        sameBytes(programOwner, program) &&
        (isClassic ? data.length === TOKEN_ACCOUNT_BYTES : data.length >= TOKEN_ACCOUNT_BYTES) &&
        sameBytes(data.subarray(0, bytes.length), bytes),
    };
  });
};
