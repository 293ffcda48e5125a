import { programAddresses } from "@lamplight/codecs";
import { isTimed, type MintView, mintViewOf, nativeMintView } from "../amount/mint-view.ts";
import type { AddressBytes } from "../domain/address.ts";
import { AddressMap, AddressSet } from "../domain/address-map.ts";
import type { AmountContext } from "../parsed/parse-account.ts";
import type { ReadView } from "../ports/read-view.ts";
import { readClock } from "./read-clock.ts";

/** The mints of a list of token accounts: each is read once, those of a slice of the list together. */
export class KnownMints {
  readonly #view: ReadView;
  readonly #mints = new AddressMap<MintView | null>();
  /** Null until a mint is met whose amounts change with the clock. */
  #unixTimestamp: bigint | null = null;

  constructor(view: ReadView) {
    this.#view = view;
    this.#mints.set(programAddresses.nativeMint, nativeMintView);
  }

  /** Makes `amountContextOf` answer for these; null is ignored. */
  async learn(addresses: readonly (AddressBytes | null)[]): Promise<void> {
    const unknown = new AddressSet();
    for (const address of addresses) if (address !== null && !this.#mints.has(address)) unknown.add(address);
    if (unknown.size === 0) return;
    // Copies, since these lie within the data of accounts, which would be kept with them.
    const asked = unknown.addresses().map((address) => Uint8Array.from(address));
    const accounts = await this.#view.accounts.findAccounts(asked);
    for (const [index, address] of asked.entries()) {
      const account = accounts[index] ?? null;
      const mint = account === null ? null : mintViewOf(account.data);
      this.#mints.set(address, mint);
      if (mint !== null && isTimed(mint)) this.#unixTimestamp ??= (await readClock(this.#view)).unixTimestamp;
    }
  }

  amountContextOf(address: AddressBytes): AmountContext {
    return { mint: this.#mints.get(address) ?? null, unixTimestamp: this.#unixTimestamp ?? 0n };
  }
}
