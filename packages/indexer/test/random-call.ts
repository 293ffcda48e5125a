import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { commitments } from "@lamplight/core";
import type { ChainSimulation, Random } from "@lamplight/devchain";

export interface Call {
  readonly method: string;
  readonly params: unknown;
}

const methods = [
  "getAccountInfo",
  "getAccountInfo",
  "getTokenAccountsByDelegate",
  "getTokenAccountsByDelegate",
  "getLargestAccounts",
  "getTokenSupply",
  "getAsset",
  "getAsset",
  "getNftEditions",
  "searchAssets",
  "searchAssets",
  "searchAssets",
  "searchAssets",
] as const;

const interfaces = ["V1_NFT", "ProgrammableNFT", "FungibleToken", "FungibleAsset", "Custom"] as const;
const sorts = ["id", "created", "updated", "recent_action", "none"] as const;

/** A call of any method about something that the chain has, had, or never had. */
export const randomCall = (random: Random, simulation: ChainSimulation): Call => {
  const method = methods[random.below(methods.length)]!;
  const commitment = commitments[random.below(commitments.length)]!;
  const config = { commitment };
  const address = (): string => encodeAddress(simulation.samples.address(random));
  const encoding = random.percent(50) ? "base64" : "jsonParsed";
  switch (method) {
    case "getAccountInfo":
      return { method, params: [address(), { ...config, encoding }] };
    case "getTokenAccountsByDelegate": {
      const programId = encodeAddress(
        random.percent(70) ? programAddresses.token : programAddresses.token2022,
      );
      return {
        method,
        params: [encodeAddress(simulation.samples.delegate(random)), { programId }, { ...config, encoding }],
      };
    }
    case "getLargestAccounts": {
      const filter = [undefined, "circulating", "nonCirculating"][random.below(3)];
      return { method, params: [filter === undefined ? config : { ...config, filter }] };
    }
    case "getTokenSupply":
      return { method, params: [address(), config] };
    case "getAsset":
      return {
        method,
        params: {
          id: random.percent(30) ? encodeAddress(simulation.samples.leaf(random)) : address(),
          options: flags(random),
        },
      };
    case "getNftEditions":
      return { method, params: editionsParams(random, encodeAddress(simulation.samples.masterMint(random))) };
    case "searchAssets":
      return { method, params: searchParams(random, simulation) };
    default:
      return method satisfies never;
  }
};

const flags = (random: Random): object => ({
  showFungible: random.percent(50),
  showUnverifiedCollections: random.percent(30),
  showCollectionMetadata: random.percent(30),
});

const editionsParams = (random: Random, mint: string): object => {
  const limit = random.between(1, 4);
  const start = random.below(3);
  const number = String(random.below(8));
  if (start === 0) return { mint, limit, page: random.between(1, 3) };
  return start === 1 ? { mint, limit, after: number } : { mint, limit, before: number };
};

const searchParams = (random: Random, simulation: ChainSimulation): object => {
  const address = (): string => encodeAddress(simulation.samples.address(random));
  const wallet = (): string => encodeAddress(simulation.samples.owner(random));
  const criteria: Record<string, unknown> = {};
  for (let count = random.below(3); count > 0; count -= 1) {
    switch (random.below(10)) {
      case 0:
        criteria["interface"] = interfaces[random.below(interfaces.length)];
        break;
      case 1:
      case 2:
        criteria["ownerAddress"] = wallet();
        if (random.percent(40)) criteria["ownerType"] = random.percent(60) ? "token" : "single";
        break;
      case 3:
        criteria["burnt"] = random.percent(50);
        break;
      case 4:
        criteria["frozen"] = random.percent(50);
        break;
      case 5:
        criteria["tokenType"] = ["fungible", "nonFungible", "regularNft"][random.below(3)];
        break;
      case 6:
        criteria["supply"] = random.below(3);
        break;
      case 7:
        criteria["supplyMint"] = address();
        break;
      case 8:
        criteria["compressed"] = random.percent(70);
        break;
      default:
        criteria["creatorVerified"] = random.percent(50);
    }
  }
  const start = random.below(4);
  return {
    ...criteria,
    ...(Object.keys(criteria).length > 0 ? { conditionType: random.percent(50) ? "all" : "any" } : {}),
    negate: random.percent(20),
    limit: random.percent(20) ? 100 : random.between(1, 6),
    sortBy: { sortBy: sorts[random.below(sorts.length)], sortDirection: random.percent(50) ? "asc" : "desc" },
    ...(start === 0
      ? { after: address() }
      : start === 1
        ? { before: address() }
        : { page: random.between(1, 4) }),
    ...(random.percent(20) ? { options: { showZeroBalance: true } } : {}),
  };
};
