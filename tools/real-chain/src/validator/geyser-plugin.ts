import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePorts } from "./free-ports.ts";

/** The library of a Yellowstone plugin, as LAMPLIGHT_GEYSER_PLUGIN names it; null = none is named. */
export const findPlugin = (environment: NodeJS.ProcessEnv = process.env): string | null => {
  const named = environment["LAMPLIGHT_GEYSER_PLUGIN"];
  if (named === undefined || named === "") return null;
  if (!existsSync(named)) throw new Error(`LAMPLIGHT_GEYSER_PLUGIN names ${named}, which does not exist`);
  return named;
};

/** Slots that the plugin can send again: minutes of a chain whose node is started again. */
const REPLAYED_SLOTS = 1000;

/**
 * Writes what the validator loads the plugin with: a stream on loopback, without TLS and token.
 *
 * @param library - built for exactly this version of the validator
 */
export const configurePlugin = async (
  library: string,
  folder: string,
): Promise<{ readonly file: string; readonly url: string }> => {
  const address = `127.0.0.1:${await findFreePorts(1)}`;
  const file = join(folder, "geyser.json");
  const grpc = { address, replay_stored_slots: REPLAYED_SLOTS };
  writeFileSync(file, JSON.stringify({ libpath: library, grpc }));
  return { file, url: `http://${address}` };
};
