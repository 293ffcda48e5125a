import {
  decodeCoreAccount,
  decodeEditionAccount,
  decodeMetadata,
  isTokenProgram,
  programAddresses,
  sameBytes,
  sysvarAddresses,
} from "@lamplight/codecs";
import { type Account, type AddressBytes, deriveAccountFacts } from "@lamplight/core";
import { AddressSet } from "../engine/address-map.ts";
import { ClaimReader } from "../engine/claims.ts";
import { ruleBook } from "../programs/rule-book.ts";
import type { AccountClaim } from "../rules/rules.ts";

/** What a filtered store is to hold. */
export interface SelectionFilter {
  readonly programs: readonly AddressBytes[];
  readonly owners: readonly AddressBytes[];
  readonly mints: readonly AddressBytes[];
  readonly collections: readonly AddressBytes[];
}

/**
 * Picks the accounts that a filter names, and those that their assets are derived from: mints, metadata, editions,
 * prints, holders, the assets of collections. What an account is to an asset, its own rule says.
 *
 * Show it every account, again and again until a round adds nothing; then ask. Memory grows with what is picked by
 * owner, mint or collection, and with the assets of what is picked by program.
 */
export class AccountSelection {
  readonly #claims = new ClaimReader(ruleBook.accounts);
  readonly #programs: AddressSet;
  readonly #owners: AddressSet;
  readonly #mints: AddressSet;
  readonly #collections: AddressSet;
  /** Ids of which every account is needed. */
  readonly #assets = new AddressSet();
  /** Single accounts that are needed. */
  readonly #addresses = new AddressSet();
  /** Master editions of which every print is needed. */
  readonly #masters = new AddressSet();

  constructor(filter: SelectionFilter) {
    this.#programs = setOf(filter.programs);
    this.#owners = setOf(filter.owners);
    this.#mints = setOf(filter.mints);
    this.#collections = setOf(filter.collections);
    this.#assets.addAll([...filter.mints, ...filter.collections]);
    this.#addresses.addAll([...filter.owners, ...filter.mints, ...filter.collections]);
    // Amounts of interest-bearing and scaled mints move with the clock.
    this.#addresses.add(sysvarAddresses.clock);
  }

  /** Grows while accounts seen make others needed. */
  get size(): number {
    return this.#assets.size + this.#addresses.size + this.#masters.size;
  }

  /** Takes in what an account makes needed. */
  see(account: Account): void {
    const claim = this.#claims.read(account);
    const isNamed = this.#isNamed(account);
    if (isNamed) this.#wantAssetsOf(account, claim);
    if (!isNamed && !this.#isPart(account, claim)) return;
    this.#addresses.addAll(claim?.parts ?? []);
    this.#addresses.addAll(claim?.others ?? []);
    this.#seeMetadata(account, claim);
    this.#seeEdition(account);
  }

  /** After the rounds. */
  isWanted(account: Account): boolean {
    return this.#isNamed(account) || this.#isPart(account, this.#claims.read(account));
  }

  /** Whether the filter itself names the account. */
  #isNamed(account: Account): boolean {
    if (this.#programs.has(account.programOwner) || this.#owners.has(account.address)) return true;
    const { holding } = deriveAccountFacts(account);
    if (holding !== null) return this.#owners.has(holding.tokenOwner) || this.#mints.has(holding.mint);
    if (sameBytes(account.programOwner, programAddresses.mplCore)) return this.#isNamedCore(account);
    if (!sameBytes(account.programOwner, programAddresses.tokenMetadata)) return false;
    const metadata = decodeMetadata(account.data);
    if (metadata !== null)
      return metadata.collection !== null && this.#collections.has(metadata.collection.address);
    const edition = decodeEditionAccount(account.data);
    return edition?.kind === "edition" && this.#masters.has(edition.parent);
  }

  #isNamedCore(account: Account): boolean {
    const core = decodeCoreAccount(account.data);
    if (core?.kind !== "asset") return false;
    const { updateAuthority } = core;
    return (
      this.#owners.has(core.assetOwner) ||
      (updateAuthority.kind === "collection" && this.#collections.has(updateAuthority.collection))
    );
  }

  /** Whether a needed asset is derived from the account. */
  #isPart(account: Account, claim: AccountClaim | null): boolean {
    if (this.#addresses.has(account.address)) return true;
    if (claim === null) return false;
    // Metadata of a print is found by the edition it links to.
    return (
      claim.assets.some((id) => this.#assets.has(id)) ||
      claim.links.some(({ role, target }) => role === "edition" && this.#addresses.has(target))
    );
  }

  #wantAssetsOf(account: Account, claim: AccountClaim | null): void {
    this.#assets.addAll(claim?.assets ?? []);
    if (!isTokenProgram(account.programOwner)) return;
    const { holding } = deriveAccountFacts(account);
    if (holding !== null) this.#assets.add(holding.mint);
  }

  #seeMetadata({ programOwner, data }: Account, claim: AccountClaim | null): void {
    if (claim === null || !sameBytes(programOwner, programAddresses.tokenMetadata)) return;
    const metadata = decodeMetadata(data);
    if (metadata === null) return;
    if (claim.assets.some((id) => this.#assets.has(id))) this.#masters.addAll(claim.parts);
    this.#assets.addAll(claim.assets);
    // An answer may show the asset of the collection too.
    if (metadata.collection !== null) this.#assets.add(metadata.collection.address);
  }

  #seeEdition({ address, programOwner, data }: Account): void {
    if (!sameBytes(programOwner, programAddresses.tokenMetadata)) return;
    const edition = decodeEditionAccount(data);
    if (edition === null) return;
    // The metadata that links to it names the mint.
    this.#addresses.add(address);
    if (edition.kind === "edition") this.#addresses.add(edition.parent);
  }
}

const setOf = (addresses: readonly AddressBytes[]): AddressSet => {
  const set = new AddressSet();
  set.addAll(addresses);
  return set;
};
