// Anyone can send lamports to any account. Then slots write megabytes that an ancestor has, too: they share its bytes.

import { sameBytes } from "@lamplight/codecs";
import { type AccountWrite, AddressMap } from "@lamplight/core";
import { Delta, newestWrite, type Path } from "../engine/delta.ts";
import { describingPrograms } from "../programs/programs.ts";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";

/** The changes of a slot. Large data that the newest write of an ancestor has are those of the ancestor. */
export const shareData = (changes: Delta, below: Path): Delta => {
  const shared = sharedWrites(changes.accounts, below);
  if (shared.size === 0) return changes;
  const writes = new AddressMap<AccountWrite>();
  changes.writes.forEach((address, write, hash) =>
    writes.set(address, shared.get(address, hash) ?? write, hash),
  );
  return new Delta({ ...changes, writes }, changes.watermark);
};

/** Those of the writes that have the large data of an ancestor, with the bytes of the ancestor. */
export const sharedWrites = (accounts: readonly AccountWrite[], below: Path): AddressMap<AccountWrite> => {
  const shared = new AddressMap<AccountWrite>();
  for (const write of accounts) {
    const { current } = write.state;
    if (current.data.length < SHARED_DATA_BYTES_MIN || isDescribing(write)) continue;
    const data = newestWrite(below, current.address)?.state.current.data;
    if (data !== undefined && Buffer.compare(data, current.data) === 0)
      shared.set(current.address, withData(write, data));
  }
  return shared;
};

export const withData = (write: AccountWrite, data: Uint8Array): AccountWrite => ({
  ...write,
  state: { ...write.state, current: { ...write.state.current, data } },
});

/** The facts of assets are views of the account's own data, which would be kept in addition. */
const isDescribing = ({ state }: AccountWrite): boolean =>
  describingPrograms.some((program) => sameBytes(program, state.current.programOwner));
