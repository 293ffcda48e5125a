// Messages that no one recorded: every field of the protocol in every way it may be written, and messages that are none.

import { Random } from "@lamplight/devchain";
import { isLamplightError } from "@lamplight/errors";
import { expect, test } from "vitest";
import { decodeUpdate } from "./decode-update.ts";
import { randomUpdate } from "../../test/random-update.ts";

const seed = Number(process.env["LAMPLIGHT_PROPERTY_SEED"] ?? 1);
const runs = Number(process.env["LAMPLIGHT_DECODE_RUNS"] ?? 2000);
const repeat = `repeat with: LAMPLIGHT_PROPERTY_SEED=${seed} npx vitest run packages/sources/src/yellowstone/decode-fuzz.test.ts`;

const randomOf = (run: number): Random => new Random(seed, 430, run);

/** The content of a message, or the name of its fault. */
const decodeOrName = (message: Uint8Array): unknown => {
  try {
    return decodeUpdate(message);
  } catch (error) {
    if (isLamplightError(error, "SOURCE__BAD_MESSAGE")) return error.code;
    throw error;
  }
};

test(`whatever way a message is written, it says what it says (${repeat})`, () => {
  for (let run = 0; run < runs; run += 1) {
    const { message, says } = randomUpdate(randomOf(run));
    expect(decodeUpdate(message), `run ${run}`).toEqual(says);
    // The decoded update does not change with the buffer that it came in.
    const moved = Buffer.concat([Buffer.from("before"), message, Buffer.from("after")]);
    const kept = decodeUpdate(moved.subarray(6, 6 + message.length));
    moved.fill(0xff);
    expect(kept, `run ${run}`).toEqual(says);
  }
});

test(`a message that is cut off, or changed anywhere, is read or refused by name (${repeat})`, () => {
  for (let run = 0; run < runs; run += 1) {
    const random = randomOf(run);
    const { message } = randomUpdate(random);
    expect(
      () => decodeOrName(message.subarray(0, random.below(message.length + 1))),
      `run ${run}`,
    ).not.toThrow();
    for (let changes = 0; changes < 20; changes += 1) {
      const changed = Buffer.from(message);
      for (let bytes = random.between(1, 4); bytes > 0; bytes -= 1)
        changed[random.below(changed.length)] = random.below(256);
      expect(() => decodeOrName(changed), `run ${run}`).not.toThrow();
    }
  }
});

test.each([
  ["a length of 2^63", [0x12, ...varint(2n ** 63n), 1, 2, 3]],
  ["a length of 2^64 - 1 within", [0x12, 0x0b, 0x0a, ...varint(2n ** 64n - 1n)]],
  ["a length of 4 GiB in a slot", [0x1a, 0x06, 0x22, ...varint(2n ** 32n)]],
  ["an instruction that names a key beyond the last", transactionOf([0x22, 0x02, 0x08, 0x05])],
  ["a key of three bytes", transactionOf([0x12, 0x03, 1, 2, 3])],
  ["a signature of three bytes", [0x22, 0x07, 0x0a, 0x05, 0x0a, 0x03, 1, 2, 3]],
  ["no signature", [0x22, 0x02, 0x0a, 0x00]],
  ["an end of a group", [0x0c]],
  ["a wire type that is none", [0x0f]],
])("%s is refused by name", (_, bytes) => {
  expect(decodeOrName(Uint8Array.from(bytes))).toBe("SOURCE__BAD_MESSAGE");
});

test("a hundred thousand inner instructions are read", () => {
  const calls = Array.from({ length: 100_000 }, () => [0x12, 0x00]).flat();
  const inner = [0x2a, ...varint(BigInt(calls.length)), ...calls];
  const key = [0x12, 0x20, ...Array.from({ length: 32 }, () => 7)];
  const update = decodeUpdate(Uint8Array.from(transactionOf([...key, 0x22, 0x00], inner)));
  expect(update).toMatchObject({ kind: "transaction" });
  expect(update.kind === "transaction" && update.transaction.groups[0]?.inner).toHaveLength(100_000);
});

function varint(value: bigint): number[] {
  const digits: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return [...digits, Number(rest)];
    digits.push(Number(rest & 127n) | 128);
  }
}

/** A transaction update around the fields of its message and of its meta. */
function transactionOf(message: readonly number[], meta: readonly number[] = []): number[] {
  const signature = wrap(
    1,
    Array.from({ length: 64 }, () => 9),
  );
  const info = [...signature, ...wrap(3, wrap(2, message)), ...wrap(4, meta)];
  return wrap(4, wrap(1, info));
}

function wrap(field: number, bytes: readonly number[]): number[] {
  return [field * 8 + 2, ...varint(BigInt(bytes.length)), ...bytes];
}
