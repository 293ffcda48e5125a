import { programAddresses } from "@lamplight/codecs";
import { expect, test } from "vitest";
import { coreAccount, key } from "../../test/encode-core.ts";
import { type AccountRule, claim } from "../rules/rules.ts";
import { ClaimReader } from "./claims.ts";
import { CLAIMS_BYTES_MAX } from "./limits.ts";

test("versions are forgotten once their data are many bytes, also where no rule reads them", () => {
  let reads = 0;
  const rule: AccountRule = {
    name: "counted",
    programs: [programAddresses.mplCore],
    claim: ({ address }) => {
      reads += 1;
      return claim({ assets: [address] });
    },
  };
  const reader = new ClaimReader([rule]);
  const small = coreAccount(key(1), new Uint8Array(10));
  const large = coreAccount(key(2), new Uint8Array(CLAIMS_BYTES_MAX), { programOwner: key(9) });
  reader.read(small);
  reader.read(small);
  expect(reads).toBe(1);
  reader.read(large);
  // It takes the place of both.
  reader.read(coreAccount(key(3), new Uint8Array(10)));
  expect(reads).toBe(2);
  reader.read(small);
  expect(reads).toBe(3);
  reader.read(small);
  expect(reads).toBe(3);
});
