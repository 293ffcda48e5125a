import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeAddress } from "../base58/encode-base58.ts";
import { BorshWriter } from "../borsh/borsh-writer.ts";
import { decodeLibreplexInscription } from "./decode-libreplex-inscription.ts";

const shared = process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../../shared");
const realFiles = globSync(
  join(shared, "das-cases/display-options/*/accounts/DarH4z6SmdVzPrt8krAygpLodhdjvNAstP3taj2tysN2.json"),
);
if (realFiles.length === 0) console.warn(`skipped: no shared test data at ${shared}`);

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const tag = Uint8Array.of(0xe8, 0x78, 0xcd, 0x2f, 0x99, 0xef, 0xe5, 0xe0);

const writeLibreplex = (): BorshWriter =>
  new BorshWriter()
    .bytes(tag)
    .bytes(key(1))
    .bytes(key(2))
    .bytes(key(3))
    .u64(2n ** 64n - 1n)
    .u32(202);

describe("decodeLibreplexInscription", () => {
  test.skipIf(realFiles.length === 0)("decodes a real inscription", () => {
    const { data } = JSON.parse(readFileSync(realFiles[0] ?? "", "utf8")) as { data: string };
    const inscription = decodeLibreplexInscription(Buffer.from(data, "base64"));
    expect(inscription).toMatchObject({
      order: 1733n,
      size: 202,
      contentType: "image/net/riupjyro3lsvkb_listajh0jdsrsjmnyhusxvznycqw",
      encoding: "base64",
      validationHash: "7fa0041483b92f5a0448067ecef9beca2192b13bfe86fbd53a0024e84fcea652",
    });
    expect(encodeAddress(inscription?.root ?? key(0))).toBe("9FkS3kZV4MoGps14tUSp7iVnizGbxcK4bDEhSoF5oYAZ");
    expect(encodeAddress(inscription?.inscriptionData ?? key(0))).toBe(
      "4Q18N6XrfJHgDbRTaHJR328jN9dixCLQAQhDsTsRzg3v",
    );
  });

  test("answers a missing validation hash as null", () => {
    const data = writeLibreplex().text("image/png").text("base64").u8(0).bytes(new Uint8Array(5)).finish();
    expect(decodeLibreplexInscription(data)).toMatchObject({ order: 2n ** 64n - 1n, validationHash: null });
  });

  test("answers null for content accounts, empty ones, and a content type of four gigabytes", () => {
    expect(decodeLibreplexInscription(new Uint8Array(0))).toBeNull();
    expect(decodeLibreplexInscription(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4, 5))).toBeNull();
    expect(decodeLibreplexInscription(writeLibreplex().u32(0xff_ff_ff_ff).bytes(key(0)).finish())).toBeNull();
  });

  test("never throws, regardless of what follows the discriminator", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (rest) => {
        expect(() => decodeLibreplexInscription(Uint8Array.of(...tag, ...rest))).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
