import { type ChangeSet, isOlderVersion } from "@lamplight/core";
import { addressKey, type Delta, DeltaDraft, type StateReader } from "@lamplight/indexer";

/**
 * The changes of a commit as a delta over the state that `reader` reads: without older versions, which a commit
 * ignores, and with what a path must know of the states before.
 */
export const deltaOf = async (changes: ChangeSet, reader: StateReader): Promise<Delta> => {
  const draft = new DeltaDraft();
  await addAccounts(draft, changes, reader);
  await addSeen(draft, changes, reader);
  const added = new Set(changes.linksAdded.map(linkKey));
  for (const link of changes.linksRemoved) if (!added.has(linkKey(link))) draft.removeLink(link);
  for (const link of changes.linksAdded) draft.addLink(link);
  for (const id of changes.assetsRemoved) draft.setAsset(id, null);
  for (const asset of changes.assets) draft.setAsset(asset.id, asset);
  for (const address of changes.editionsRemoved) draft.setEdition(address, null);
  for (const edition of changes.editions) draft.setEdition(edition.address, edition);
  for (const one of changes.ledger) draft.setLedger(one);
  return draft.finish(changes.watermark);
};

const addAccounts = async (
  draft: DeltaDraft,
  { accounts }: ChangeSet,
  reader: StateReader,
): Promise<void> => {
  const states = await reader.readAccountStates(accounts.map(({ state }) => state.current.address));
  for (const [index, { state }] of accounts.entries()) {
    const before = states[index] ?? null;
    if (before === null || !isOlderVersion(state.current, before.current)) draft.setState(state, before);
  }
};

const addSeen = async (draft: DeltaDraft, { assetsSeen }: ChangeSet, reader: StateReader): Promise<void> => {
  const slots = await reader.readSeenSlots(assetsSeen.map(({ id }) => id));
  for (const [index, { id, slot }] of assetsSeen.entries()) {
    const known = slots[index] ?? null;
    if (known === null || slot < known) draft.seen.set(id, slot);
  }
};

const linkKey = ({ role, target, source }: ChangeSet["linksAdded"][number]): string =>
  `${role} ${addressKey(target)} ${addressKey(source)}`;
