import { decodeAddress, programAddressTexts, sysvarAddressTexts } from "@lamplight/codecs";
import { describe, expect, test } from "vitest";
import type { Account } from "../domain/account.ts";
import type { JsonValue } from "../json/json-text.ts";
import { parseAccount } from "./parse-account.ts";

const accountOf = (data: Uint8Array, address: string): Account => ({
  address: decodeAddress(address),
  programOwner: decodeAddress(programAddressTexts.sysvar),
  lamports: 1n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data,
  slot: 1,
  writeVersion: 0,
});

const sysvar = (address: string, length: number): JsonValue | null =>
  parseAccount(accountOf(new Uint8Array(length), address), { mint: null, unixTimestamp: 0n });

describe("sysvars", () => {
  test.each([
    ["clock", sysvarAddressTexts.clock, 40],
    ["epochSchedule", sysvarAddressTexts.epochSchedule, 33],
    ["epochRewards", sysvarAddressTexts.epochRewards, 81],
    ["fees", sysvarAddressTexts.fees, 8],
    ["lastRestartSlot", sysvarAddressTexts.lastRestartSlot, 8],
    ["rent", sysvarAddressTexts.rent, 17],
    ["rewards", sysvarAddressTexts.rewards, 16],
    ["slotHashes", sysvarAddressTexts.slotHashes, 8],
    ["stakeHistory", sysvarAddressTexts.stakeHistory, 8],
    ["recentBlockhashes", sysvarAddressTexts.recentBlockhashes, 8],
  ])("the %s sysvar needs its bytes to the last one, and may have more", (type, address, length) => {
    for (const enough of [length, length + 1, length + 500])
      expect(sysvar(address, enough)).toMatchObject({ parsed: { type }, program: "sysvar", space: enough });
    expect(sysvar(address, length - 1)).toBeNull();
  });

  test("sysvars are known by address, regardless of what it holds: no other address, nor the instructions", () => {
    expect(sysvar(sysvarAddressTexts.instructions, 40)).toBeNull();
    expect(sysvar(programAddressTexts.splNoop, 40)).toBeNull();
  });
});
