import { sameBytes } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  codedBit,
  decodeAccountRow,
  MoreReads,
  type OnlyRead,
  type ReadView,
  type FoundAsset,
  type StoredContent,
} from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Session } from "../engine/session.ts";
import { uriKey } from "../offchain/offchain-row.ts";
import { foundAssetOf, storedAssetOf } from "../queries/read-documents.ts";
import {
  INCOMPLETE_TREES_LISTED_MAX,
  type StoreSettings,
  type ViewHead,
  viewHeadOf,
} from "../queries/read-head.ts";
import { onlyRowParts, readOnlyRow } from "../queries/read-only.ts";
import { type OnlyDelegated, readOnlyDelegated } from "./only-delegated.ts";
import type { SharedKnowledge } from "./shared-knowledge.ts";

/**
 * The answer to one read, by one statement outside of any transaction. Null where cached settings do not suffice, or
 * there is no slot yet. Then a full view must answer.
 */
export const readOnlyView = async (
  session: Session,
  knowledge: SharedKnowledge,
  only: OnlyRead,
): Promise<ReadView | null> => {
  const before = knowledge.seen;
  if (only.kind === "delegated") {
    const found = await readOnlyDelegated(session, knowledge, only);
    if (found === null || found.head.slot === null) return null;
    const settings = knowledge.at(found.head, before).settings.known(found.head.settingsRevision);
    return settings === null ? null : new OnlyView(found.head, settings, { ...nothing, ...found });
  }
  const { hasContents } = knowledge;
  const row = await readOnlyRow(session, only, hasContents);
  const head = viewHeadOf(row);
  if (row === undefined || head.slot === null) return null;
  const { programs, settings } = knowledge.at(head, before);
  const known = settings.known(head.settingsRevision);
  if (known === null) return null;
  if (only.kind === "asset")
    return new OnlyView(head, known, {
      ...nothing,
      assets: assetsIn(row, only.id),
      content: hasContents ? contentIn(row) : null,
    });
  if (!isUnderstood(row, only, programs)) return null;
  const asked = only.kind === "accountWithMint" ? [only.address, ...mintAskedIn(row)] : [only.address];
  return new OnlyView(head, known, { ...nothing, asked, accounts: accountsIn(row, only, programs) });
};

/** The asset, and the collection that it takes facts from. */
const assetsIn = (row: Row, id: AddressBytes): Found["assets"] => {
  const { row: at, sharedId: sharedIdAt, shared: sharedAt } = onlyRowParts;
  const own = { id, asset: row[at] === null ? null : foundAssetOf(row, at) };
  const sharedId = row[sharedIdAt] as AddressBytes | null;
  if (sharedId === null) return [own];
  return [own, { id: sharedId, asset: row[sharedAt] === null ? null : sharedAsset(row, sharedAt) }];
};

/** A collection without the slot of its last update, which its members do not take from it. */
const sharedAsset = (row: Row, at: number): FoundAsset => ({
  ...storedAssetOf(row, at),
  get updatedSlot() {
    return needMore();
  },
});

/** Null where the asset names no document. */
const contentIn = (row: Row): Found["content"] => {
  const key = row[onlyRowParts.uriKey] as Uint8Array | null;
  const parts = row[onlyRowParts.content] as string | null;
  return key === null ? null : { uriKey: key, content: parts === null ? null : { parts } };
};

type AccountRead = Extract<OnlyRead, { readonly kind: "account" | "accountWithMint" }>;

const hasMint = (row: Row, { kind }: AccountRead): boolean =>
  kind === "accountWithMint" && row[onlyRowParts.mintAddress] !== null;

const isUnderstood = (row: Row, only: AccountRead, programs: ProgramDictionary): boolean => {
  const program = row[onlyRowParts.row] as number | null;
  if (program !== null && !programs.knows(program)) return false;
  return !hasMint(row, only) || programs.knows(row[onlyRowParts.mint] as number);
};

const accountsIn = (row: Row, only: AccountRead, { addressOf }: ProgramDictionary): readonly Account[] => {
  if (row[onlyRowParts.row] === null) return [];
  const account = decodeAccountRow(Uint8Array.from(only.address), row, onlyRowParts.row, addressOf);
  if (!hasMint(row, only)) return [account];
  const mintAddress = row[onlyRowParts.mintAddress] as AddressBytes;
  return [account, decodeAccountRow(mintAddress, row, onlyRowParts.mint, addressOf)];
};

