import { findProgramAddress, isDerivedAddress } from "../pda/program-address.ts";
import { programAddresses } from "../programs/addresses.ts";

const assetSeed = new TextEncoder().encode("asset");

/**
 * Address that stands for a leaf of a Bubblegum tree. Costs a search for an address off the curve (tens of
 * microseconds): where a leaf event carries the id, take that, its hash binds it.
 *
 * @param nonce - the leaf's number, wire `leaf_id`
 */
export const deriveAssetId = (tree: Uint8Array, nonce: number): Uint8Array => {
  const nonceBytes = new Uint8Array(8);
  new DataView(nonceBytes.buffer).setBigUint64(0, BigInt(nonce), true);
  return findProgramAddress([assetSeed, tree, nonceBytes], programAddresses.bubblegum).address;
};

/** Whether Bubblegum derives this address for the config of the tree, which is the tree's authority. */
export const isTreeConfigAddress = (address: Uint8Array, tree: Uint8Array): boolean =>
  isDerivedAddress(address, [tree], programAddresses.bubblegum);
