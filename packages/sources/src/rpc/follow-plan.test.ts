import { encodeAddress, editionAddress, metadataAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { clockAddress, FollowPlan } from "./follow-plan.ts";

const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const [mint, other] = [bytes(1), bytes(2)];
const token = encodeAddress(programAddresses.token);
const metadataProgram = encodeAddress(programAddresses.tokenMetadata);

const account = (address: Uint8Array, programOwner: Uint8Array, data: Uint8Array): Account => ({
  address,
  programOwner,
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data,
  slot: 1,
  writeVersion: 0,
});

const tokenAccount = (of: Uint8Array, length = 165): Account => {
  const data = new Uint8Array(length);
  data.set(of);
  return account(bytes(9), programAddresses.token, data);
};

/** Key 6, supply, no maximum. */
const masterEdition = (supply: number): Account =>
  account(
    editionAddress(mint, null),
    programAddresses.tokenMetadata,
    Uint8Array.of(6, supply, 0, 0, 0, 0, 0, 0, 0, 0),
  );

const planOf = (targets: Partial<ConstructorParameters<typeof FollowPlan>[0]>): FollowPlan =>
  new FollowPlan({ programs: [], accounts: [], mints: [], trees: [], ...targets });

const covers = (plan: FollowPlan, one: Account): boolean => plan.covers(one, encodeAddress(one.address));

describe("FollowPlan", () => {
  test("the clock is always followed", () => {
    expect([...planOf({}).singles]).toEqual([clockAddress]);
  });

  test("a mint brings its token accounts of both programs, and no others", () => {
    const plan = planOf({ mints: [encodeAddress(mint)] });
    expect(plan.scans.map(({ filters }) => filters)).toEqual([
      [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: encodeAddress(mint), encoding: "base58" } }],
      [{ memcmp: { offset: 0, bytes: encodeAddress(mint), encoding: "base58" } }],
    ]);
    expect(covers(plan, tokenAccount(mint))).toBe(true);
    expect(covers(plan, tokenAccount(other))).toBe(false);
    expect(covers(plan, tokenAccount(mint, 82))).toBe(false);
    expect(covers(plan, account(metadataAddress(mint), programAddresses.tokenMetadata, bytes(4)))).toBe(true);
  });

  test("a master edition whose prints cannot be found is left out, so that no list of them is short", () => {
    const mints = [encodeAddress(mint)];
    expect(covers(planOf({ mints }), masterEdition(0))).toBe(true);
    expect(covers(planOf({ mints }), masterEdition(2))).toBe(false);
    expect(covers(planOf({ mints, programs: [metadataProgram] }), masterEdition(2))).toBe(true);
  });

  test("a program brings what belongs to it", () => {
    const plan = planOf({ programs: [token] });
    expect(covers(plan, tokenAccount(other))).toBe(true);
    expect(covers(plan, masterEdition(0))).toBe(false);
  });
});
