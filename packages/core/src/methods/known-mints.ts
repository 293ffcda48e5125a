import { programAddresses } from "@lamplight/codecs";
import { isTimed, type MintView, mintViewOf, nativeMintView } from "../amount/mint-view.ts";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import { AddressMap, AddressSet } from "../domain/address-map.ts";
import { type AmountContext, mintNeededBy } from "../parsed/parse-account.ts";
import { readClock } from "./read-clock.ts";
import { read, type Steps } from "./steps.ts";

/** The mints of a list of token accounts: each is read once, those of a slice of the list together. */
export class KnownMints {
  readonly #mints = new AddressMap<MintView | null>();
  #hasTimed = false;
  /** Null until a mint is met whose amounts change with the clock. */
  #unixTimestamp: bigint | null = null;

  constructor() {
    this.#mints.set(programAddresses.nativeMint, nativeMintView);
  }

  /** Takes mints that came with the accounts which name them. Mints that are named and did not come do not exist. */
  *take(accounts: readonly Account[], mints: readonly Account[]): Steps<void> {
    for (const mint of mints) this.#add(mint.address, mint);
    for (const address of this.#unknownOf(accounts)) this.#mints.set(address, null);
    yield* this.#readClock();
  }

  /** Makes `amountContextOf` answer for the mints of these token accounts. */
  *learn(accounts: readonly Account[]): Steps<void> {
    const asked = this.#unknownOf(accounts);
    if (asked.length === 0) return;
    const found = yield* read.accounts(asked);
    for (const [index, address] of asked.entries()) this.#add(address, found[index] ?? null);
    yield* this.#readClock();
  }

  amountContextOf(address: AddressBytes): AmountContext {
    return { mint: this.#mints.get(address) ?? null, unixTimestamp: this.#unixTimestamp ?? 0n };
  }

  #unknownOf(accounts: readonly Account[]): AddressBytes[] {
    const unknown = new AddressSet();
    for (const account of accounts) {
      const address = mintNeededBy(account);
      if (address !== null && !this.#mints.has(address)) unknown.add(address);
    }
    // Copies, since these lie within the data of accounts, which would be kept with them.
    return unknown.addresses().map((address) => Uint8Array.from(address));
  }

  #add(address: AddressBytes, account: Account | null): void {
    const mint = account === null ? null : mintViewOf(account.data);
    this.#mints.set(address, mint);
    this.#hasTimed ||= mint !== null && isTimed(mint);
  }

  *#readClock(): Steps<void> {
    if (this.#hasTimed) this.#unixTimestamp ??= (yield* readClock()).unixTimestamp;
  }
}
