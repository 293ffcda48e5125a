import { decodeAddress, encodeAddress, programAddressTexts, sameBytes } from "@lamplight/codecs";
import type { Account, Slot } from "@lamplight/core";
import { FOUND_PROGRAMS_MAX } from "./limits.ts";
import type { ScanRegion } from "./scan-region.ts";

const loaders = {
  native: programAddressTexts.nativeLoader,
  bpf1: "BPFLoader1111111111111111111111111111111111",
  bpf2: "BPFLoader2111111111111111111111111111111111",
  upgradeable: programAddressTexts.upgradeableLoader,
  v4: "LoaderV411111111111111111111111111111111111",
} as const;

/**
 * Owners that every validator has. The System program comes first: if it is not covered, it is the first one
 * reported.
 */
const nativeOwners: readonly string[] = [
  programAddressTexts.system,
  ...Object.values(loaders),
  programAddressTexts.sysvar,
  programAddressTexts.vote,
  programAddressTexts.stake,
  programAddressTexts.config,
  programAddressTexts.addressLookupTable,
  "ComputeBudget111111111111111111111111111111",
  "Feature111111111111111111111111111111111111",
  "Ed25519SigVerify111111111111111111111111111",
  "KeccakSecp256k11111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111",
  "ZkTokenProof1111111111111111111111111111111",
  "ZkE1Gama1Proof11111111111111111111111111111",
];

const loaderBytes = Object.fromEntries(
  Object.entries(loaders).map(([name, text]) => [name, decodeAddress(text)]),
) as Readonly<Record<keyof typeof loaders, Uint8Array>>;

/** Size of the upgradeable loader's program accounts; its buffers and program data are larger. */
const UPGRADEABLE_PROGRAM_BYTES = 36;

/** Whether other accounts may belong to this one. Newer validators no longer set the flag for every loader. */
const isProgram = ({ programOwner: owner, executable, data }: Account): boolean => {
  if (sameBytes(owner, loaderBytes.upgradeable)) return data.length === UPGRADEABLE_PROGRAM_BYTES;
  if (sameBytes(owner, loaderBytes.bpf1) || sameBytes(owner, loaderBytes.bpf2)) return executable;
  return sameBytes(owner, loaderBytes.native) || sameBytes(owner, loaderBytes.v4);
};

/**
 * The programs whose accounts are followed completely. With `finds` the list grows: by programs that a loader lists,
 * and by owners of accounts that were read.
 */
export class ProgramRegions {
  readonly finds: boolean;
  readonly scans: ScanRegion[] = [];
  readonly #byOwner = new Map<string, ScanRegion>();
  /** Named by the operator, or in the store. If a node does not list them, their known accounts are requested. */
  readonly #held = new Set<ScanRegion>();
  /** Slot of the first listing of each. */
  readonly #readAt = new Map<ScanRegion, Slot>();
  /** Owners that the node does not list, or beyond `FOUND_PROGRAMS_MAX`. */
  readonly #left = new Set<string>();
  #revision = 0;

  /** @param programs - base58 text */
  constructor(programs: readonly string[], finds: boolean) {
    this.finds = finds;
    if (finds) for (const owner of nativeOwners) this.#add(decodeAddress(owner));
    for (const program of programs) this.#held.add(this.#add(decodeAddress(program)));
  }

  /** Changes whenever the coverage may have changed. */
  get revision(): number {
    return this.#revision;
  }

  regionOf(owner: Uint8Array): ScanRegion | undefined {
    return this.#byOwner.get(keyOf(owner));
  }

  /** Adds the account's owner, and the account itself if it is a program. */
  note(account: Account): void {
    this.#find(account.programOwner);
    if (isProgram(account)) this.#find(account.address);
  }

  /** The store contains everything found so far. */
  hold(): void {
    for (const scan of this.scans) this.#held.add(scan);
  }

  isHeld(scan: ScanRegion): boolean {
    return !this.finds || scan.filters.length > 0 || this.#held.has(scan);
  }

  /** Found and not listed yet. */
  get hasUnread(): boolean {
    return this.finds && this.scans.some((scan) => !this.isHeld(scan));
  }

  noteRead(scan: ScanRegion, slot: Slot): void {
    if (!this.finds || this.#readAt.has(scan)) return;
    this.#readAt.set(scan, slot);
    this.#held.add(scan);
    this.#revision += 1;
  }

  /** The node does not list it, so it is not followed. */
  drop(scan: ScanRegion): void {
    const key = keyOf(decodeAddress(scan.program));
    this.#left.add(key);
    this.#byOwner.delete(key);
    this.scans.splice(this.scans.indexOf(scan), 1);
    this.#revision += 1;
  }

  /** Programs all of whose accounts are known as of a slot (base58 text), and whether there are no others. */
  coveredAt(slot: Slot): { readonly isEverything: boolean; readonly programs: readonly string[] } {
    const covered = this.scans.filter(
      (scan) => this.#held.has(scan) && (this.#readAt.get(scan) ?? 0) <= slot,
    );
    return { isEverything: this.#left.size === 0, programs: covered.map(({ program }) => program) };
  }

  #find(owner: Uint8Array): void {
    const key = keyOf(owner);
    if (this.#byOwner.has(key) || this.#left.has(key)) return;
    if (this.scans.length < FOUND_PROGRAMS_MAX) {
      this.#add(owner);
      return;
    }
    // One is enough to prove that there are others, which anyone can create.
    if (this.#left.size > 0) return;
    this.#left.add(key);
    this.#revision += 1;
  }

  #add(owner: Uint8Array): ScanRegion {
    const key = keyOf(owner);
    const known = this.#byOwner.get(key);
    if (known !== undefined) return known;
    const scan = programScan(owner);
    this.#byOwner.set(key, scan);
    this.scans.push(scan);
    return scan;
  }
}

const keyOf = (owner: Uint8Array): string =>
  Buffer.from(owner.buffer, owner.byteOffset, owner.byteLength).toString("latin1");

/** The scan of every account of a program. */
export const programScan = (owner: Uint8Array): ScanRegion => {
  const program = encodeAddress(owner);
  return {
    name: program === programAddressTexts.system ? "the System program" : `program ${program}`,
    program,
    filters: [],
    covers: ({ programOwner }) => sameBytes(programOwner, owner),
  };
};
