import { sameBytes } from "@lamplight/codecs";
import type {
  AccountState,
  AddressBytes,
  Asset,
  LeafState,
  LedgerState,
  LinkRole,
  Slot,
} from "@lamplight/core";
import { AddressMap } from "../engine/address-map.ts";
import { ClaimReader } from "../engine/claims.ts";
import { deriveAssets } from "../engine/derive-assets.ts";
import { SOURCES_EXPLAINED_MAX } from "../engine/limits.ts";
import { loadViews, type StandingView } from "../engine/load-views.ts";
import { RoundReader } from "../engine/round-reader.ts";
import type { StateReader } from "../engine/state-reader.ts";
import { ledgerOf, leafStateOf } from "../programs/bubblegum/leaf-states.ts";
import { commonRoles, ruleBook } from "../programs/programs.ts";
import type { KnownAccount } from "../rules/rules.ts";

/**
 * The role of an account for an asset: the account at its address, a linked one, a part of these, or of another asset.
 */
export type SourceRole = "self" | LinkRole | "part" | "other";

/** An account that was read to derive an asset. */
export interface AccountSource {
  readonly kind: "account";
  readonly role: SourceRole;
  readonly address: AddressBytes;
  /** Null where the store has never seen the account. */
  readonly state: AccountState | null;
  /** The version that describes the asset; `none` where no rule reads one from it. */
  readonly stands: "current" | "lastLife" | "none";
  /** Name of the rule that reads accounts of its program; null = no rule does. */
  readonly rule: string | null;
  /** The asset that is derived where this account is missing: what differs is what the account makes. */
  readonly without: Asset | null;
}

/** One record of a compressed leaf: its newest change, its newest proved metadata, or its end. */
export interface LeafSource {
  readonly kind: "leaf";
  readonly record: "leaf" | "metadata" | "end";
  readonly tree: AddressBytes;
  readonly leafIndex: number;
  /** The change of the tree that it comes from. */
  readonly seq: number;
  readonly slot: Slot;
  readonly rule: string;
  /** The asset that is derived where this record is missing. */
  readonly without: Asset | null;
}

export type AssetSource = AccountSource | LeafSource;

/** The explanation of one asset: its sources, and the asset without each of them. */
export interface AssetExplanation {
  /** Null where nothing says that there is one. */
  readonly asset: Asset | null;
  /** Name of the kind in the rule book that derives it; null where none does. */
  readonly assetKind: string | null;
  readonly sources: readonly AssetSource[];
  /** Sources in addition to these. */
  readonly unlisted: number;
  /** Links that deriving asked for and that no account has. */
  readonly unlinked: readonly LinkRole[];
}

/**
 * Derives one asset as `verifyAssets` does, and again without each of the accounts and leaf records that it is made of.
 *
 * @param states - of the slot in question: a store, or `statesAtView`
 */
export const explainAsset = async (id: AddressBytes, states: StateReader): Promise<AssetExplanation> => {
  const claims = new ClaimReader(ruleBook.accounts);
  const reader = new RoundReader(states, () => {});
  const [view] = (await loadViews([id], reader, claims, ruleBook.ledgers)) as [StandingView];
  const derive = async (from: StateReader): Promise<Asset | null> => {
    const [derived] = await deriveAssets([id], new RoundReader(from, () => {}), claims, ruleBook);
    return derived?.asset ?? null;
  };
  const accounts = accountsOf(view, reader, claims);
  const sources: AssetSource[] = [];
  for (const source of leafRecordsOf(view.leaf))
    sources.push({
      ...source,
      without: await derive(withLeaf(states, withoutRecord(view.leaf!, source.record))),
    });
  for (const { address, value: role } of accounts.slice(0, SOURCES_EXPLAINED_MAX)) {
    const state = reader.state(address);
    const isLinked = role !== "self" && role !== "part" && role !== "other";
    const standing: KnownAccount | null = isLinked
      ? (view.linked(role).find(({ current }) => sameBytes(current.address, address)) ?? null)
      : claims.standAt(state);
    const stands = standing === null ? "none" : standing.closed ? "lastLife" : "current";
    const program = (standing?.claiming ?? state?.current)?.programOwner;
    const rule = program === undefined ? null : (claims.ruleOf(program)?.name ?? null);
    const without = await derive(withoutAccount(states, address));
    sources.push({ kind: "account", role, address, state, stands, rule, without });
  }
  const assetKind = ruleBook.kinds.find((kind) => (kind.derive(view)?.record ?? null) !== null);
  return {
    asset: await derive(states),
    assetKind: assetKind?.name ?? null,
    sources,
    unlisted: Math.max(0, accounts.length - SOURCES_EXPLAINED_MAX),
    unlinked: rolesOf(view, claims, reader).filter((role) => view.linked(role).length === 0),
  };
};

