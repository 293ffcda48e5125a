import {
  decodeAddress,
  decodeEditionAccount,
  editionAddress,
  encodeAddress,
  findTreeAccount,
  treePrograms,
  isTreeConfigAddress,
  metadataAddress,
  programAddresses,
  sameBytes,
  sysvarAddresses,
  tokenAccountLayout,
} from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { FOUND_TREES_MAX } from "./limits.ts";
import { ProgramRegions } from "./program-regions.ts";
import type { ScanRegion } from "./scan-region.ts";

/** The targets of following; addresses as base58 text. */
export interface FollowTargets {
  readonly programs: readonly string[];
  readonly accounts: readonly string[];
  readonly mints: readonly string[];
  /** Merkle trees of compressed assets. */
  readonly trees: readonly string[];
  /** Whether every other program is followed too, if the node lists it. Programs are found through the loaders. */
  readonly everyProgram?: boolean;
}

export const clockAddress: string = encodeAddress(sysvarAddresses.clock);

/** The regions and single accounts to read for everything that is followed. */
export class FollowPlan {
  readonly programs: ProgramRegions;
  /** Base58 text. Always includes the clock: some amounts depend on it, and every slot writes it. */
  readonly singles: ReadonlySet<string>;
  readonly #trees: Set<string>;
  readonly #mintScans: readonly ScanRegion[];
  /** The addresses of the master editions of followed mints. */
  readonly #editions: ReadonlySet<string>;
  readonly targets: FollowTargets;

  constructor(targets: FollowTargets, found: ProgramRegions | null = null) {
    const { programs, accounts, mints, trees, everyProgram = false } = targets;
    this.targets = targets;
    this.programs = found ?? new ProgramRegions(programs, everyProgram);
    this.#mintScans = mints.flatMap(mintScans);
    this.#trees = new Set(trees);
    this.#editions = new Set(mints.map((mint) => encodeAddress(editionAddress(decodeAddress(mint), null))));
    const metadata = mints.map((mint) => encodeAddress(metadataAddress(decodeAddress(mint))));
    this.singles = new Set([clockAddress, ...accounts, ...trees, ...mints, ...metadata, ...this.#editions]);
  }

  /** The list may grow while it is read, if programs are found. */
  get scans(): readonly ScanRegion[] {
    return [...this.programs.scans, ...this.#mintScans];
  }

  /** Base58 text; may grow, like the scans. */
  get trees(): readonly string[] {
    return [...this.#trees];
  }

  hasTree(tree: string): boolean {
    return this.#trees.has(tree);
  }

  /** Finds programs and trees, where they are not named. */
  note(account: Account): void {
    if (!this.programs.finds) return;
    this.programs.note(account);
    if (this.#trees.size < FOUND_TREES_MAX && isBubblegumTree(account)) {
      this.#trees.add(encodeAddress(account.address));
    }
  }

  /** The scans that include an account. */
  regionsOf(account: Account): readonly ScanRegion[] {
    const ofProgram = this.programs.regionOf(account.programOwner);
    const ofMints = this.#mintScans.filter((scan) => scan.covers(account));
    return ofProgram === undefined ? ofMints : [ofProgram, ...ofMints];
  }

  /** The plan without some of the targets. */
  without({ programs, accounts, mints, trees }: FollowTargets): FollowPlan {
    const mine = this.targets;
    const rest: FollowTargets = {
      programs: mine.programs.filter((each) => !programs.includes(each)),
      accounts: mine.accounts.filter((each) => !accounts.includes(each)),
      mints: mine.mints.filter((each) => !mints.includes(each)),
      trees: mine.trees.filter((each) => !trees.includes(each)),
    };
    return new FollowPlan(rest, this.programs.finds ? this.programs : null);
  }

  covers(account: Account, address: string): boolean {
    if (this.singles.has(address) && !this.#isMasterOfUnknownPrints(account, address)) return true;
    return (
      this.programs.regionOf(account.programOwner) !== undefined ||
      this.#mintScans.some((scan) => scan.covers(account))
    );
  }

  /**
   * Prints name their master, but a master does not name the mints of its prints, so a list would lack members. Such a
   * list is refused without the master edition.
   */
  #isMasterOfUnknownPrints(account: Account, address: string): boolean {
    const hasEveryPrint = this.programs.regionOf(programAddresses.tokenMetadata) !== undefined;
    if (hasEveryPrint || !this.#editions.has(address)) return false;
    const edition = decodeEditionAccount(account.data);
    return edition?.kind === "masterEdition" && edition.supply > 0n;
  }
}

/** Only trees of Bubblegum contain assets. Their authority is a Bubblegum account. */
const isBubblegumTree = ({ address, programOwner, data, lamports }: Account): boolean => {
  const isTree = treePrograms.some((each) => sameBytes(each, programOwner));
  const tree = isTree && lamports > 0n ? findTreeAccount(data) : null;
  return tree !== null && isTreeConfigAddress(tree.authority, address);
};

/** The token accounts of a mint of either token program. */
const mintScans = (mint: string): readonly ScanRegion[] => {
  const bytes = decodeAddress(mint);
  return [programAddresses.token, programAddresses.token2022].map((program): ScanRegion => {
    const isClassic = sameBytes(program, programAddresses.token);
    return {
      name: `${isClassic ? "" : "Token-2022 "}token accounts of mint ${mint}`,
      program: encodeAddress(program),
      filters: [
        ...(isClassic ? [{ dataSize: tokenAccountLayout.bytes }] : []),
        { memcmp: { offset: 0, bytes: mint, encoding: "base58" } },
      ],
      covers: ({ programOwner, data }) =>
        sameBytes(programOwner, program) &&
        (isClassic ? data.length === tokenAccountLayout.bytes : data.length >= tokenAccountLayout.bytes) &&
        sameBytes(data.subarray(0, bytes.length), bytes),
    };
  });
};
