import {
  type AddressBytes,
  type Criterion,
  factCellOf,
  factColumnOf,
  type FactCriterion,
  foldName,
  type InheritedForm,
  interfaceNumber,
  isFactCriterion,
  jsonUriHash,
  ownerModelNumber,
  sharingInterface,
  type TokenType,
} from "@lamplight/core";
import { columnForms } from "../columns/asset-row.ts";
import { textToColumn } from "../columns/text-column.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Value } from "../engine/statements.ts";

/** A piece of SQL with a `?` for each value, in order; `numberPlaces` makes it what the server reads. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** No text of ours holds a question mark but the places. */
export const numberPlaces = (sql: string): string => {
  let place = 0;
  return sql.replaceAll("?", () => `$${(place += 1)}`);
};

/**
 * A condition on a row of `asset`, by its own facts, that is always true or false, never null, so that NOT of it is its complement.
 * Other tables are asked through sets that do not depend on the row.
 */
export const criterionSql = (criterion: Criterion): Fragment => {
  if (isFactCriterion(criterion)) return factSql(criterion);
  switch (criterion.kind) {
    case "owner":
      return ownerSql(criterion);
    case "creator":
    case "creatorVerified":
    case "royaltyTarget":
    case "group": {
      const list = listSource(criterion);
      return { ...list, sql: `asset.id IN (SELECT id FROM ${list.sql})` };
    }
    case "tokenType":
      return tokenTypeSql(criterion.tokenType);
    case "name":
      return fragment(`${nameHolds} > 0`, textToColumn(foldName(criterion.name)));
    case "inherits":
      return fragment(
        "(asset.inherits_from IS NOT NULL AND asset.inherits_from = ? AND asset.inherits & ? <> 0)",
        criterion.from,
        criterion.fact,
      );
    case "nothing":
      return nothing;
    default:
      return criterion satisfies never;
  }
};

/** Ids of the collections whose own facts meet a criterion. */
export const sharersSql = (shared: Criterion): Fragment => {
  const { sql, values } = criterionSql(shared);
  // The sum keeps the planner from reading the index of that column.
  return {
    sql: `SELECT id FROM asset WHERE ${sql} AND asset.interface + 0 = ${interfaceNumber(sharingInterface)}`,
    values,
  };
};

/** A criterion on a fact that may be inherited. */
export const inheritedSql = (form: InheritedForm, sharers: readonly AddressBytes[]): Fragment => {
  const own = criterionSql(form.own);
  const sql = `(${own.sql} OR (asset.inherits_from IS NOT NULL AND asset.inherits_from = ANY (?::bytea[])
AND asset.inherits & ? <> 0))`;
  return {
    sql: form.negate ? `NOT ${sql}` : sql,
    values: [...own.values, arrayParameter("bytea", sharers), form.fact],
  };
};

/** The position of the bytes in the name, 0 = nowhere. */
const nameHolds = "position(?::bytea IN coalesce(asset.folded_name, asset.name))";

/** Selects of ordinals whose union are the assets that meet the criterion, each by an index. */
export const ordinalsSql = (criterion: Criterion): Fragment => {
  switch (criterion.kind) {
    case "creator":
    case "creatorVerified":
    case "royaltyTarget":
    case "group": {
      const list = listSource(criterion);
      return { ...list, sql: `SELECT DISTINCT ord FROM ${list.sql}` };
    }
    case "owner": {
      const parts = ownerParts(criterion);
      return {
        sql: parts.map(({ sql }) => `SELECT ord FROM asset WHERE ${sql}`).join(" UNION "),
        values: parts.flatMap(({ values }) => values),
      };
    }
    default: {
      const { sql, values } = criterionSql(criterion);
      return { sql: `SELECT ord FROM asset WHERE ${sql}`, values };
    }
  }
};

/** Whether the criterion reads the index of fungible holdings, which a store may leave out. */
export const needsHoldings = (criterion: Criterion): boolean =>
  criterion.kind === "owner" && criterion.ownerModel !== "single";

