import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import type { Random } from "@lamplight/devchain";
import type { Fixtures } from "../fixtures/make-fixtures.ts";
import { call, type ReferenceRequest } from "./request.ts";

const commitments = ["processed", "confirmed", "finalized"] as const;
const encodings = ["base64", "base64+zstd", "base58", "binary"] as const;

/** Every fixture parsed, and in other encodings, slices and commitments. */
export const accountRequests = (random: Random, fixtures: Fixtures): readonly ReferenceRequest[] => [
  ...fixtures.all.map((account) => parsed(random, account)),
  ...fixtures.all.flatMap((account) => (random.percent(40) ? [sliced(random, account)] : [])),
  ...fixtures.wallets.flatMap((account) =>
    encodings.map((encoding) =>
      call("encodings", "getAccountInfo", [encodeAddress(account.address), { encoding }]),
    ),
  ),
  ...fixtures.wallets.map((account) => call("encodings", "getAccountInfo", [encodeAddress(account.address)])),
];

const parsed = (random: Random, { address }: Account): ReferenceRequest => {
  const commitment = random.percent(30) ? { commitment: random.pick([...commitments]) } : {};
  const dataSlice = random.percent(15) ? { dataSlice: slice(random) } : {};
  const config = { encoding: "jsonParsed", ...commitment, ...dataSlice };
  return call("parsed", "getAccountInfo", [encodeAddress(address), config], { readsClock: true });
};

const sliced = (random: Random, { address }: Account): ReferenceRequest =>
  call("slices", "getAccountInfo", [
    encodeAddress(address),
    {
      encoding: random.pick([...encodings]),
      dataSlice: slice(random),
      commitment: random.pick([...commitments]),
    },
  ]);

const slice = (random: Random) => ({ offset: random.below(220), length: random.below(140) });
