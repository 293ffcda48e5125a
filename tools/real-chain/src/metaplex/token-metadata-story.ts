import {
  burnV1,
  createFungible,
  createNft,
  createProgrammableNft,
  findMasterEditionPda,
  findMetadataPda,
  printSupply,
  TokenStandard,
  transferV1,
  updateMetadataAccountV2,
} from "@metaplex-foundation/mpl-token-metadata";
import { none, percentAmount, type PublicKey } from "@metaplex-foundation/umi";
import type { Address } from "@solana/kit";
import { seededSigner } from "../bank/seeded-signer.ts";
import type { MetaplexCast } from "./metaplex-cast.ts";
import { keyOf } from "./umi-instructions.ts";

/** A master edition, a programmable NFT and a token: made, changed, given away, some burnt. */
export const emitTokenMetadataStory = async (cast: MetaplexCast): Promise<readonly Address[]> => {
  const { umi, random, boss, friend, attempt } = cast;
  const mints = [await seededSigner(random), await seededSigner(random), await seededSigner(random)] as const;
  const [master, programmable, fungible] = mints;
  const data = {
    symbol: "STORY",
    uri: "https://example.com/nft.json",
    sellerFeeBasisPoints: percentAmount(random.below(20), 2),
    tokenOwner: keyOf(boss),
  };
  await attempt(
    "metadata: create a master edition",
    createNft(umi.context, {
      ...data,
      mint: umi.signer(master),
      name: "Master",
      printSupply: printSupply("Limited", [10n]),
    }),
  );
  await attempt(
    "metadata: create a programmable NFT",
    createProgrammableNft(umi.context, { ...data, mint: umi.signer(programmable), name: "Programmable" }),
  );
  await attempt(
    "metadata: create a token",
    createFungible(umi.context, { ...data, mint: umi.signer(fungible), name: "Token" }),
  );
  if (random.percent(50))
    await attempt(
      "metadata: rename",
      updateMetadataAccountV2(umi.context, {
        metadata: findMetadataPda(umi.context, { mint: keyOf(master) }),
        data: {
          collection: none(),
          uses: none(),
          name: "Renamed",
          symbol: "S",
          uri: data.uri,
          sellerFeeBasisPoints: 100,
          creators: [{ address: keyOf(boss), verified: true, share: 100 }],
        },
      }),
    );
  const moved = { authority: umi.signer(boss), tokenOwner: keyOf(boss) };
  if (random.percent(60))
    await attempt(
      "metadata: transfer a programmable NFT",
      transferV1(umi.context, {
        ...moved,
        mint: keyOf(programmable),
        destinationOwner: keyOf(friend),
        tokenStandard: TokenStandard.ProgrammableNonFungible,
      }),
    );
  else
    await attempt(
      "metadata: burn a programmable NFT",
      burnV1(umi.context, {
        ...moved,
        mint: keyOf(programmable),
        tokenStandard: TokenStandard.ProgrammableNonFungible,
      }),
    );
  if (random.percent(50))
    await attempt(
      "metadata: burn a master edition",
      burnV1(umi.context, { ...moved, mint: keyOf(master), tokenStandard: TokenStandard.NonFungible }),
    );
  const described = ({ address }: { readonly address: Address }): readonly PublicKey[] => {
    const mint = { mint: keyOf({ address }) };
    return [mint.mint, findMetadataPda(umi.context, mint)[0], findMasterEditionPda(umi.context, mint)[0]];
  };
  return mints.flatMap(described).map((key) => key as string as Address);
};