const fragment = (sql: string, ...values: Value[]): Fragment => ({ sql, values });

const nothing = fragment("false");

const factSql = (criterion: FactCriterion): Fragment => {
  const { name, isNullable } = factColumnOf(criterion);
  const cell = factCellOf(criterion, columnForms);
  if (cell === null) return nothing;
  if (criterion.kind === "jsonUri")
    return fragment("(asset.json_uri_hash = ? AND asset.json_uri = ?)", jsonUriHash(criterion.value), cell);
  if (isNullable) return fragment(`(asset.${name} IS NOT NULL AND asset.${name} = ?)`, cell);
  return typeof cell === "boolean"
    ? fragment(`asset.${name} = ${cell}`)
    : fragment(`asset.${name} = ?`, cell);
};

const ownerSql = (criterion: Criterion & { readonly kind: "owner" }): Fragment => {
  const parts = ownerParts(criterion);
  return {
    sql: `(${parts.map(({ sql }) => sql).join(" OR ")})`,
    values: parts.flatMap(({ values }) => values),
  };
};

/**
 * A wallet that once held an NFT may keep its empty token account: only assets of many holders are found by holding.
 * The sum keeps the planner from reading the index of that column, which half of all assets share; the array, from
 * beginning with the assets.
 */
const ownerParts = ({
  owner,
  ownerModel,
  includeZero,
}: Criterion & { readonly kind: "owner" }): readonly Fragment[] => {
  const single = fragment(
    `(asset.owner IS NOT NULL AND asset.owner = ? AND asset.owner_model + 0 = ${ownerModelNumber("single")})`,
    owner,
  );
  const token = fragment(
    `(asset.owner_model + 0 = ${ownerModelNumber("token")} AND asset.supply_mint IS NOT NULL
AND asset.supply_mint = ANY (ARRAY(SELECT mint FROM holding WHERE token_owner = ?${includeZero ? "" : " AND positive"})))`,
    owner,
  );
  if (ownerModel === null) return [single, token];
  return ownerModel === "single" ? [single] : [token];
};

type ListCriterion = Criterion & {
  readonly kind: "creator" | "creatorVerified" | "royaltyTarget" | "group";
};

/** Rows of creators or groups that make their asset meet the criterion. */
const listSource = (criterion: ListCriterion): Fragment => {
  switch (criterion.kind) {
    case "creator":
      return criterion.verified === null
        ? fragment("asset_creator WHERE creator = ?", criterion.creator)
        : // As a number, so that the planner does not walk the index of that column, which nearly all creators share.
          fragment(
            `asset_creator WHERE creator = ? AND verified::integer = ${Number(criterion.verified)}`,
            criterion.creator,
          );
    case "creatorVerified":
      return fragment(`asset_creator WHERE verified = ${criterion.verified}`);
    case "royaltyTarget":
      return fragment("asset_creator WHERE creator = ? AND share > 0", criterion.target);
    case "group":
      return fragment(
        `asset_group WHERE key = ? AND value = ?${criterion.includeUnverified ? "" : " AND verified"}`,
        textToColumn(criterion.key),
        textToColumn(criterion.value),
      );
    default:
      return criterion satisfies never;
  }
};

const fungible = `asset.interface IN (${interfaceNumber("FungibleToken")}, ${interfaceNumber("FungibleAsset")})`;

const tokenTypeSql = (tokenType: TokenType): Fragment => {
  switch (tokenType) {
    case "fungible":
      return fragment(fungible);
    case "nonFungible":
      return fragment(`NOT (${fungible})`);
    case "regularNft":
      return fragment(`(NOT (${fungible}) AND NOT asset.compressed)`);
    case "compressedNft":
      return fragment("asset.compressed");
    case "all":
      return fragment("true");
    default:
      return tokenType satisfies never;
  }
};
