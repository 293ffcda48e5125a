import { setTimeout as sleep } from "node:timers/promises";
import {
  decodeAddress,
  encodeAddress,
  encodeBase58,
  programAddresses,
  programAddressTexts,
  sameBytes,
} from "@lamplight/codecs";
import { closedAccount, type Account, type Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { parseAccountDump } from "../dumps/parse-account-dump.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { isMembers } from "../json-kind.ts";
import { type CloneKind, cloneKinds, type CloneRequest, namedAs } from "./clone-request.ts";
import { associatedTokenAddress, isSingleMint, relatedAddresses } from "./related-addresses.ts";

export interface ClonedAccount {
  /** An account that did not exist has no lamports. */
  readonly account: Account;
  /** The options that named it; empty = it belongs to one that was named. */
  readonly namedBy: readonly CloneKind[];
}

/** Accounts that one clone may have. */
const ACCOUNTS_MAX = 20_000;
/** Keys of one getMultipleAccounts, as nodes limit it. */
const ACCOUNTS_PER_CALL = 100;
const ASSETS_PER_PAGE = 1000;
const ATTEMPTS_MAX = 6;
const RETRY_MS = 500;
/** Codes of nodes that are busy or limit their callers. */
const passingCodes: ReadonlySet<number> = new Set([429, -32429, -32005, -32004, -32016]);
const METHOD_NOT_FOUND = -32601;
/** The outcome of a call whose method the node does not have. */
const notServed: unique symbol = Symbol("not served");

const base64 = { encoding: "base64", commitment: "confirmed" };

/**
 * Reads accounts of a node, with those that describe the same assets. Off-chain documents are not read. A server without
 * getMultipleAccounts and getTokenLargestAccounts is asked for single accounts, and for the owner of an asset.
 *
 * @returns by base58 address
 * @throws LamplightError `SOURCE__NO_ACCOUNT`, `SOURCE__REFUSED`, `SOURCE__UNREACHABLE`
 */
export const cloneAccounts = async (
  endpoint: Endpoint,
  request: CloneRequest,
): Promise<ReadonlyMap<string, ClonedAccount>> => new Clone(endpoint, request).read();

class Clone {
  readonly #endpoint: Endpoint;
  readonly #request: CloneRequest;
  readonly #found = new Map<string, Account>();
  readonly #asked = new Set<string>();
  readonly #unserved = new Set<string>();

  constructor(endpoint: Endpoint, request: CloneRequest) {
    this.#endpoint = endpoint;
    this.#request = request;
  }

  async read(): Promise<ReadonlyMap<string, ClonedAccount>> {
    const named = new Map<string, CloneKind[]>();
    for (const kind of cloneKinds)
      for (const address of namedAs(this.#request, kind))
        named.set(address, [...(named.get(address) ?? []), kind]);
    await this.#readAll([...named.keys()]);
    this.#assertNamed(named);
    for (const collection of this.#request.collections)
      await this.#readAll(await this.#membersOf(collection));
    for (const owner of this.#request.owners) await this.#readAll(await this.#holdingsOf(owner));
    return new Map(
      [...this.#found].map(([address, account]) => [address, { account, namedBy: named.get(address) ?? [] }]),
    );
  }

  /** Only a wallet may be empty. */
  #assertNamed(named: ReadonlyMap<string, readonly CloneKind[]>): void {
    for (const [address, kinds] of named) {
      if (this.#found.has(address)) continue;
      if (!kinds.includes("owner")) {
        throw new LamplightError("SOURCE__NO_ACCOUNT", { url: this.#endpoint.name, address });
      }
      this.#found.set(address, closedAccount(decodeAddress(address), 0));
    }
  }

  /** Reads accounts, those that they lead to, and so on. */
  async #readAll(addresses: readonly string[]): Promise<void> {
    let next = addresses;
    while (next.length > 0) {
      const fresh = [...new Set(next)].filter((address) => !this.#asked.has(address));
      for (const address of fresh) this.#asked.add(address);
      const accounts: Account[] = [];
      for (let at = 0; at < fresh.length; at += ACCOUNTS_PER_CALL)
        accounts.push(...(await this.#readSome(fresh.slice(at, at + ACCOUNTS_PER_CALL))));
      for (const account of accounts) this.#found.set(encodeAddress(account.address), account);
      if (this.#found.size > ACCOUNTS_MAX)
        throw this.#refused(`more than ${ACCOUNTS_MAX} accounts belong to it; clone single assets`);
      next = accounts.flatMap(relatedAddresses);
      for (const account of accounts)
        if (isSingleMint(account)) next = [...next, ...(await this.#holdersOf(account))];
    }
  }

  async #readSome(addresses: readonly string[]): Promise<readonly Account[]> {
    const result = await this.#callIfServed("getMultipleAccounts", [addresses, base64]);
    if (result === notServed) return this.#readEach(addresses);
    const { context, value } = isMembers(result) ? result : {};
    const slot = Number(isMembers(context) ? context["slot"] : 0);
    const rows = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return rows.flatMap((row, index) => (row === null ? [] : [this.#account(addresses[index]!, row, slot)]));
  }

  /** Reads as `#readSome` does, from a server that has only getAccountInfo, such as Lamplight. */
  async #readEach(addresses: readonly string[]): Promise<readonly Account[]> {
    const accounts: Account[] = [];
    for (const address of addresses) {
      const result = await this.#call("getAccountInfo", [address, base64]);
      const { context, value } = isMembers(result) ? result : {};
      const slot = Number(isMembers(context) ? context["slot"] : 0);
      if (isMembers(value)) accounts.push(this.#account(address, value, slot));
    }
    return accounts;
  }

  async #holdersOf(mint: Account): Promise<readonly string[]> {
    const id = encodeAddress(mint.address);
    const largest = await this.#callIfServed("getTokenLargestAccounts", [id, { commitment: "confirmed" }]);
    if (largest !== notServed) return addressesIn(isMembers(largest) ? largest["value"] : [], "address");
    const asset = await this.#callIfServed("getAsset", { id });
    const { ownership } = isMembers(asset) ? asset : {};
    const owner = isMembers(ownership) ? ownership["owner"] : null;
    // Empty for a burnt asset.
    return typeof owner === "string" && owner !== ""
      ? [associatedTokenAddress(mint, decodeAddress(owner))]
      : [];
  }

  async #membersOf(collection: string): Promise<readonly string[]> {
    const account = this.#found.get(collection)!;
    if (sameBytes(account.programOwner, programAddresses.mplCore)) {
      const authority = Uint8Array.from([CORE_COLLECTION_AUTHORITY, ...decodeAddress(collection)]);
      return this.#coreAssets(CORE_AUTHORITY_OFFSET, authority);
    }
    const ids: string[] = [];
    for (let page = 1; ; page += 1) {
      const params = { grouping: ["collection", collection], page, limit: ASSETS_PER_PAGE };
      const result = await this.#callIfServed("searchAssets", params);
      if (result === notServed)
        throw this.#refused(
          "this node cannot list the assets of a collection of Token Metadata; use a --from that has searchAssets, or name each asset with --clone",
        );
      const items =
        isMembers(result) && Array.isArray(result["items"]) ? result["items"].filter(isMembers) : [];
      ids.push(...items.filter((item) => !isCompressed(item)).map((item) => String(item["id"])));
      if (items.length < ASSETS_PER_PAGE || ids.length > ACCOUNTS_MAX) return ids;
    }
  }

  async #holdingsOf(owner: string): Promise<readonly string[]> {
    const holdings: string[] = [];
    for (const programId of [programAddressTexts.token, programAddressTexts.token2022]) {
      const result = await this.#call("getTokenAccountsByOwner", [owner, { programId }, base64]);
      holdings.push(...addressesIn(isMembers(result) ? result["value"] : [], "pubkey"));
    }
    return [...holdings, ...(await this.#coreAssets(CORE_OWNER_OFFSET, decodeAddress(owner)))];
  }

  async #coreAssets(offset: number, bytes: Uint8Array): Promise<readonly string[]> {
    const filters = [
      { memcmp: { offset: 0, bytes: encodeBase58(Uint8Array.of(CORE_ASSET_KEY)) } },
      { memcmp: { offset, bytes: encodeBase58(bytes) } },
    ];
    const config = { ...base64, withContext: true, dataSlice: { offset: 0, length: 0 }, filters };
    const result = await this.#call("getProgramAccounts", [programAddressTexts.mplCore, config]);
    return addressesIn(isMembers(result) ? result["value"] : [], "pubkey");
  }

  #account(pubkey: string, row: unknown, slot: Slot): Account {
    try {
      return parseAccountDump({ pubkey, account: row }, slot);
    } catch (cause) {
      throw this.#refused(`account ${pubkey}: ${(cause as Error).message}`);
    }
  }

  async #call(method: string, params: unknown): Promise<unknown> {
    const result = await this.#callIfServed(method, params);
    if (result === notServed) throw this.#refused(`it does not have ${method}`);
    return result;
  }

  /** @returns `notServed` where the node does not have the method */
  async #callIfServed(method: string, params: unknown): Promise<unknown> {
    if (this.#unserved.has(method)) return notServed;
    for (let attempt = 1; ; attempt += 1) {
      const { outcome } = await this.#endpoint.call(method, params);
      if (outcome.ok) return outcome.result;
      const { code, message } = outcome.error;
      if (code === METHOD_NOT_FOUND) {
        this.#unserved.add(method);
        return notServed;
      }
      if (!passingCodes.has(code) || attempt >= ATTEMPTS_MAX)
        throw this.#refused(`${method}: ${message} (${code})`);
      await sleep(RETRY_MS * 2 ** (attempt - 1));
    }
  }

  #refused(reason: string): LamplightError<"SOURCE__REFUSED"> {
    return new LamplightError("SOURCE__REFUSED", { url: this.#endpoint.name, reason });
  }
}

/** First byte of a Core asset, and where its owner and its update authority are. */
const CORE_ASSET_KEY = 1;
const CORE_OWNER_OFFSET = 1;
const CORE_AUTHORITY_OFFSET = 33;
/** Tag of an update authority that is a collection. */
const CORE_COLLECTION_AUTHORITY = 2;

const addressesIn = (rows: unknown, name: string): readonly string[] =>
  Array.isArray(rows) ? rows.filter(isMembers).map((row) => String(row[name])) : [];

const isCompressed = (item: Readonly<Record<string, unknown>>): boolean =>
  isMembers(item["compression"]) && item["compression"]["compressed"] === true;
