// The master edition of a print. Answers name only its edition account, so its mint is found by the document, which a print copies.
import { call } from "./rpc.js";

const ASSETS_MAX = 100;
/** Each is proved by a call. */
const CANDIDATES_MAX = 8;

export const isPrint = ({ supply }) => (supply?.edition_number ?? null) !== null;

/** Without a master edition there are no prints, and none can be made. */
export const hasPrints = ({ supply }) =>
  Boolean(supply) && (supply.print_max_supply !== 0 || supply.print_current_supply > 0);

const accountOf = async (mint) => {
  const { result } = await call("getNftEditions", { mint, limit: 1 });
  return result?.master_edition_address;
};

/** The asset whose print this one is; null for anything else, and where no asset with its document is the master edition. */
export const findMaster = async (asset) => {
  const jsonUri = asset.content?.json_uri;
  if (!isPrint(asset) || !jsonUri) return null;
  const oldestFirst = { sortBy: "created", sortDirection: "asc" };
  const [account, { result }] = await Promise.all([
    accountOf(asset.id),
    call("searchAssets", { jsonUri, sortBy: oldestFirst, limit: ASSETS_MAX }),
  ]);
  if (account === undefined) return null;
  const candidates = (result?.items ?? []).filter((one) => !isPrint(one) && hasPrints(one));
  for (const candidate of candidates.slice(0, CANDIDATES_MAX))
    if ((await accountOf(candidate.id)) === account) return candidate;
  return null;
};
