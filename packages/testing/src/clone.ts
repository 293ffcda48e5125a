import type { Client, GetAssetResult } from "@lamplight/client";
import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { type AddressLike, onlyProperties, readAddress } from "@lamplight/devchain";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { cloneAccounts } from "@lamplight/sources/clone";
import { openHttpEndpoint } from "@lamplight/sources/endpoint";
import type { AssetConfig } from "./test-asset.ts";

/** Accounts are read from it, if not by URL: for example from another test chain. */
export interface CloneSource {
  readonly fetch: typeof globalThis.fetch;
  /** Passed to `fetch`. Default: `http://chain`. */
  readonly url?: string;
}

/** The source that `clone` reads. */
export interface CloneOptions {
  /** URL of a Solana RPC node or of a Lamplight server, with its key; or an object with `fetch`. */
  readonly from: string | CloneSource;
}

/**
 * The asset that `chain.clone` copied. It can be read, like any asset. The operations of `TestAsset` need what was
 * minted here.
 */
export class ClonedAsset {
  /** Base58 text. */
  readonly id: string;
  /** Addresses of all copied accounts, as base58 text, its own first. */
  readonly accounts: readonly string[];
  readonly #client: Client;

  constructor(id: string, accounts: readonly string[], client: Client) {
    this.id = id;
    this.accounts = accounts;
    this.#client = client;
  }

  /** The same as `id`. With it, an asset can be passed where an address is expected. */
  get address(): string {
    return this.id;
  }

  /** Its document, as `chain.client.getAsset` answers it. */
  get(config?: AssetConfig): Promise<GetAssetResult> {
    return this.#client.getAsset({ id: this.id, config });
  }

  toString(): string {
    return this.id;
  }
}

/**
 * Reads an account of another chain, and those that describe the same asset.
 *
 * @returns its own account first
 * @throws LamplightError `CHAIN__INVALID_INPUT`: `address` has no account there, or `from` does not answer
 */
export const readClone = async (address: AddressLike, options: CloneOptions): Promise<readonly Account[]> => {
  checkClone(options);
  const id = encodeAddress(readAddress(address, "address"));
  const { url, fetch } = sourceOf(options.from);
  try {
    const endpoint = openHttpEndpoint({ url, ...(fetch === undefined ? {} : { fetch }) });
    const found = await cloneAccounts(endpoint, { addresses: [id], collections: [], owners: [] });
    return [...found.values()].map(({ account }) => account);
  } catch (cause) {
    if (!isLamplightError(cause)) throw cause;
    throw invalid(cause);
  }
};

const checkClone = onlyProperties<CloneOptions>()("from");

const notASource = "must be the http or https URL of an RPC node, or an object with fetch";

const sourceOf = (from: unknown): { readonly url: string; readonly fetch?: typeof globalThis.fetch } => {
  if (typeof from === "string") return { url: from };
  const { url = "http://chain", fetch } = (from ?? {}) as Partial<CloneSource>;
  if (typeof fetch === "function") return { url, fetch };
  throw new LamplightError("CHAIN__INVALID_INPUT", { property: "from", reason: notASource });
};

/** Names the property of `clone` that an error is about. */
const invalid = (cause: LamplightError): LamplightError => {
  if (isLamplightError(cause, "SOURCE__NO_ACCOUNT")) {
    const reason = `has no account at ${cause.context.url}; a compressed asset has none, and cannot be cloned`;
    return new LamplightError("CHAIN__INVALID_INPUT", { property: "address", reason }, { cause });
  }
  const reason = cause.code === "CLI__USAGE" ? notASource : `cannot be cloned from: ${cause.message}`;
  return new LamplightError("CHAIN__INVALID_INPUT", { property: "from", reason }, { cause });
};
