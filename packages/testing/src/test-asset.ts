import type { Client, GetAssetParams, GetAssetResult } from "@lamplight/client";
import type {
  AddressLike,
  AssetKind,
  ChainWorld,
  CollectionKind,
  FreezeChoice,
  HoldingChoice,
  InscriptionInput,
  UpdateInput,
} from "@lamplight/devchain";

/** `print` is a print of a master edition. */
export type TestAssetKind = AssetKind | CollectionKind | "print";

/** Runs an operation, ends its slot, and indexes the slot. */
export type Operate = <Result>(work: (world: ChainWorld) => Result) => Promise<Result>;

/** The display options of `getAsset`. */
export type AssetConfig = NonNullable<GetAssetParams["config"]>;

/** The parts of its chain that an asset needs. */
export interface AssetChain {
  readonly operate: Operate;
  readonly client: Client;
}

/**
 * An asset, a collection or a group of a test chain. Each operation resolves when its slot is indexed. It throws
 * `CHAIN__INVALID_INPUT`, which names the property, where the chain would refuse it.
 */
export class TestAsset {
  /** Base58 text. */
  readonly id: string;
  readonly kind: TestAssetKind;
  readonly #chain: AssetChain;

  constructor(id: string, kind: TestAssetKind, chain: AssetChain) {
    this.id = id;
    this.kind = kind;
    this.#chain = chain;
  }

  /** The same as `id`. With it, an asset can be passed where an address is expected. */
  get address(): string {
    return this.id;
  }

  /** Its document, as `chain.client.getAsset` answers it. */
  get(config?: AssetConfig): Promise<GetAssetResult> {
    return this.#chain.client.getAsset({ id: this.id, config });
  }

  /** @param choice - for a fungible: the owner of the tokens, and the amount in raw units */
  transfer(to: AddressLike, choice: HoldingChoice = {}): Promise<void> {
    return this.#chain.operate((world) => world.transfer(this.id, to, choice));
  }

  /** @param choice - for a fungible: the owner of the tokens, and the amount to approve. Default: all of them */
  delegate(delegate: AddressLike, choice: HoldingChoice = {}): Promise<void> {
    return this.#chain.operate((world) => world.delegate(this.id, delegate, choice));
  }

  revoke(choice: HoldingChoice = {}): Promise<void> {
    return this.#chain.operate((world) => world.revoke(this.id, choice));
  }

  /** @param choice - for a fungible: the owner of the tokens; for Core and `compressed-v2`: which delegate freezes */
  freeze(choice: FreezeChoice = {}): Promise<void> {
    return this.#chain.operate((world) => world.freeze(this.id, choice));
  }

  thaw(choice: FreezeChoice = {}): Promise<void> {
    return this.#chain.operate((world) => world.thaw(this.id, choice));
  }

  verifyCreator(creator: AddressLike): Promise<void> {
    return this.#chain.operate((world) => world.verifyCreator(this.id, creator, true));
  }

  unverifyCreator(creator: AddressLike): Promise<void> {
    return this.#chain.operate((world) => world.verifyCreator(this.id, creator, false));
  }

  verifyCollection(): Promise<void> {
    return this.#chain.operate((world) => world.verifyCollection(this.id, true));
  }

  unverifyCollection(): Promise<void> {
    return this.#chain.operate((world) => world.verifyCollection(this.id, false));
  }

  setCollection(collection: AddressLike): Promise<void> {
    return this.#chain.operate((world) => world.setCollection(this.id, collection));
  }

  unsetCollection(): Promise<void> {
    return this.#chain.operate((world) => world.setCollection(this.id, null));
  }

  /** Replaces the given properties. Where the off-chain document contains one, the asset gets a new document and URI. */
  update(input: UpdateInput): Promise<void> {
    return this.#chain.operate((world) => world.update(this.id, input));
  }

  /** Prints a master edition, with the next number or the given one. */
  print(owner: AddressLike, number?: number): Promise<TestAsset> {
    return this.#chain.operate((world) => {
      const id = world.print(this.id, owner, number);
      return new TestAsset(id, "print", this.#chain);
    });
  }

  burn(choice: HoldingChoice = {}): Promise<void> {
    return this.#chain.operate((world) => world.burn(this.id, choice));
  }

  /** Closes the empty token account of an owner. */
  close(owner: AddressLike): Promise<void> {
    return this.#chain.operate((world) => world.close(this.id, owner));
  }

  /** Mints more of a fungible, in raw units. */
  mintAmount(to: AddressLike, amount: bigint | number): Promise<void> {
    return this.#chain.operate((world) => world.mintAmount(this.id, to, amount));
  }

  /** Takes a `compressed` asset out of its tree. Afterwards it is an `nft` with the same id. */
  decompress(): Promise<void> {
    return this.#chain.operate((world) => world.decompress(this.id));
  }

  inscribe(input: InscriptionInput = {}): Promise<void> {
    return this.#chain.operate((world) => world.inscribe(this.id, input));
  }

  toString(): string {
    return this.id;
  }
}