const rolesOf = ({ id }: StandingView, claims: ClaimReader, reader: RoundReader): readonly LinkRole[] => [
  ...commonRoles,
  ...(claims.standAt(reader.state(id))?.claim.roles ?? []),
];

/** The accounts around an asset, each with the first role that it was read for. */
const accountsOf = (view: StandingView, reader: RoundReader, claims: ClaimReader) => {
  const accounts = new AddressMap<SourceRole>();
  const add = (role: SourceRole, address: AddressBytes): void => {
    if (!accounts.has(address)) accounts.set(address, role);
  };
  add("self", view.id);
  for (const role of rolesOf(view, claims, reader))
    for (const { current } of view.linked(role)) add(role, current.address);
  // Their own claims only: the address of a closed asset may now hold an account of another one.
  for (const { claim } of view.accounts) {
    for (const part of claim.parts) add("part", part);
    for (const other of claim.others) add("other", other);
  }
  const { leaf } = view;
  if (leaf !== null)
    for (const collection of ruleBook.ledgers.flatMap((rule) => rule.collectionsOf(leaf)))
      add("other", collection);
  return accounts.entries();
};

const leafRecords = ["leaf", "metadata", "end"] as const;

const leafRecordsOf = (ledger: LedgerState | null): readonly Omit<LeafSource, "without">[] => {
  if (ledger === null) return [];
  const state = leafStateOf(ledger);
  return leafRecords.flatMap((record) => {
    const change = state[record];
    if (change === null) return [];
    const { tree, nonce: leafIndex } = state;
    const { seq, slot } = change;
    return [{ kind: "leaf" as const, record, tree, leafIndex, seq, slot, rule: "bubblegum" }];
  });
};

/** Null where nothing is left. */
const withoutRecord = (ledger: LedgerState, record: LeafSource["record"]): LedgerState | null => {
  const rest: LeafState = { ...leafStateOf(ledger), [record]: null };
  return leafRecords.every((name) => rest[name] === null) ? null : ledgerOf(ledger.key, rest);
};

const withoutAccount = (states: StateReader, address: AddressBytes): StateReader => ({
  ...readsOf(states),
  readAccountStates: async (addresses) => {
    const read = await states.readAccountStates(addresses);
    return read.map((state, index) => (sameBytes(addresses[index]!, address) ? null : state));
  },
});

const withLeaf = (states: StateReader, leaf: LedgerState | null): StateReader => ({
  ...readsOf(states),
  readLedger: async (kind, keys) => (kind === "leaf" ? keys.map(() => leaf) : states.readLedger(kind, keys)),
});

/** Methods of a class are not copied by a spread. */
const readsOf = (states: StateReader): StateReader => ({
  readAccountStates: (addresses) => states.readAccountStates(addresses),
  readLinks: (targets, roles, limit) => states.readLinks(targets, roles, limit),
  readLinkPage: (target, role, after, limit) => states.readLinkPage(target, role, after, limit),
  readLedger: (kind, keys) => states.readLedger(kind, keys),
  readSeenSlots: (ids) => states.readSeenSlots(ids),
});
