import type { Client } from "@lamplight/client";
import { encodeAddress } from "@lamplight/codecs";
import { type AddressLike, readAddress } from "@lamplight/devchain";

/** A fungible token of a test chain. See `chain.token`. */
export class TestToken {
  /** Base58 text. */
  readonly mint: string;
  readonly #client: Client;

  constructor(mint: string, client: Client) {
    this.mint = mint;
    this.#client = client;
  }

  /**
   * The balance of a wallet in raw units: the sum of its token accounts, 0n without any.
   *
   * @throws RpcError where no such mint exists
   */
  async balance(owner: AddressLike): Promise<bigint> {
    const ownerAddress = encodeAddress(readAddress(owner, "owner"));
    const { items } = await this.#client.searchAssets({
      ownerAddress,
      supplyMint: this.mint,
      options: { showFungible: true, showZeroBalance: true },
    });
    const balance = items[0]?.token_info?.balance;
    if (balance !== undefined) return balance;
    // Holds nothing, or is no token.
    await this.#client.getTokenSupply({ pubKey: this.mint });
    return 0n;
  }

  /** Raw units of all holders. */
  async supply(): Promise<bigint> {
    const { value } = await this.#client.getTokenSupply({ pubKey: this.mint });
    return BigInt(value.amount);
  }

  toString(): string {
    return this.mint;
  }
}
