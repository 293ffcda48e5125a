import { AddressMap } from "../engine/address-map.ts";
import type { StateReader } from "../engine/state-reader.ts";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";
import type { DataBelow } from "./shared-data.ts";

/** Finalized data in the store of the writer. */
export const storedData =
  (store: Pick<StateReader, "readAccountStates">): DataBelow =>
  async (address) => {
    const [state] = await store.readAccountStates([address]);
    return state?.current.data ?? null;
  };

/**
 * The store while slots are derived and published, and its rows stay as they are. Large data that deriving reads are not
 * read again to be compared with what is published.
 */
export const readingOnce = (
  store: StateReader,
): { readonly store: StateReader; readonly data: DataBelow } => {
  const large = new AddressMap<Uint8Array>();
  const readOther = storedData(store);
  return {
    store: {
      readAccountStates: async (addresses) => {
        const states = await store.readAccountStates(addresses);
        for (const state of states)
          if (state !== null && state.current.data.length >= SHARED_DATA_BYTES_MIN)
            large.set(state.current.address, state.current.data);
        return states;
      },
      readLinks: (targets, roles, limit) => store.readLinks(targets, roles, limit),
      readLinkPage: (target, role, after, limit) => store.readLinkPage(target, role, after, limit),
      readLedger: (kind, keys) => store.readLedger(kind, keys),
      readSeenSlots: (ids) => store.readSeenSlots(ids),
    },
    data: async (address) => large.get(address) ?? readOther(address),
  };
};
