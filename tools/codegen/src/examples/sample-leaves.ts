import { SAMPLE_SEED } from "@lamplight/cli/sample-chain";
import { LivingChain } from "@lamplight/devchain";

const { world } = new LivingChain({ seed: SAMPLE_SEED });
const leaves = world.ids().flatMap((id) => {
  const asset = world.find(id);
  return asset?.type === "leaf" ? [{ id, version: asset.held.leaf.version, burnt: asset.burnt }] : [];
});

const idOf = (wanted: { readonly version: 1 | 2; readonly burnt: boolean }): string =>
  leaves.find(({ version, burnt }) => version === wanted.version && burnt === wanted.burnt)!.id;

/** Ids of compressed assets of the sample chain. */
export const sampleLeaves = {
  v1: idOf({ version: 1, burnt: false }),
  v2: idOf({ version: 2, burnt: false }),
  burnt: idOf({ version: 1, burnt: true }),
} as const;
