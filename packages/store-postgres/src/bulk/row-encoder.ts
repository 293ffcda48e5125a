// Loaded by name into the threads that merge and derive: see `rowEncoderUrl`. Every answer comes with the memory to
// hand over with it.

import type { AccountBatch, BulkEncoder } from "@lamplight/core";
import { copyAccounts } from "./copied-accounts.ts";
import { copyAssets, copyLinks, placeAssets } from "./copied-assets.ts";
import { packRows } from "./pack-rows.ts";

/** @public loaded by name */
export const encodeBatch: BulkEncoder["encodeBatch"] = (
  accounts: AccountBatch,
  count,
  { holdings = true } = {},
) => packRows(copyAccounts(accounts, count, { holdings }));

/** @public loaded by name */
export const encodeLinks: BulkEncoder["encodeLinks"] = (page) => packRows(copyLinks(page));

/** @public loaded by name */
export const encodeAssets: BulkEncoder["encodeAssets"] = (page) => packRows(copyAssets(placeAssets(page)));
