import { base58 } from "@scure/base";
import { expect, test } from "vitest";
import {
  isTokenProgram,
  programAddresses,
  programAddressTexts,
  sysvarAddresses,
  sysvarAddressTexts,
} from "./addresses.ts";

const texts = Object.entries({ ...programAddressTexts, ...sysvarAddressTexts });
const bytes: Record<string, Uint8Array> = { ...programAddresses, ...sysvarAddresses };

test.each(texts)("%s is 32 bytes and its text is theirs", (name, text) => {
  expect(bytes[name]).toHaveLength(32);
  expect(base58.encode(bytes[name] ?? new Uint8Array(0))).toBe(text);
});

test("no address is listed twice", () => {
  expect(new Set(texts.map(([, text]) => text)).size).toBe(texts.length);
});

test("exactly two programs are token programs", () => {
  const found = Object.entries(programAddresses).filter(([, address]) => isTokenProgram(address));
  expect(found.map(([name]) => name)).toEqual(["token", "token2022"]);
});
