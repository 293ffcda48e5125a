import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { client } from "./lamplight.ts";

const PAGE = 6;

/** The NFTs of a wallet, page by page. */
export const nftsOf = (ownerAddress: string) =>
  infiniteQueryOptions({
    queryKey: ["nfts", ownerAddress],
    queryFn: ({ pageParam, signal }) =>
      client.with({ signal }).searchAssets({
        ownerAddress,
        tokenType: "nonFungible",
        limit: PAGE,
        cursor: pageParam ?? undefined,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });

export const assetOf = (id: string) =>
  queryOptions({
    queryKey: ["asset", id],
    queryFn: ({ signal }) => client.with({ signal }).getAsset({ id }),
  });
