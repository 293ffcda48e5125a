// Disturbances of followers and validator while transactions are sent.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { httpEndpoint } from "../endpoints.ts";
import { call } from "../requests/request.ts";
import { type Compared, keepArchive, proveStore, spoilStore, untilFinalized } from "./archives.ts";
import { slotOf } from "./followers.ts";
import type { Scene } from "./scene.ts";

const FROZEN_MS = 20_000;
const WARP_SLOTS = 1000;

const crashFollowers = async ({ followers, say }: Scene): Promise<void> => {
  for (const follower of followers) await follower.crash();
  say("the followers were killed and started again");
};

const freezeFollowers = async ({ followers, say }: Scene): Promise<void> => {
  await Promise.all(followers.map((follower) => follower.freeze(FROZEN_MS)));
  say(`the followers were frozen for ${FROZEN_MS / 1000} s`);
};

/** A crash loses the newest blocks, but no votes for them. A validator that is alone would wait for these blocks forever. */
const forgetVotes = (ledger: string): void => {
  for (const name of readdirSync(ledger)) if (/^tower-.*\.bin$/u.test(name)) rmSync(join(ledger, name));
};

const crashNode = async (scene: Scene): Promise<void> => {
  await scene.node.kill();
  forgetVotes(scene.node.ledger);
  scene.say("the validator was killed");
  scene.node = await scene.restart();
  scene.say("the validator answers again");
};

/** Holds every store against the validator's newest archive. */
export const proveFollowers = async (scene: Scene): Promise<void> => {
  const archive = await keepArchive(scene.node.ledger, scene.archive.slot, scene.folder);
  scene.archive = archive;
  for (const follower of scene.followers) {
    await untilFinalized(follower, archive.slot);
    const { compared, exitCode, output } = await proveStore(follower.store, archive);
    scene.say(
      `${follower.name}: ${compared?.same ?? 0} accounts equal to the archive of slot ${archive.slot}, ${compared?.later ?? 0} written later`,
    );
    if (compared?.isEqual === true && exitCode === 0) continue;
    if (compared?.isEqual === false && (await areClosed(compared.differences, scene))) {
      scene.say(`${follower.name}: ${compared.differing} accounts came and went between two readings`);
      continue;
    }
    scene.problems.push(`${follower.name} differs from the archive of slot ${archive.slot}: ${output}`);
  }
};

/**
 * Whether a store lacks nothing but accounts that were closed after the archive. RPC gives accounts as they are when
 * they are read, so a follower never sees one that is closed by then.
 */
const areClosed = async (differences: Compared["differences"], { node }: Scene): Promise<boolean> => {
  const validator = httpEndpoint("validator", node.url);
  for (const { address, differs } of differences) {
    const { body } = call("rest", "getAccountInfo", [
      address,
      { encoding: "base64", commitment: "finalized" },
    ]);
    if (differs.join() !== "missing" || !/"value":null/u.test(await validator.ask(body))) return false;
  }
  return differences.length > 0;
};

/** One account is spoiled in a store at rest: `verify --snapshot` has to name it, and no other. */
export const proveSpoiled = async ({ followers, archive, problems, say }: Scene): Promise<void> => {
  for (const { name, store } of followers) {
    const address = await spoilStore(store, archive);
    const { compared, exitCode, output } = await proveStore(store, archive);
    const named = compared?.differences
      .map((one) => `${one.address} (slot ${one.storeSlot}, in the archive ${one.snapshotSlot})`)
      .join(", ");
    say(`${name}: of one spoiled account, ${named} was found, exit code ${exitCode}`);
    const [found, ...more] = compared?.differences ?? [];
    const isNamed = found?.address === address && found.storeSlot === archive.slot && more.length === 0;
    if (!isNamed || exitCode !== 1)
      problems.push(`${name}: the spoiled account ${address} was not found: ${output}`);
  }
};

/** The chain jumps ahead: the slots between do not exist. */
export const warpNode = async (scene: Scene): Promise<void> => {
  const slot = (await slotOf(httpEndpoint("validator", scene.node.url), "confirmed")) ?? 0;
  await scene.node.stop();
  scene.node = await scene.restart(["--warp-slot", String(slot + WARP_SLOTS)]);
  scene.say(`the validator was warped from slot ${slot} to ${slot + WARP_SLOTS}`);
};

/** Waits until every store holds what the validator has finalized by now. */
export const untilCaughtUp = async ({ node, followers }: Scene): Promise<void> => {
  const slot = (await slotOf(httpEndpoint("validator", node.url), "finalized")) ?? 0;
  for (const follower of followers) await untilFinalized(follower, slot);
};

/** In turn, for as long as transactions are sent. */
const acts = [crashFollowers, freezeFollowers, crashNode, proveFollowers];
const PAUSE_MS_MAX = 60_000;

/** @param minutes - shared by at least one round of all */
export const playActs = async (scene: Scene, minutes: number): Promise<void> => {
  const pauseMs = Math.min(PAUSE_MS_MAX, (minutes * 60_000) / (acts.length + 1));
  const end = Date.now() + minutes * 60_000;
  for (let index = 0; index < acts.length || Date.now() + pauseMs < end; index += 1) {
    await sleep(pauseMs);
    await acts[index % acts.length]?.(scene);
  }
  await sleep(pauseMs);
};
