import {
  addPluginV1,
  burnV1,
  createCollectionV1,
  createPlugin,
  createV1,
  transferV1,
  updateCollectionV1,
  updateV1,
} from "@metaplex-foundation/mpl-core";
import type { Address, KeyPairSigner } from "@solana/kit";
import { seededSigner } from "../bank/seeded-signer.ts";
import type { MetaplexCast } from "./metaplex-cast.ts";
import { keyOf } from "./umi-instructions.ts";

const ASSETS_OF_STORY = 3;

/** A Core collection and its assets: made, changed, given away, some burnt. */
export const emitCoreStory = async (cast: MetaplexCast): Promise<readonly Address[]> => {
  const { umi, random, boss, friend, attempt } = cast;
  const collection = await seededSigner(random);
  const [ofBoss, ofFriend] = [umi.signer(boss), keyOf(friend)];
  await attempt(
    "core: create a collection",
    createCollectionV1(umi.context, {
      collection: umi.signer(collection),
      updateAuthority: keyOf(boss),
      name: `Collection ${random.below(1000)}`,
      uri: "https://example.com/collection.json",
    }),
  );
  const assets: KeyPairSigner[] = [];
  for (let number = 0; number < ASSETS_OF_STORY; number += 1) {
    const asset = await seededSigner(random);
    assets.push(asset);
    const parts = { asset: keyOf(asset), collection: keyOf(collection), authority: ofBoss };
    await attempt(
      "core: create an asset",
      createV1(umi.context, {
        ...parts,
        asset: umi.signer(asset),
        owner: keyOf(boss),
        name: `Asset ${number}`,
        uri: `https://example.com/${number}.json`,
      }),
    );
    if (random.percent(60))
      await attempt(
        "core: add attributes",
        addPluginV1(umi.context, {
          ...parts,
          plugin: createPlugin({
            type: "Attributes",
            data: { attributeList: [{ key: "number", value: String(number) }] },
          }),
        }),
      );
    if (random.percent(50))
      await attempt(
        "core: update an asset",
        updateV1(umi.context, { ...parts, newName: `Renamed ${number}` }),
      );
    if (random.percent(40))
      await attempt("core: burn an asset", burnV1(umi.context, { ...parts, payer: ofBoss }));
    else if (random.percent(60))
      await attempt("core: transfer an asset", transferV1(umi.context, { ...parts, newOwner: ofFriend }));
  }
  await attempt(
    "core: update a collection",
    updateCollectionV1(umi.context, { collection: keyOf(collection), authority: ofBoss, newName: "Renamed" }),
  );
  return [collection, ...assets].map(({ address }) => address);
};
