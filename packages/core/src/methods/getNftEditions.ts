import { editionAddress, encodeAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type { Edition as WireEdition, GetNftEditionsParams, GetNftEditionsResult } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { AddressBytes } from "../domain/address.ts";
import type { Coverage } from "../domain/coverage.ts";
import type { Edition, MasterEdition } from "../domain/edition.ts";
import type { JsonText } from "../json/json-text.ts";
import { listJson, objectWriter, plainText } from "../json/object-writer.ts";
import { parseAssetAddress } from "../params/parse-params.ts";
import { assertOnePageStart, parseLimit, parsePage } from "../params/paging.ts";
import type { EditionStart } from "../ports/queries.ts";
import { assertListable, assertWhole } from "./account-context.ts";
import { noteTreesOfAbsence } from "./incomplete-trees.ts";
import { assertNoAssetIsKnown } from "./known-absence.ts";
import type { Call, Method } from "./method.ts";
import { read, type Steps } from "./steps.ts";

/** Edition numbers are u64: at most 20 digits. */
const editionNumber = /^\d{1,20}$/;
const U64_MAX = 2n ** 64n - 1n;

const writeResult = objectWriter<GetNftEditionsResult>()(
  "total",
  "limit",
  "page",
  "cursor",
  "master_edition_address",
  "supply",
  "max_supply",
  "editions",
);

/**
 * The prints of a master edition, ascending by number. The cost of `before`, `after` and `cursor` does not
 * depend on the depth; that of a page number does.
 */
export const getNftEditions: Method<GetNftEditionsParams, GetNftEditionsResult> = {
  readsAt: "assets",
  isList: true,
  *steps(params, call) {
    const { total, limit, page, cursor, master, editions } = yield* readEditions("mint", params, call);
    return writeResult(
      total,
      limit,
      page,
      cursor === undefined ? undefined : plainText(cursor),
      plainText(encodeAddress(master.address)),
      master.supply,
      master.maxSupply,
      listJson(editions.map(shapeEdition)),
    );
  },
};

/** One page of prints with its master edition, in no particular form. */
export interface EditionList {
  /** Exact number of prints that the store knows. */
  readonly total: number;
  readonly limit: number;
  /** Absent where the call named its start otherwise. */
  readonly page: number | undefined;
  /** Start of the next page; absent where there is none. */
  readonly cursor: string | undefined;
  readonly master: MasterEdition;
  /** Ascending by number. */
  readonly editions: readonly Edition[];
}

/**
 * The prints that a call asks for.
 *
 * @param mintName - name of the parameter `mint`, as refusals give it
 */
export function* readEditions(
  mintName: string,
  params: GetNftEditionsParams,
  call: Call,
): Steps<EditionList> {
  const mint = parseAssetAddress(mintName, params.mint);
  const limit = parseLimit(params.limit);
  assertOnePageStart(params);
  const { start, print } = yield* findStart(params, limit);
  const { master, count, editions, hasMore } = yield* read.editionPage(
    editionAddress(mint, null),
    start,
    limit,
  );
  if (master === null) return yield* refuseWithoutMaster(call, mint, params.mint);
  yield* assertPrintsAreHeld(call, mint, params.mint, master);
  if (print !== null) assertIsPrintOf(master, print);
  const last = hasMore ? editions.at(-1) : undefined;
  return {
    total: count,
    limit,
    page: start.kind === "offset" ? start.offset / limit + 1 : undefined,
    cursor: last === undefined ? undefined : String(last.number),
    master,
    editions,
  };
}

function* refuseWithoutMaster(call: Call, mint: AddressBytes, text: string): Steps<never> {
  const isAsset = (yield* read.ownAsset(mint)) !== null;
  const known = isAsset || (yield* read.account(mint)) !== null;
  if (known && holdsTokenMetadata(call.coverage))
    throw new LamplightError("ASSET__NO_MASTER_EDITION", { id: text });
  // A compressed asset is known, and has no master edition.
  if (!known) noteTreesOfAbsence(call);
  const what = `master edition of ${text}`;
  // The edition is a separate account, which the store may not cover.
  if (isAsset) assertWhole(call, what);
  yield* assertNoAssetIsKnown(call, mint, what);
  throw new LamplightError("ASSET__NOT_FOUND", { id: text });
}

/** Whether the store covers every edition account. */
const holdsTokenMetadata = (coverage: Coverage): boolean =>
  coverage.kind === "whole" || coverage.programs.includes(encodeAddress(programAddresses.tokenMetadata));

/**
 * A store that covers some mints, owners or collections has all prints of a covered master edition. Where it covers
 * only a print, it has the account of the master but not the other prints, and `total` would be wrong.
 *
 * @throws LamplightError `STORE__NOT_COVERED`
 */
function* assertPrintsAreHeld(
  call: Call,
  mint: AddressBytes,
  text: string,
  master: MasterEdition,
): Steps<void> {
  const { coverage } = call;
  if (holdsTokenMetadata(coverage)) return;
  const isOwn = sameBytes(editionAddress(mint, null), master.address);
  // A dump may contain the accounts of the master without its prints.
  const bringsPrints = coverage.kind === "whole" || coverage.dumps !== true || coverage.mints.includes(text);
  if (isOwn && bringsPrints && (yield* read.ownAsset(mint)) !== null) return;
  assertListable(call, `all prints of the master edition of ${text}`);
}

/** A print that a parameter names by its mint or edition address. */
interface NamedPrint {
  readonly parameter: string;
  /** Null where there is no such print. */
  readonly edition: Edition | null;
}

interface FoundStart {
  readonly start: EditionStart;
  /** Null where no print is named. */
  readonly print: NamedPrint | null;
}

function* findStart(params: GetNftEditionsParams, limit: number): Steps<FoundStart> {
  for (const parameter of ["before", "after", "cursor"] as const) {
    const text = params[parameter];
    if (text === undefined) continue;
    const kind = parameter === "before" ? "before" : "after";
    if (editionNumber.test(text) && BigInt(text) <= U64_MAX)
      return { start: { kind, number: BigInt(text) }, print: null };
    const edition = yield* read.edition(parseAssetAddress(parameter, text));
    return { start: { kind, number: edition?.number ?? 0n }, print: { parameter, edition } };
  }
  return { start: { kind: "offset", offset: (parsePage(params.page) - 1) * limit }, print: null };
}

/** @throws LamplightError `PARAM__INVALID` */
const assertIsPrintOf = (master: MasterEdition, { parameter, edition }: NamedPrint): void => {
  if (edition !== null && sameBytes(edition.parent, master.address)) return;
  throw new LamplightError("PARAM__INVALID", {
    parameter,
    position: null,
    reason: "is neither an edition number nor a print of this master edition",
  });
};

const writeEdition = objectWriter<WireEdition>()("mint", "edition_address", "edition");

const shapeEdition = ({ mint, address, number }: Edition): JsonText<WireEdition> =>
  writeEdition(plainText(encodeAddress(mint)), plainText(encodeAddress(address)), number);
