import { isMembers } from "./members.ts";
import { base58Of, type KnownDifference, knownDifferences } from "./known-differences.ts";

/** Members that hosted servers add, and that this project leaves to others. */
const hosted =
  /\/(?:price_info|price_per_sol|total_price|cdn_uri|associated_token_address|token_extensions|extensions|group_definition|spl20|lamports|executable|metadata_owner)$/u;

/** Members that are answered here, and are absent, null or 0 elsewhere. */
const ours =
  /\/(?:supply\/(?:print_max_supply|print_current_supply|edition_nonce|edition_number)|token_info\/(?:token_accounts?|balance|symbol)|delegate|close_authority|delegated_amount)$/u;

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  Number(value) === 0 ||
  (isMembers(value) && Object.keys(value).length === 0);

/** In which DAS servers differ by decision. The guide *The DAS methods* has the same list, by method. */
export const dasDifferences: readonly KnownDifference[] = [
  ...knownDifferences,
  {
    reason: "paging: the answer repeats the start of the page, or a list of errors without any",
    holds: ({ at, ours: a, theirs }) =>
      /^\/(?:before|after)$/u.test(at) || (at === "/errors" && isEmptyList(a ?? theirs)),
  },
  {
    reason: "prices, proxied files and other additions of hosted servers",
    holds: ({ at, ours: a }) => a === undefined && hosted.test(at),
  },
  {
    reason: "token_info is answered with showFungible, as in the specification",
    holds: ({ at, ours: a }) => a === undefined && at.endsWith("/token_info"),
  },
  {
    reason: "a member that the other server leaves empty",
    holds: ({ at, theirs }) => isEmpty(theirs) && ours.test(at),
  },
  {
    reason: "owner of a fungible token in the list of a wallet: the wallet here, empty in das_api",
    holds: ({ at, theirs }, answer) => theirs === "" && isOwnerOfFungible(at, answer),
  },
  {
    reason: "both spellings: mint and mint_address, edition and edition_number",
    holds: ({ at, theirs }) =>
      theirs === undefined && /^\/editions\/\d+\/(?:mint|edition)(?:_address|_number)?$/u.test(at),
  },
  {
    reason: "order of token accounts and prints: by address and by number here, none in das_api",
    holds: ({ at }) => /^\/(?:token_accounts|editions) \(order\)$/u.test(at),
  },
  {
    reason: "groups: `verified` is answered with showUnverifiedCollections, as in the specification",
    holds: ({ at, ours: a, theirs }) =>
      /\/grouping\/\d+\/verified$/u.test(at) && (a === undefined || theirs === undefined),
  },
  {
    reason: "collection metadata: that of the collection here, that of the asset itself in das_api",
    holds: ({ at }) => at.includes("/collection_metadata/"),
  },
  {
    reason: "spelling of use_method",
    holds: ({ at, ours: a, theirs }) =>
      at.endsWith("/uses/use_method") && String(a).toLowerCase() === String(theirs).toLowerCase(),
  },
  {
    reason: "hashes of a leaf that left its tree: empty here, zero bytes elsewhere",
    holds: ({ at, ours: a, theirs }) =>
      /\/compression\/\w+_hash$/u.test(at) && a === "" && isEmptyLeaf(theirs),
  },
  {
    reason: "proof of a burnt asset: none here, that of the empty leaf elsewhere",
    holds: ({ theirs }) => isMembers(theirs) && "proof" in theirs && isEmptyLeaf(theirs["leaf"]),
  },
  {
    reason: "an unknown authority: no entry here, an entry without address elsewhere",
    holds: ({ at, ours: a, theirs }) =>
      at.endsWith("/authorities/0") && a === undefined && isMembers(theirs) && theirs["address"] === "",
  },
  {
    reason:
      "assets without supply, such as burnt ones: listed here; das_api leaves them out, and its page reaches further",
    holds: ({ at, ours: a, theirs }, answer) =>
      /^\/items\/\w+$/u.test(at) &&
      (theirs === undefined
        ? isWithoutSupply(a)
        : a === undefined && isMembers(theirs) && isBehindPage(theirs["id"], answer)),
  },
  {
    reason:
      "fungible tokens: hidden without showFungible or showZeroBalance here; das_api lists those of an authority, and of empty token accounts",
    holds: ({ at, ours: a, theirs }) => /^\/items\/\w+$/u.test(at) && a === undefined && isFungible(theirs),
  },
  {
    reason: "items of a list carry at most 64 KiB of the off-chain document",
    holds: ({ at }) => at.endsWith("/truncated"),
  },
];

const isOwnerOfFungible = (at: string, answer: unknown): boolean => {
  const [, index] = /^\/items\/(\d+)\/ownership\/owner$/u.exec(at) ?? [];
  const item = index === undefined ? undefined : itemsOf(answer)[Number(index)];
  const ownership = isMembers(item) ? item["ownership"] : undefined;
  return isMembers(ownership) && ownership["ownership_model"] === "token";
};

const isFungible = (item: unknown): boolean =>
  isMembers(item) && /^Fungible(?:Token|Asset)$/u.test(String(item["interface"]));

const itemsOf = (answer: unknown): readonly Readonly<Record<string, unknown>>[] =>
  isMembers(answer) && Array.isArray(answer["items"]) ? answer["items"].filter(isMembers) : [];

const isWithoutSupply = (item: unknown): boolean => {
  if (!isMembers(item)) return false;
  const token = item["token_info"];
  return item["burnt"] === true || (isMembers(token) && Number(token["supply"]) === 0);
};

/** Whether an asset follows the last one of a page by id, where the page has one without supply. */
const isBehindPage = (id: unknown, answer: unknown): boolean => {
  const items = itemsOf(answer);
  const [first, last, behind] = [items[0]?.["id"], items.at(-1)?.["id"], id].map(bytesOf);
  if (!first || !last || !behind || !items.some(isWithoutSupply)) return false;
  const direction = Buffer.compare(last, first);
  return direction !== 0 && Buffer.compare(behind, last) === direction;
};

const bytesOf = (id: unknown): Uint8Array | null => (typeof id === "string" ? base58Of(id) : null);

/** Whether a hash is that of an empty leaf: 32 zero bytes. */
const isEmptyLeaf = (hash: unknown): boolean => hash === "1".repeat(32);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
