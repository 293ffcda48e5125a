// Two servers over one store with large accounts, as a proxy stands before them.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { startCommand } from "./run-command.ts";
import { servingUrl } from "./serving.ts";

export const doorKey = "door-key-5b1f0c77a2de4916";

/** Bytes of the accounts. As base64 they are a little less than 32 MiB together, the largest answer. */
const sizes = [10 << 20, 10 << 20, (39 << 20) / 10] as const;

const addressBytes = (index: number): Uint8Array => new Uint8Array(32).fill(index + 1);

/** The accounts, largest first. */
export const doorAddresses = sizes.map((_, index) => encodeAddress(addressBytes(index)));

/** Bytes that neither repeat nor compress away. */
const accountData = (size: number, seed: number): Uint8Array => {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = seed;
  for (let at = 0; at < words.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words[at] = state & 0x0f_0f_ff_ff;
  }
  return new Uint8Array(words.buffer, 0, Math.floor(size));
};

const createDoorStore = async (file: string): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const accounts = sizes.map((size, index) => ({
    address: addressBytes(index),
    programOwner: new Uint8Array(32),
    lamports: 2n ** 64n - 1n,
    executable: false,
    rentEpoch: 2n ** 64n - 1n,
    data: accountData(size, index + 1),
    slot: 76,
    writeVersion: 0,
  }));
  await createIndexer(store).applyAccounts(accounts, { slot: 77, blockhash: null });
  await store.close();
};

/** Many times the interval at which a proxy asks for readiness. */
const LAME_DUCK_MS = 8000;

/** A URL in the contract that this server answers, to distinguish the two through a proxy. */
export const nodeUrl = (index: 0 | 1): string => `https://node-${index}.example`;

/** Both servers; each can be stopped and started again on its port. */
export class DoorServers {
  readonly #folder: string;
  readonly #children: (ChildProcess | null)[] = [null, null];
  readonly ports: [number, number] = [0, 0];
  /** Lines of the logs of both. */
  readonly log: Readonly<Record<string, unknown>>[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async start(folder: string): Promise<DoorServers> {
    const servers = new DoorServers(folder);
    await createDoorStore(join(folder, "door.db"));
    await Promise.all([servers.startOne(0), servers.startOne(1)]);
    return servers;
  }

  async startOne(index: 0 | 1): Promise<void> {
    const configFile = join(this.#folder, `config-${index}.json`);
    const limits = { lameDuckMs: LAME_DUCK_MS };
    writeFileSync(configFile, JSON.stringify({ trustProxy: true, publicUrl: nodeUrl(index), limits }));
    const store = `sqlite:${join(this.#folder, "door.db")}`;
    const flags = ["--store", store, "--port", String(this.ports[index])];
    const child = startCommand(["serve", ...flags, "--config", configFile], {
      LAMPLIGHT_KEYS: doorKey,
    });
    child.stderr!.resume();
    this.#children[index] = child;
    const url = new URL(await servingUrl(child, (entry) => this.log.push(entry)));
    this.ports[index] = Number(url.port);
  }

  /** The URL of the server itself, without a proxy. */
  urlOf(index: 0 | 1): string {
    return `http://127.0.0.1:${this.ports[index]}/v3/${doorKey}`;
  }

  async stopOne(index: 0 | 1, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#children[index];
    if (child === null || child === undefined) return;
    this.#children[index] = null;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }

  async stop(): Promise<void> {
    await Promise.all([this.stopOne(0, "SIGKILL"), this.stopOne(1, "SIGKILL")]);
  }
}
