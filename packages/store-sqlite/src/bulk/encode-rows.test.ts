import { programAddresses } from "@lamplight/codecs";
import {
  type Account,
  AccountBatch,
  deriveAccountFacts,
  encodeAccountRow,
  holdingBit,
  nonCirculatingStakeBit,
  u64ToColumn,
} from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountKeyOf } from "../columns/account-key.ts";
import { tokenAccountOf } from "@lamplight/store-conformance/small-chain";
import { DELEGATE_BYTES, encodeRows, TAIL_BYTES } from "./encode-rows.ts";
import { HOLDING_ROW_BYTES, writeHolding } from "./holding-row.ts";

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const address = fc.uint8Array({ minLength: 32, maxLength: 32 });
const program = fc.oneof(
  fc.constantFrom(
    programAddresses.token,
    programAddresses.token2022,
    programAddresses.stake,
    programAddresses.system,
  ),
  address,
);

/** Zeros in runs of any length, as account data has them. */
const zeroRuns = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 140 }),
      fc.nat({ max: 300 }).map((length) => new Uint8Array(length)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

/** A token account with some bytes of its tags, state and type turned. */
const tokenData = fc
  .tuple(
    fc.constantFrom(165, 166, 170, 355, 400),
    fc.array(
      fc.tuple(
        fc.oneof(fc.constantFrom(64, 71, 72, 73, 108, 109, 112, 129, 132, 165), fc.nat({ max: 399 })),
        fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 255 })),
      ),
      { maxLength: 6 },
    ),
  )
  .map(([length, turns]) => {
    const data = new Uint8Array(length);
    data.set(tokenAccountOf("any").data.subarray(0, 165));
    if (length > 165) data[165] = 2;
    for (const [at, byte] of turns) if (at < length) data[at] = byte;
    return data;
  });

const account: fc.Arbitrary<Account> = fc.record({
  address,
  programOwner: program,
  lamports: u64,
  executable: fc.boolean(),
  rentEpoch: fc.oneof(fc.constant(2n ** 64n - 1n), u64),
  data: fc.oneof(zeroRuns, tokenData),
  slot: fc.nat(),
  writeVersion: fc.maxSafeNat(),
});

describe("encodeRows", () => {
  test("makes of accounts in a batch what is made of each alone", () => {
    fc.assert(
      fc.property(fc.array(account, { maxLength: 12 }), (accounts) => {
        const rows = encodeRows(AccountBatch.of(accounts));
        expect(rows.count).toBe(accounts.length);
        const holdings: number[] = [];
        for (const [row, one] of accounts.entries()) {
          const { id, tail } = accountKeyOf(one.address);
          const facts = deriveAccountFacts({ ...one, lamports: one.lamports || 1n });
          const encoded = encodeAccountRow(one);
          const number = rows.programNumbers[row] as number;
          const delegate = rows.delegateNumbers[row] as number;
          expect({
            id: rows.ids[row],
            tail: rows.tails.slice(TAIL_BYTES * row, TAIL_BYTES * (row + 1)),
            program: rows.programs.slice(32 * number, 32 * number + 32),
            lamports: rows.lamports[row],
            slot: rows.slots[row],
            writeVersion: rows.writeVersions[row],
            flags: rows.flags[row],
            rentEpoch: encoded.rentEpoch === null ? null : rows.rentEpochs[row],
            delegate:
              delegate < 0
                ? null
                : rows.delegates.slice(DELEGATE_BYTES * delegate, DELEGATE_BYTES * delegate + 32),
            delegateMint:
              delegate < 0
                ? null
                : rows.delegates.slice(DELEGATE_BYTES * delegate + 32, DELEGATE_BYTES * (delegate + 1)),
            data: rows.data.slice(rows.dataStarts[row], rows.dataStarts[row + 1]),
          }).toEqual({
            id,
            tail: Uint8Array.from(tail),
            program: Uint8Array.from(one.programOwner),
            lamports: u64ToColumn(one.lamports),
            slot: one.slot,
            writeVersion: one.writeVersion,
            flags:
              encoded.flags |
              (facts.holding === null ? 0 : holdingBit) |
              (facts.nonCirculatingStake === null ? 0 : nonCirculatingStakeBit),
            rentEpoch: encoded.rentEpoch,
            delegate: facts.delegate === null ? null : Uint8Array.from(facts.delegate),
            delegateMint: facts.delegateMint === null ? null : Uint8Array.from(facts.delegateMint),
            data: Uint8Array.from(encoded.data),
          });
          if (facts.holding === null) continue;
          const packed = new Uint8Array(HOLDING_ROW_BYTES);
          writeHolding(facts.holding, packed, 0);
          holdings.push(...packed);
        }
        expect([...rows.holdings]).toEqual(holdings);
      }),
      { numRuns: 400 },
    );
  });
});
