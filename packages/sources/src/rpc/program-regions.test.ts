import { decodeAddress, encodeAddress, programAddresses, programAddressTexts } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { FOUND_PROGRAMS_MAX, SUBSCRIPTIONS_MAX } from "./limits.ts";
import { ProgramRegions } from "./program-regions.ts";

const bytes = (number: number): Uint8Array =>
  new Uint8Array(32)
    .fill(9)
    .with(0, number & 255)
    .with(1, number >> 8);
const text = (number: number): string => encodeAddress(bytes(number));

const account = (address: number, owner: Uint8Array, length: number, executable = false): Account => ({
  address: bytes(address),
  programOwner: owner,
  lamports: 1n,
  executable,
  rentEpoch: 0n,
  data: new Uint8Array(length),
  slot: 1,
  writeVersion: 0,
});

const loader = (name: string): Uint8Array => decodeAddress(name);

describe("ProgramRegions", () => {
  test.each([
    ["BPFLoader1111111111111111111111111111111111", 9, true, true],
    ["BPFLoader2111111111111111111111111111111111", 9, true, true],
    ["BPFLoader2111111111111111111111111111111111", 9, false, false],
    [programAddressTexts.upgradeableLoader, 36, false, true],
    // Program data and buffers.
    [programAddressTexts.upgradeableLoader, 45, false, false],
    ["LoaderV411111111111111111111111111111111111", 48, false, true],
    [programAddressTexts.nativeLoader, 14, true, true],
    [programAddressTexts.token, 36, true, false],
  ])("of %s, %i bytes, executable %s: a program is %s", (owner, length, executable, isProgram) => {
    const programs = new ProgramRegions([], true);
    programs.note(account(1, loader(owner), length, executable));
    expect(programs.regionOf(bytes(1)) !== undefined).toBe(isProgram);
    expect(programs.regionOf(loader(owner))).toBeDefined();
  });

  test("lists the System program first, and no program twice", () => {
    const programs = new ProgramRegions([programAddressTexts.token, programAddressTexts.system], true);
    const listed = programs.scans.map(({ program }) => program);
    expect(listed[0]).toBe(programAddressTexts.system);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test("covers what was listed by a slot; what the node does not list is not found again", () => {
    const programs = new ProgramRegions([], true);
    programs.note(account(1, bytes(2), 0));
    const scan = programs.regionOf(bytes(2))!;
    expect([programs.isHeld(scan), programs.hasUnread]).toEqual([false, true]);
    programs.noteRead(scan, 7);
    expect(programs.coveredAt(6).programs).not.toContain(text(2));
    expect(programs.coveredAt(7)).toEqual({ isEverything: true, programs: [text(2)] });
    const system = programs.regionOf(programAddresses.system)!;
    programs.drop(system);
    programs.note(account(3, programAddresses.system, 0));
    expect(programs.regionOf(programAddresses.system)).toBeUndefined();
    expect(programs.coveredAt(7)).toEqual({ isEverything: false, programs: [text(2)] });
  });

  test("finds no more than a connection has subscriptions for, and then covers not everything", () => {
    const programs = new ProgramRegions([], true);
    for (let number = 0; number < FOUND_PROGRAMS_MAX + 10; number += 1)
      programs.note(account(1, bytes(number), 0));
    expect(programs.scans).toHaveLength(FOUND_PROGRAMS_MAX);
    expect(FOUND_PROGRAMS_MAX).toBeLessThan(SUBSCRIPTIONS_MAX);
    expect(programs.coveredAt(1).isEverything).toBe(false);
  });
});
