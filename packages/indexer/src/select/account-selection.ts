import { sysvarAddresses } from "@lamplight/codecs";
import type { Account, AddressBytes } from "@lamplight/core";
import { AddressMap, AddressSet } from "../engine/address-map.ts";
import { ClaimReader } from "../engine/claims.ts";
import { programs, ruleBook } from "../programs/programs.ts";
import type { NamedInAccount, NeededWithAccount, SelectionRule } from "../rules/program.ts";
import type { AccountClaim } from "../rules/rules.ts";

/** The filter of a store that holds a part of the chain. */
export interface SelectionFilter {
  readonly programs: readonly AddressBytes[];
  readonly owners: readonly AddressBytes[];
  readonly mints: readonly AddressBytes[];
  readonly collections: readonly AddressBytes[];
}

/**
 * Picks the accounts that a filter names, and those that their assets are derived from: mints, metadata, editions,
 * prints, holders, the assets of collections. The rule of its program says what an account is to an asset.
 *
 * Show it every account, again and again until a round adds nothing; then ask. Memory grows with what is picked by
 * owner, mint or collection, and with the assets of what is picked by program.
 */
export class AccountSelection {
  readonly #claims = new ClaimReader(ruleBook.accounts);
  /** The keys are program owners of accounts. */
  readonly #rules = new AddressMap<SelectionRule>();
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
    for (const { accounts, selection } of programs)
      if (selection !== null)
        for (const program of accounts?.programs ?? []) this.#rules.set(program, selection);
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
    const rule = this.#rules.get(account.programOwner);
    if (rule !== undefined) this.#addNeeds(rule.needs(account, claim), claim);
  }

  /** Whether the store keeps the account. The caller asks after its rounds of `see`. */
  isWanted(account: Account): boolean {
    return this.#isNamed(account) || this.#isPart(account, this.#claims.read(account));
  }

  /** Whether the filter itself names the account. */
  #isNamed(account: Account): boolean {
    if (this.#programs.has(account.programOwner) || this.#owners.has(account.address)) return true;
    const { owner, mint, collection, master } = this.#named(account);
    return (
      (owner !== undefined && this.#owners.has(owner)) ||
      (mint !== undefined && this.#mints.has(mint)) ||
      (collection !== undefined && this.#collections.has(collection)) ||
      (master !== undefined && this.#masters.has(master))
    );
  }

  #named(account: Account): NamedInAccount {
    return this.#rules.get(account.programOwner)?.named(account) ?? {};
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
    const { mint } = this.#named(account);
    if (mint !== undefined) this.#assets.add(mint);
  }

  #addNeeds(
    { assets = [], addresses = [], masters = [] }: NeededWithAccount,
    claim: AccountClaim | null,
  ): void {
    if (claim?.assets.some((id) => this.#assets.has(id)) === true) this.#masters.addAll(masters);
    this.#assets.addAll(assets);
    this.#addresses.addAll(addresses);
  }
}

const setOf = (addresses: readonly AddressBytes[]): AddressSet => {
  const set = new AddressSet();
  set.addAll(addresses);
  return set;
};
