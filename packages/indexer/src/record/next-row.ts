import { deserialize, serialize } from "node:v8";
import type { AddressBytes, Asset, NextRow } from "@lamplight/core";
import { differingMembers } from "./differing-members.ts";

/**
 * A row of the next set.
 *
 * @param asset - the asset as the store answers it
 * @param next - the same by the rules of the set
 */
export const nextRowOf = (id: AddressBytes, asset: Asset | null, next: Asset | null): NextRow => ({
  id,
  body: isSame(asset, next) ? null : serialize(next),
});

export const decodeNextRow = (body: Uint8Array): Asset | null => deserialize(body) as Asset | null;

const isSame = (asset: Asset | null, next: Asset | null): boolean =>
  asset === null || next === null ? asset === next : differingMembers(asset, next).length === 0;