/** Address of the mint that the statement looked for, if any. It may not exist. */
const mintAskedIn = (row: Row): readonly AddressBytes[] => {
  if (row[onlyRowParts.row] === null) return [];
  const [flags, , data] = row.slice(onlyRowParts.flags) as [number, unknown, Uint8Array];
  const at = (flags & codedBit) === 0 ? 0 : 1;
  return [data.slice(at, at + 32)];
};

interface Found {
  readonly delegated: OnlyDelegated | null;
  /** The assets that were looked for. */
  readonly assets: readonly { readonly id: AddressBytes; readonly asset: FoundAsset | null }[];
  /** What the asset's off-chain document adds; null where it was not looked for. */
  readonly content: { readonly uriKey: Uint8Array; readonly content: StoredContent | null } | null;
  /** Addresses that were looked for. Those without an account do not exist. */
  readonly asked: readonly AddressBytes[];
  readonly accounts: readonly Account[];
}

const nothing: Found = {
  delegated: null,
  assets: [],
  content: null,
  asked: [],
  accounts: [],
};

const needMore = (): never => {
  throw new MoreReads();
};

/** Contains the result of one statement, and no session. All other reads throw `MoreReads`. */
class OnlyView implements ReadView {
  readonly slot;
  readonly coverage;
  readonly incompleteTrees;
  readonly isTreeIncomplete?: () => never;
  readonly #head: ViewHead;
  readonly #storeId: string;
  readonly #hasContents: boolean;
  readonly #found: Found;

  constructor(
    head: ViewHead,
    { coverage, incompleteTrees, storeId, hasContents }: StoreSettings,
    found: Found,
  ) {
    this.slot = head.slot ?? 0;
    this.coverage = coverage;
    this.incompleteTrees = incompleteTrees;
    // Not all of them may be listed.
    if (incompleteTrees.length >= INCOMPLETE_TREES_LISTED_MAX) this.isTreeIncomplete = needMore;
    this.#head = head;
    this.#storeId = storeId;
    this.#hasContents = hasContents;
    this.#found = found;
  }

  get accounts(): ReadView["accounts"] {
    return {
      findAccount: (address) => this.#findAccount(address),
      findAccounts: (addresses) => addresses.map((address) => this.#findAccount(address)),
      isClosed: needMore,
      listAccountsByDelegate: (query) => this.#found.delegated?.list(query) ?? needMore(),
      listHoldings: needMore,
      listLargestAccounts: needMore,
    };
  }

  get assets(): ReadView["assets"] {
    return {
      findAsset: (id) => this.#findAsset(id),
      getAssets: needMore,
      readContents: (uris) => uris.map((uri) => this.#contentOf(uri)),
    };
  }

  get editions(): never {
    return needMore();
  }

  get search(): never {
    return needMore();
  }

  get terms(): ReadView["terms"] {
    const { changeSeq, nextOrdinal, writer } = this.#head;
    return {
      storeId: this.#storeId,
      changeSeq,
      nextOrdinal,
      listOrdinals: needMore,
      filterByName: needMore,
      listChanges: needMore,
      readPositions: needMore,
      readFacts: needMore,
      history: { writer, contains: needMore },
    };
  }

  close(): void {}

  #contentOf(uri: string): StoredContent | null {
    if (!this.#hasContents) return null;
    const { content } = this.#found;
    return content !== null && sameBytes(content.uriKey, uriKey(uri)) ? content.content : needMore();
  }

  #findAsset(id: AddressBytes): FoundAsset | null {
    const found = this.#found.assets.find((one) => sameBytes(one.id, id));
    return found === undefined ? needMore() : found.asset;
  }

  #findAccount(address: AddressBytes): Account | null {
    const { asked, accounts, delegated } = this.#found;
    for (const account of accounts) if (sameBytes(account.address, address)) return account;
    if (asked.some((one) => sameBytes(one, address))) return null;
    const found = delegated?.findAccount(address);
    return found === undefined ? needMore() : found;
  }
}
