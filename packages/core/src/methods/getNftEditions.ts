import { editionAddress, encodeAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type { GetNftEditionsParams } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { AddressBytes } from "../domain/address.ts";
import type { Coverage } from "../domain/coverage.ts";
import type { Edition, MasterEdition } from "../domain/edition.ts";
import { parseAssetAddress } from "../params/addresses.ts";
import { assertOnePageStart, parseLimit, parsePage } from "../params/paging.ts";
import type { EditionStart } from "../ports/asset-reader.ts";
import type { ReadView } from "../ports/read-view.ts";
import { assertAbsenceIsKnown } from "./account-context.ts";
import type { Method } from "./method.ts";

/** Edition numbers are u64: at most 20 digits. */
const EDITION_NUMBER = /^\d{1,20}$/;
const U64_MAX = 2n ** 64n - 1n;

/**
 * The prints of a master edition, ascending by number. `before`, `after` and `cursor` cost the page at any depth; a
 * page number costs its depth.
 */
export const getNftEditions: Method<GetNftEditionsParams> = async (params, context) => {
  const mint = parseAssetAddress("mint", params.mint);
  const limit = parseLimit(params.limit);
  assertOnePageStart(params);
  const view = await context.views.view(context.settings.assetCommitment);
  const master = await getMasterEdition(view, mint, params.mint);
  await assertPrintsAreHeld(view, mint, params.mint, master);
  const start = await findStart(view, master, params, limit);
  const total = await view.editions.countEditions(master.address);
  const isBeyond = start.kind === "offset" && start.offset >= total;
  const editions = isBeyond ? [] : await view.editions.listEditions(master.address, start, limit);
  const position =
    start.kind === "offset"
      ? `"page":${start.offset / limit + 1},`
      : editions.length === 0
        ? ""
        : `"cursor":"${editions.at(-1)!.number}",`;
  return (
    `{"total":${total},"limit":${limit},${position}` +
    `"master_edition_address":"${encodeAddress(master.address)}","supply":${master.supply},` +
    `"max_supply":${master.maxSupply ?? "null"},"editions":[${editions.map(shapeEdition).join(",")}]}`
  );
};

const getMasterEdition = async (view: ReadView, mint: AddressBytes, text: string): Promise<MasterEdition> => {
  const master = await view.editions.findMasterEdition(mint);
  if (master !== null) return master;
  const known =
    (await view.assets.findAsset(mint)) !== null || (await view.accounts.findAccount(mint)) !== null;
  if (known && holdsTokenMetadata(view.coverage))
    throw new LamplightError("ASSET__NO_MASTER_EDITION", { id: text });
  assertAbsenceIsKnown(view.coverage, `master edition of ${text}`);
  throw new LamplightError("ASSET__NOT_FOUND", { id: text });
};

/** Whether every edition account there is would be here. */
const holdsTokenMetadata = (coverage: Coverage): boolean =>
  coverage.kind === "whole" || coverage.programs.includes(encodeAddress(programAddresses.tokenMetadata));

/**
 * A store of some mints, owners or collections holds an asset with all its prints, but of a print held by itself only
 * the master's account: a total of what happens to be there would be wrong.
 *
 * @throws LamplightError `STORE__NOT_COVERED`
 */
const assertPrintsAreHeld = async (
  view: ReadView,
  mint: AddressBytes,
  text: string,
  master: MasterEdition,
): Promise<void> => {
  if (holdsTokenMetadata(view.coverage)) return;
  const isOwn = sameBytes(editionAddress(mint, null), master.address);
  if (isOwn && (await view.assets.findAsset(mint)) !== null) return;
  assertAbsenceIsKnown(view.coverage, `all prints of the master edition of ${text}`);
};

const findStart = async (
  view: ReadView,
  master: MasterEdition,
  params: GetNftEditionsParams,
  limit: number,
): Promise<EditionStart> => {
  if (params.before !== undefined)
    return { kind: "before", number: await parseEditionPosition(view, master, "before", params.before) };
  for (const name of ["after", "cursor"] as const) {
    const text = params[name];
    if (text !== undefined)
      return { kind: "after", number: await parseEditionPosition(view, master, name, text) };
  }
  return { kind: "offset", offset: (parsePage(params.page) - 1) * limit };
};

/** An edition number, or the mint or edition address of one of this master's prints. */
const parseEditionPosition = async (
  view: ReadView,
  master: MasterEdition,
  parameter: string,
  text: string,
): Promise<bigint> => {
  if (EDITION_NUMBER.test(text) && BigInt(text) <= U64_MAX) return BigInt(text);
  const edition = await view.editions.findEdition(parseAssetAddress(parameter, text));
  if (edition === null || Buffer.compare(edition.parent, master.address) !== 0)
    throw new LamplightError("PARAM__INVALID", {
      parameter,
      position: null,
      reason: "is neither an edition number nor a print of this master edition",
    });
  return edition.number;
};

const shapeEdition = (edition: Edition): string =>
  `{"mint":"${encodeAddress(edition.mint)}","edition_address":"${encodeAddress(edition.address)}","edition":${edition.number}}`;
