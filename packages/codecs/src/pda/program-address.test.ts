import { getProgramDerivedAddress, type Address } from "@solana/kit";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeAddress } from "../base58/encode-base58.ts";
import { programAddresses } from "../programs/addresses.ts";
import { deriveProgramAddress, findProgramAddress, isDerivedAddress } from "./program-address.ts";

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const seeds = fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 15 });

describe("findProgramAddress", () => {
  test("finds the address and bump that Kit finds", async () => {
    await fc.assert(
      fc.asyncProperty(seeds, async (some) => {
        const [address, bump] = await getProgramDerivedAddress({
          programAddress: encodeAddress(programAddresses.tokenMetadata) as string as Address,
          seeds: some,
        });
        const found = findProgramAddress(some, programAddresses.tokenMetadata);
        expect({ address: encodeAddress(found.address), bump: found.bump }).toEqual({ address, bump });
      }),
      { numRuns: 50 },
    );
  });

  test("refuses seeds that no program may use", () => {
    const program = programAddresses.system;
    expect(() => findProgramAddress([new Uint8Array(33)], program)).toThrow("a seed of 33 bytes");
    expect(() =>
      findProgramAddress(
        Array.from({ length: 16 }, () => new Uint8Array(1)),
        program,
      ),
    ).toThrow("17 seeds");
  });
});

describe("isDerivedAddress", () => {
  test("knows the found address, and no other", () => {
    fc.assert(
      fc.property(seeds, bytes32, (some, other) => {
        const { address } = findProgramAddress(some, programAddresses.token);
        expect(isDerivedAddress(address, some, programAddresses.token)).toBe(true);
        expect(isDerivedAddress(address, some, programAddresses.token2022)).toBe(false);
        expect(isDerivedAddress(other, some, programAddresses.token)).toBe(false);
        expect(isDerivedAddress(address, [...some.slice(1), other], programAddresses.token)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });
});

describe("deriveProgramAddress", () => {
  test("gives the found address for the found bump", () => {
    fc.assert(
      fc.property(seeds, (some) => {
        const { address, bump } = findProgramAddress(some, programAddresses.token);
        expect(deriveProgramAddress([...some, Uint8Array.of(bump)], programAddresses.token)).toEqual(address);
      }),
      { numRuns: 30 },
    );
  });
});
