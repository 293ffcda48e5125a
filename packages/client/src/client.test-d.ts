// Checked by the type checker alone: a line that stops failing where it should is an error.
import {
  type Answer,
  type Asset,
  type AssetAttribute,
  type BatchAnswer,
  createClient,
  type GetAssetResult,
  type GetNftEditionsResult,
  type GetTokenSupplyResult,
  type ParsedAccountData,
} from "./index.ts";

const client = createClient({ url: "http://127.0.0.1:5267", apiKey: "demo" });
const strings = createClient({ url: "http://127.0.0.1:5267", integers: "string" });
const bigints = createClient({ url: "http://127.0.0.1:5267", integers: "bigint" });

const same = <Expected>(value: Expected): Expected => value;

const key = { toBase58: () => "address" };

export const positions = async (): Promise<void> => {
  same<Promise<GetAssetResult>>(client.getAsset("id", { showFungible: true }));
  same<Promise<unknown>>(client.searchAssets(true, "any", null, undefined, "token"));
  same<Promise<unknown>>(client.getLargestAccounts({ filter: "circulating" }));
  same<Promise<GetAssetResult>>(client.getAsset(key));
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
  await client.searchAssets({ tokenType: "fungible", supply: 5n, ownerAddress: key });
  await client.searchAssets({ supply: 5, grouping: ["collection", key], minContextSlot: 7 });
  await client.getTokenAccountsByDelegate({ address: key, accountDetails: { mint: key } });
  // @ts-expect-error no such name
  await client.searchAssets({ ownerAdress: "owner" });
  // @ts-expect-error no such word
  await client.searchAssets({ interface: "V9_NFT" });
  // @ts-expect-error a required name is missing
  await client.getAccountInfo({ config: {} });
  // @ts-expect-error no such member
  await client.getAccountInfo({ address: "a", config: { encodin: "base64" } });
  // @ts-expect-error no such member
  await client.getAccountInfo("a", { encodin: "base64" });
};

export const results = async (): Promise<void> => {
  const info = await client.getAccountInfo("address");
  // @ts-expect-error null for a missing account
  same(info.value);
  same<bigint | undefined>(info?.value?.lamports);
  // @ts-expect-error an amount is no number
  same<number | undefined>(info?.value?.rentEpoch);
  same<number | undefined>(info?.value?.space);
  same<number | undefined>(info?.context.slot);
  same<number>((await client.getNftEditions("mint")).supply);
};

export const integers = async (): Promise<void> => {
  same<string | undefined>((await strings.getAccountInfo("a"))?.value?.lamports);
  same<number | undefined>((await strings.getAccountInfo("a"))?.value?.space);
  same<string | undefined>((await strings.getAsset("a")).token_info?.supply);
  same<bigint>((await bigints.getNftEditions("a")).supply);
  same<GetNftEditionsResult<"bigint">>(await bigints.getNftEditions("a"));
  // @ts-expect-error all 64-bit integers are bigint there
  same<number>((await bigints.getNftEditions("a")).supply);
};

export const encodings = async (): Promise<void> => {
  same<[string, "base64"] | undefined>((await client.getAccountInfo("a"))?.value?.data);
  same<[string, "base58"] | undefined>(
    (await client.getAccountInfo("a", { encoding: "base58" }))?.value?.data,
  );
  const config = { encoding: "jsonParsed" } as const;
  const data = (await client.getAccountInfo({ address: "a", config }))?.value?.data;
  same<ParsedAccountData | [string, "base64"] | undefined>(data);
  if (data === undefined || Array.isArray(data)) return;
  if (data.program === "spl-token" && data.parsed.type === "account")
    same<string>(data.parsed.info.tokenAmount.uiAmountString);
  if (data.program === "stake" && data.parsed.type === "delegated")
    same<string>(data.parsed.info.stake.delegation.voter);
  // @ts-expect-error only some records have an owner
  same(data.parsed.info.owner);
  const { value } = await client.getTokenAccountsByDelegate("a", { mint: "m" }, { encoding: "base64+zstd" });
  same<[string, "base64+zstd"]>(value[0]!.account.data);
};

export const components = (asset: Asset): void => {
  same<string | undefined>(asset.content.links.image);
  same<string | undefined>(asset.content.metadata.description);
  same<AssetAttribute[] | undefined>(asset.content.metadata.attributes);
  // @ts-expect-error no such link
  same(asset.content.links.imag);
};

export const lists = async (): Promise<void> => {
  for await (const asset of client.searchAssets.all({ ownerAddress: "o" }, { readAhead: 2 }))
    same<Asset>(asset);
  for await (const { edition } of client.getNftEditions.all("mint")) same<number>(edition);
  for await (const { total } of client.getNftEditions.all({ mint: key }).pages()) same<number>(total);
  // @ts-expect-error a walk goes forward
  client.searchAssets.all({ before: "asset" });
};

export const meta = async (): Promise<void> => {
  same<Answer<GetAssetResult>>(await client.withMeta.getAsset("id"));
};

export const batches = async (): Promise<void> => {
  const [asset, supply, info] = await client.batch([
    { method: "getAsset", params: ["id"] },
    { method: "getTokenSupply", params: { pubKey: key } },
    { method: "getAccountInfo", params: ["a", { encoding: "jsonParsed" }] },
  ]);
  same<BatchAnswer<GetAssetResult>>(asset);
  same<BatchAnswer<GetTokenSupplyResult>>(supply);
  if (info.ok) same<ParsedAccountData | [string, "base64"] | undefined>(info.result?.value?.data);
  // @ts-expect-error the answer may be a refusal
  same(asset.result);
  // @ts-expect-error no such method
  await client.batch([{ method: "getAssets", params: ["id"] }]);
  // @ts-expect-error params of another method
  await client.batch([{ method: "getAsset", params: { pubKey: "mint" } }]);
};
