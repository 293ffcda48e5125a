import type { StoreExport, StoreImport } from "@lamplight/core";

import { engineOf } from "../engine/engines.ts";

/** @throws LamplightError `STORE__URL` and of the STORE family */
export const openStoreExport = async (url: string): Promise<StoreExport> => engineOf(url).openCopy.from(url);

/**
 * @param holdings - whether fungible holdings are indexed in the other store
 * @throws LamplightError `STORE__URL`, `STORE__NOT_EMPTY`, and of the STORE family
 */
export const openStoreImport = async (url: string, holdings: boolean): Promise<StoreImport> =>
  engineOf(url).openCopy.to(url, holdings);
