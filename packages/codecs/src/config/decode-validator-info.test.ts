import { describe, expect, test } from "vitest";
import { validatorInfoKey } from "../programs/addresses.ts";
import { decodeValidatorInfo } from "./decode-validator-info.ts";

const text = '{"name":"é"}';
const utf8 = new TextEncoder().encode(text);
const account = (count: number[], body = utf8): Uint8Array =>
  Uint8Array.from([...count, ...validatorInfoKey, 0, body.length, 0, 0, 0, 0, 0, 0, 0, ...body]);

describe("decodeValidatorInfo", () => {
  test("reads keys and text, and ignores what follows", () => {
    const data = Uint8Array.from([...account([1]), 9, 9]);
    expect(decodeValidatorInfo(data)).toEqual({ keys: [{ address: validatorInfoKey, signer: false }], text });
  });

  test("reads a count of two bytes", () => {
    const keys = Array.from({ length: 128 }, () => [...validatorInfoKey, 1]).flat();
    const data = Uint8Array.from([0x80, 0x01, ...keys, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(decodeValidatorInfo(data)?.keys).toHaveLength(128);
  });

  test.each([
    ["a count that is longer than it needs to be", account([0x81, 0x00])],
    ["a count above 65535", account([0xff, 0xff, 0x04])],
    ["a count without an end", account([0xff, 0xff, 0xff])],
    ["no key", account([0])],
    ["text that is cut short", account([1]).subarray(0, -1)],
    ["text that is not UTF-8", account([1], Uint8Array.of(0xff))],
  ])("answers null for %s", (_, data) => {
    expect(decodeValidatorInfo(data)).toBeNull();
  });
});
