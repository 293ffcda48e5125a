// Checked by the type checker alone: a line that stops failing where it should is an error.
import { type BatchAnswer, createClient, type GetAssetResult, type GetTokenSupplyResult } from "./index.ts";

const client = createClient({ url: "http://127.0.0.1:5267", apiKey: "demo" });

const same = <Expected>(value: Expected): Expected => value;

export const positions = async (): Promise<void> => {
  same<Promise<GetAssetResult>>(client.getAsset("id", { showFungible: true }));
  same<Promise<unknown>>(client.searchAssets(true, "any", null, undefined, "token"));
  same<Promise<unknown>>(client.getLargestAccounts({ filter: "circulating" }));
  // @ts-expect-error a required position is missing
  await client.getAsset();
  // @ts-expect-error the page is a number
  await client.getNftEditions("mint", "1");
  // @ts-expect-error no such option
  await client.getAsset("id", { showFungibles: true });
  // @ts-expect-error too many positions
  await client.getTokenSupply("mint", null, null);
};

export const names = async (): Promise<void> => {
  same<Promise<GetTokenSupplyResult>>(client.getTokenSupply({ pubKey: "mint" }));
  await client.searchAssets({ tokenType: "fungible", supply: 5n, ownerAddress: "owner" });
  // @ts-expect-error no such name
  await client.searchAssets({ ownerAdress: "owner" });
  // @ts-expect-error no such word
  await client.searchAssets({ interface: "V9_NFT" });
  // @ts-expect-error a required name is missing
  await client.getAccountInfo({ config: {} });
};

export const results = async (): Promise<void> => {
  const info = await client.getAccountInfo("address");
  // @ts-expect-error null for a missing account
  same(info.value);
  same<bigint | undefined>(info?.value?.lamports);
  // @ts-expect-error a u64 is no number
  same<number | undefined>(info?.value?.rentEpoch);
  same<number | undefined>(info?.context.slot);
};

export const batches = async (): Promise<void> => {
  const [asset, supply] = await client.batch([
    { method: "getAsset", params: ["id"] },
    { method: "getTokenSupply", params: { pubKey: "mint" } },
  ]);
  same<BatchAnswer<GetAssetResult>>(asset);
  same<BatchAnswer<GetTokenSupplyResult>>(supply);
  // @ts-expect-error the answer may be a refusal
  same(asset.result);
  // @ts-expect-error no such method
  await client.batch([{ method: "getAssets", params: ["id"] }]);
  // @ts-expect-error params of another method
  await client.batch([{ method: "getAsset", params: { pubKey: "mint" } }]);
};
