import {
  type Account,
  type AddressBytes,
  AddressMap,
  hashAddress,
  type LinkRole,
  type Slot,
} from "@lamplight/core";
import type { KnownAccount } from "../../rules/rules.ts";
import { linksPerAssetMax } from "../limits.ts";
import { commonRoles, type LoadedView } from "../load-views.ts";
import { type ClaimRecord, claimRecordsOf, isMarked, partMark } from "./claim-record.ts";
import { sortedByAddress } from "./sort-by-address.ts";

/** A view, and the lowest slots that its records were seen at. */
export interface PartitionView {
  readonly view: LoadedView;
  readonly seen: AddressMap<Slot>;
}

/** What was filed under one address. */
interface Bundle {
  readonly id: AddressBytes;
  named: boolean;
  self: Account | null;
  /** Roles that `self` asks for. */
  mark: number;
  seen: Slot | null;
  readonly linked: { readonly role: LinkRole; readonly account: Account }[];
  readonly parts: {
    readonly address: AddressBytes;
    readonly account: Account | null;
    readonly isPart: boolean;
  }[];
  readonly partsSeen: { readonly address: AddressBytes; readonly slot: Slot }[];
}

/**
 * Views of the addresses that are named as assets, ascending, out of everything that was filed in one partition. Only
 * what has a claim was filed, so nothing has to be asked for its claim again.
 */
export const viewsOf = (spills: readonly Buffer[]): PartitionView[] => {
  const bundles = new AddressMap<Bundle>();
  for (const bytes of spills) for (const record of claimRecordsOf(bytes)) add(bundles, record);
  const named = bundles.values().filter((bundle) => bundle.named);
  return sortedByAddress(named, ({ id }) => id).map((bundle) => ({
    view: viewOf(bundle),
    seen: seenOf(bundle),
  }));
};

const add = (bundles: AddressMap<Bundle>, record: ClaimRecord): void => {
  const { kind } = record;
  if (kind === "bareLink" || kind === "need") return;
  const bundle = bundleOf(bundles, record.key);
  bundle.named ||= record.named;
  const { seen, account } = record;
  if (kind === "part") {
    const { other: address } = record;
    bundle.parts.push({ address, account, isPart: record.mark === partMark });
    if (seen !== null) bundle.partsSeen.push({ address, slot: seen });
    return;
  }
  if (seen !== null) bundle.seen = bundle.seen === null ? seen : Math.min(bundle.seen, seen);
  if (kind === "self") {
    bundle.self = account;
    bundle.mark = record.mark;
  } else if (account !== null) bundle.linked.push({ role: record.role, account });
};

const bundleOf = (bundles: AddressMap<Bundle>, id: AddressBytes): Bundle => {
  const hash = hashAddress(id);
  const known = bundles.get(id, hash);
  if (known !== undefined) return known;
  const bundle: Bundle = {
    id,
    named: false,
    self: null,
    mark: 0,
    seen: null,
    linked: [],
    parts: [],
    partsSeen: [],
  };
  bundles.set(id, bundle, hash);
  return bundle;
};

const viewOf = ({ id, self, mark, linked, parts }: Bundle): LoadedView => ({
  id,
  self: self === null ? null : living(self),
  leaf: null,
  linked: (role) => (commonRoles.includes(role) || isMarked(mark, role) ? linkedIn(linked, role) : []),
  find: (address) => {
    for (const part of parts)
      if (part.account !== null && isSame(part.address, address)) return living(part.account);
    return null;
  },
  records: [id, ...parts.filter(({ isPart }) => isPart).map(({ address }) => address)],
});

/** Ascending by address. */
const linkedIn = (linked: Bundle["linked"], role: LinkRole): KnownAccount[] => {
  const accounts = linked.filter((one) => one.role === role).map(({ account }) => account);
  if (accounts.length > 1) accounts.sort((a, b) => Buffer.compare(a.address, b.address));
  return accounts.slice(0, linksPerAssetMax).map(living);
};

/** Ledger snapshots hold nothing but what is there now. */
const living = (account: Account): KnownAccount => ({ current: account, speaking: account, closed: false });

const seenOf = ({ id, seen, partsSeen }: Bundle): AddressMap<Slot> => {
  const slots = new AddressMap<Slot>();
  if (seen !== null) slots.set(id, seen);
  for (const { address, slot } of partsSeen) slots.set(address, slot);
  return slots;
};

const isSame = (a: AddressBytes, b: AddressBytes): boolean => Buffer.compare(a, b) === 0;
