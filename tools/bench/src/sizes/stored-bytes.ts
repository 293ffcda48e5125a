/** The kinds of things that make a store large. */
export const storedKinds = ["account", "asset", "holding"] as const;
export type StoredKind = (typeof storedKinds)[number];

/** Bytes and rows of one table, indexes included. */
export interface TableBytes {
  readonly table: string;
  readonly bytes: number;
}

/** Tables by what they grow with. The others grow with slots, programs or off-chain documents. */
const kinds: { readonly [table: string]: StoredKind } = {
  account: "account",
  account_collision: "account",
  tombstone: "account",
  last_life: "account",
  stake_hold: "account",
  holding: "holding",
  link: "asset",
  ledger: "asset",
  edition: "asset",
  asset: "asset",
  asset_document: "asset",
  asset_creator: "asset",
  asset_group: "asset",
  asset_seen: "asset",
};

/** Bytes that one thing of each kind takes. */
export type BytesEach = Readonly<Record<StoredKind, number>>;

/** @param rows - of the tables `account`, `asset` and `holding` */
export const bytesEach = (
  tables: readonly TableBytes[],
  rows: Readonly<Record<StoredKind, number>>,
): BytesEach => {
  const total = { account: 0, asset: 0, holding: 0 };
  for (const { table, bytes } of tables) {
    const kind = kinds[table];
    if (kind !== undefined) total[kind] += bytes;
  }
  return {
    account: total.account / rows.account,
    asset: total.asset / rows.asset,
    holding: total.holding / rows.holding,
  };
};
