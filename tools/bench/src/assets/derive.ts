import { sameBytes } from "@lamplight/codecs";
import type { Account, LedgerState, Transaction } from "@lamplight/core";
import {
  type AssetView,
  type KnownAccount,
  type LedgerEvent,
  ruleBook,
  shapeDocument,
} from "@lamplight/indexer";

type Role = Parameters<AssetView["linked"]>[0];

const keyOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
const silent = (): void => {};

/** The views of all assets that some accounts describe, joined once: what the indexer's engine does with a store. */
export const viewsOf = (accounts: readonly Account[]): readonly AssetView[] => {
  const known = new Map<string, KnownAccount>(
    accounts.map((account) => [
      keyOf(account.address),
      { current: account, claiming: account, closed: false },
    ]),
  );
  const links = new Map<string, KnownAccount[]>();
  const ids = new Map<string, Uint8Array>();
  for (const account of accounts) {
    const claim = claimOf(account);
    for (const id of claim?.assets ?? []) ids.set(keyOf(id), id);
    for (const { role, target } of claim?.links ?? []) {
      const list = `${role} ${keyOf(target)}`;
      links.set(list, [...(links.get(list) ?? []), known.get(keyOf(account.address))!]);
    }
  }
  return [...ids.values()].map((id) => {
    const linked = new Map<Role, readonly KnownAccount[]>();
    for (const role of ["metadata", "edition", "holder", "member", "inscription"] as const)
      linked.set(role, links.get(`${role} ${keyOf(id)}`) ?? []);
    return {
      id,
      self: known.get(keyOf(id)) ?? null,
      leaf: null,
      linked: (role) => linked.get(role)!,
      find: (address) => known.get(keyOf(address)) ?? null,
    };
  });
};

/** Decodes one account by the rule of its program; null = no rule reads it. */
export const claimOf = (account: Account): ReturnType<(typeof ruleBook.accounts)[number]["claim"]> => {
  const rule = ruleBook.accounts.find(({ programs }) =>
    programs.some((program) => sameBytes(program, account.programOwner)),
  );
  return rule?.claim(account) ?? null;
};

/** Record and document of an asset; its characters, or 0 when the view holds none. */
export const deriveDocument = (view: AssetView): number => {
  for (const kind of ruleBook.kinds) {
    let record = kind.derive(view)?.record ?? null;
    if (record === null) continue;
    for (const addition of ruleBook.additions) record = addition.add(view, record);
    return shapeDocument(record).length;
  }
  return 0;
};

/** The same for the compressed assets of transactions: read, prove, fold, derive. */
export const deriveLeaves = (transactions: readonly Transaction[]): number => {
  let documents = 0;
  for (const ledger of ruleBook.ledgers) {
    const byKey = new Map<string, LedgerEvent[]>();
    for (const transaction of transactions)
      for (const event of ledger.read(transaction, silent)) {
        const key = `${event.kind} ${keyOf(event.key)}`;
        const events = byKey.get(key);
        if (events === undefined) byKey.set(key, [event]);
        else events.push(event);
      }
    for (const events of byKey.values()) {
      const leaf = ledger.fold(null, events, silent);
      if (leaf.kind === "leaf" && deriveDocument(leafView(leaf)) > 0) documents++;
    }
  }
  return documents;
};

const leafView = (leaf: LedgerState): AssetView => ({
  id: leaf.key,
  self: null,
  leaf,
  linked: () => [],
  find: () => null,
});
