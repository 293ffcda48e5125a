import { encodeAddress } from "@lamplight/codecs";
import { listJson, type Method, objectWriter, plainText, readEditions } from "@lamplight/core";
import type { EditionPage, GetNftEditionsParams, PrintedEdition } from "../generated/types.ts";
import { LIMIT_DEFAULT } from "./list-assets.ts";

const writePage = objectWriter<EditionPage>()(
  "total",
  "limit",
  "page",
  "cursor",
  "master_edition_address",
  "supply",
  "max_supply",
  "editions",
);

const writeEdition = objectWriter<PrintedEdition>()(
  "mint_address",
  "edition_address",
  "edition_number",
  "mint",
  "edition",
);

/** The prints of a master edition, each under both spellings that clients read. */
export const getNftEditions: Method<GetNftEditionsParams, EditionPage> = {
  readsAt: "assets",
  isList: true,
  *steps({ mintAddress: mint, limit = LIMIT_DEFAULT, ...start }, call) {
    const list = yield* readEditions("mintAddress", { ...start, mint, limit }, call);
    const { total, page, cursor, master } = list;
    const editions = list.editions.map((edition) => {
      const printed = plainText(encodeAddress(edition.mint));
      const address = plainText(encodeAddress(edition.address));
      return writeEdition(printed, address, edition.number, printed, edition.number);
    });
    return writePage(
      total,
      limit,
      page,
      cursor === undefined ? undefined : plainText(cursor),
      plainText(encodeAddress(master.address)),
      master.supply,
      master.maxSupply,
      listJson(editions),
    );
  },
};
