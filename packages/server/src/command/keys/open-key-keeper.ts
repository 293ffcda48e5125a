import type { ServeSettings } from "../../config/settings.ts";
import { openKeyStore } from "./open-key-store.ts";
import type { Log } from "../../log/log.ts";
import { KeyKeeper } from "./key-keeper.ts";

/** @throws LamplightError `CONFIG__INVALID` where the keys cannot be read */
export const openKeyKeeper = async (
  { keyStore, workers }: Pick<ServeSettings, "keyStore" | "workers">,
  log: Log,
): Promise<KeyKeeper | null> =>
  keyStore === null ? null : KeyKeeper.open(await openKeyStore(keyStore), workers, log);
