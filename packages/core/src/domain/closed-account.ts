import { programAddresses } from "@lamplight/codecs";
import type { Account } from "./account.ts";
import type { AddressBytes, Slot } from "./address.ts";

/** A closed account, as of a slot: the system program owns it, and it has neither lamports nor data. */
export const closedAccount = (address: AddressBytes, slot: Slot, writeVersion = 0): Account => ({
  address,
  programOwner: programAddresses.system,
  lamports: 0n,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
  slot,
  writeVersion,
});
