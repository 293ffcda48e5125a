import {
  type Account,
  type AddressBytes,
  AddressMap,
  hashAddress,
  type LinkRole,
  type Slot,
} from "@lamplight/core";
import type { KnownAccount } from "../../rules/rules.ts";
import { LINKS_PER_ASSET_MAX } from "../limits.ts";
import { commonRoles } from "../../programs/programs.ts";
import type { LoadedView } from "../load-views.ts";
import { type ClaimRecord, claimRecordsOf, isMarked, PART_MARK } from "./claim-record.ts";
import { sortedByAddress } from "./sort-by-address.ts";

/** A view, and the lowest slots that its records were seen at. */
export interface PartitionView {
  readonly view: LoadedView;
  readonly seen: AddressMap<Slot>;
}

/** The records of one address. */
interface Bundle {
  readonly id: AddressBytes;
  named: boolean;
  self: ClaimRecord | null;
  seen: Slot | null;
  readonly linked: ClaimRecord[];
  readonly parts: ClaimRecord[];
}

/**
 * Views of the assets of one partition, ascending by address. The partition contains only accounts that describe an
 * asset, so the rules do not have to check that again.
 */
export function* viewsOf(spills: readonly Buffer[]): Generator<PartitionView, void> {
  const bundles = new AddressMap<Bundle>();
  for (const bytes of spills) for (const record of claimRecordsOf(bytes)) add(bundles, record);
  const named = bundles.values().filter((bundle) => bundle.named);
  for (const bundle of sortedByAddress(named, ({ id }) => id))
    yield { view: viewOf(bundle), seen: seenOf(bundle) };
}

const add = (bundles: AddressMap<Bundle>, record: ClaimRecord): void => {
  const { kind } = record;
  if (kind === "bareLink" || kind === "need") return;
  const bundle = bundleOf(bundles, record.key);
  bundle.named ||= record.named;
  if (kind === "part") {
    bundle.parts.push(record);
    return;
  }
  const { seen } = record;
  if (seen !== null) bundle.seen = bundle.seen === null ? seen : Math.min(bundle.seen, seen);
  if (kind === "self") bundle.self = record;
  else if (kind === "link") bundle.linked.push(record);
};

const bundleOf = (bundles: AddressMap<Bundle>, id: AddressBytes): Bundle => {
  const hash = hashAddress(id);
  const known = bundles.get(id, hash);
  if (known !== undefined) return known;
  const bundle: Bundle = { id, named: false, self: null, seen: null, linked: [], parts: [] };
  bundles.set(id, bundle, hash);
  return bundle;
};

const viewOf = ({ id, self, linked, parts }: Bundle): LoadedView => {
  const own = self?.account ?? null;
  const mark = self?.mark ?? 0;
  return {
    id,
    self: own === null ? null : living(own),
    leaf: null,
    linked: (role) => (commonRoles.includes(role) || isMarked(mark, role) ? linkedIn(linked, role) : []),
    find: (address) => {
      const account = parts.find((part) => part.isOf(address))?.account ?? null;
      return account === null ? null : living(account);
    },
    records: [id, ...parts.filter((part) => part.mark === PART_MARK).map(({ other }) => other)],
  };
};

/** Ascending by address. */
const linkedIn = (linked: readonly ClaimRecord[], role: LinkRole): KnownAccount[] => {
  const accounts = linked.filter((one) => one.role === role).map(({ account }) => account as Account);
  if (accounts.length > 1) accounts.sort((a, b) => Buffer.compare(a.address, b.address));
  return accounts.slice(0, LINKS_PER_ASSET_MAX).map(living);
};

/** A ledger snapshot contains no closed accounts. */
const living = (account: Account): KnownAccount => ({ current: account, claiming: account, closed: false });

const seenOf = ({ id, seen, parts }: Bundle): AddressMap<Slot> => {
  const slots = new AddressMap<Slot>();
  if (seen !== null) slots.set(id, seen);
  for (const part of parts) if (part.seen !== null) slots.set(part.other, part.seen);
  return slots;
};
