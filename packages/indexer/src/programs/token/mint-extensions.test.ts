import { decodeMint, encodeAddress } from "@lamplight/codecs";
import { writeJson } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { key, mint, type MintFields } from "../../../test/encode-accounts.ts";
import { readMintExtensions } from "./mint-extensions.ts";

const read = (extensions: NonNullable<MintFields["extensions"]>) =>
  readMintExtensions(decodeMint(mint(key(1), 1, { extensions }).data)?.extensions ?? new Uint8Array(0));
const shown = (extensions: NonNullable<MintFields["extensions"]>): unknown => {
  const { shown: value } = read(extensions);
  return value === null ? null : JSON.parse(writeJson(value));
};
const pointer = [...key(0), ...key(1)];

describe("readMintExtensions", () => {
  test("a mint without extensions shows nothing", () => {
    expect(read([])).toEqual({ metadata: null, metadataAddress: null, shown: null });
  });

  test("an unknown extension, and a broken one, cost only themselves", () => {
    expect(
      shown([
        [999, [1, 2, 3]],
        [12, [1]],
        [9, []],
        [18, pointer],
      ]),
    ).toEqual({
      non_transferable: true,
      metadata_pointer: { metadata_address: encodeAddress(key(1)) },
    });
  });

  test("of several entries of one type the first one counts, a broken one too", () => {
    expect(
      shown([
        [18, pointer],
        [18, [...key(0), ...key(2)]],
        [12, [1]],
        [12, [...key(3)]],
      ]),
    ).toEqual({ metadata_pointer: { metadata_address: encodeAddress(key(1)) } });
  });

  test("a length beyond the end hides what follows", () => {
    const region = Uint8Array.of(9, 0, 0, 0, 12, 0, 255, 255, 1);
    expect(readMintExtensions(region).shown).toEqual({ non_transferable: true });
  });

  test("the older, shorter groups and members read like the new ones", () => {
    const group = {
      update_authority: encodeAddress(key(2)),
      mint: encodeAddress(key(1)),
      size: 3,
      max_size: 9,
    };
    expect(shown([[21, [...key(2), ...key(1), 3, 0, 0, 0, 9, 0, 0, 0]]])).toEqual({ token_group: group });
    expect(shown([[21, [...key(2), ...key(1), 3, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]]])).toEqual({
      token_group: group,
    });
    expect(shown([[23, [...key(1), ...key(4), 7, 0, 0, 0]]])).toEqual({
      token_group_member: { mint: encodeAddress(key(1)), group: encodeAddress(key(4)), member_number: 7 },
    });
  });

  test("pointers show where they lead; absent keys are null", () => {
    expect(
      shown([
        [18, [...key(5), ...key(0)]],
        [14, [...key(5), ...key(0)]],
        [6, [2]],
      ]),
    ).toEqual({
      metadata_pointer: { metadata_address: null },
      transfer_hook: { authority: encodeAddress(key(5)), program_id: null },
      default_account_state: { state: 2 },
    });
  });

  test("keeps every digit of a fee", () => {
    const fee = [...Array.from({ length: 8 }, () => 255), ...Array.from({ length: 8 }, () => 255), 5, 0];
    const { shown: value } = read([
      [1, [...key(0), ...key(0), ...Array.from({ length: 8 }, () => 255), ...fee, ...fee]],
    ]);
    expect(value === null ? "" : writeJson(value)).toContain('"withheld_amount":18446744073709551615');
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (region) => {
        const { shown: value } = readMintExtensions(region);
        if (value !== null) writeJson(value);
      }),
    );
  });
});
