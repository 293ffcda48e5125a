import { encodeAddress } from "@lamplight/codecs";
import type { Fixtures } from "../fixtures/make-fixtures.ts";
import { call, type ReferenceRequest } from "./request.ts";

/** Every position and member with a value of every kind, one at a time. */
export const paramRequests = ({ tokens, wallets }: Fixtures): readonly ReferenceRequest[] => {
  const wallet = encodeAddress(wallets[0]!.address);
  const mint = encodeAddress(tokens.mints[0]!.address);
  const delegate = encodeAddress(tokens.delegates[0]!);
  const base64 = { encoding: "base64" };
  return [
    ...positions("getAccountInfo", [wallet, base64]),
    ...positions("getTokenAccountsByDelegate", [delegate, { mint }, base64]),
    ...positions("getTokenSupply", [mint, { commitment: "finalized" }]),
    ...positions("getLargestAccounts", [{ filter: "circulating" }]),
    ...members("getAccountInfo", [wallet], "encoding", words.encoding),
    ...members("getAccountInfo", [wallet], "commitment", words.commitment, base64),
    ...members("getAccountInfo", [wallet], "minContextSlot", numbers, base64),
    ...members("getAccountInfo", [wallet], "dataSlice", slices, base64),
    ...members("getTokenAccountsByDelegate", [delegate, { mint }], "dataSlice", slices, base64),
    ...members("getTokenAccountsByDelegate", [delegate, { mint }], "minContextSlot", numbers, base64),
    ...members("getTokenAccountsByDelegate", [delegate, { mint }], "encoding", words.encoding),
    ...members("getTokenSupply", [mint], "commitment", words.commitment),
    ...members("getTokenSupply", [mint], "minContextSlot", numbers, { commitment: "finalized" }),
    ...members("getLargestAccounts", [], "filter", words.filter),
    ...members("getLargestAccounts", [], "commitment", words.commitment),
    ...members("getLargestAccounts", [], "sortResults", [true, false, null, 1, "true"]),
    ...filters(mint).map((filter) =>
      call("params", "getTokenAccountsByDelegate", [delegate, filter, base64]),
    ),
    ...addresses.flatMap((address) => [
      call("params", "getAccountInfo", [address, base64]),
      call("params", "getTokenSupply", [address]),
      call("params", "getTokenAccountsByDelegate", [address, { mint }, base64]),
      call("params", "getTokenAccountsByDelegate", [delegate, { mint: address }, base64]),
      call("params", "getTokenAccountsByDelegate", [delegate, { programId: address }, base64]),
    ]),
  ];
};

const anything = [null, true, 0, 1.5, -1, "", "x", [], {}, [null], { a: 1 }];

/** Fewer, more, and each one replaced. */
const positions = (method: string, params: readonly unknown[]): readonly ReferenceRequest[] => [
  ...params.map((_, count) => call("params", method, params.slice(0, count))),
  call("params", method, [...params, null]),
  call("params", method, [...params, null, null]),
  ...params.flatMap((_, index) => anything.map((value) => call("params", method, params.with(index, value)))),
];

const members = (
  method: string,
  params: readonly unknown[],
  name: string,
  values: readonly unknown[],
  rest: object = {},
): readonly ReferenceRequest[] =>
  [...values, ...anything].map((value) => call("params", method, [...params, { ...rest, [name]: value }]));

const words = {
  encoding: [
    "binary",
    "base58",
    "base64",
    "base64+zstd",
    "jsonParsed",
    "JSONPARSED",
    "base64 ",
    { base64: null },
    { base64: 1 },
  ],
  commitment: [
    "processed",
    "confirmed",
    "finalized",
    "root",
    "single",
    "max",
    "recent",
    "Finalized",
    { confirmed: null },
  ],
  filter: ["circulating", "nonCirculating", "noncirculating", { circulating: null }],
};
const numbers = [1, 2 ** 53, 1e300, "1", -0.5];
const slices = [
  { offset: 0, length: 0 },
  { offset: 2, length: 3 },
  { length: 3, offset: 100_000 },
  { offset: 0 },
  { length: 1 },
  { offset: -1, length: 1 },
  { offset: 1.5, length: 1 },
  { offset: "1", length: 1 },
  { offset: 1, length: 1, more: 1 },
  [0, 4],
  [0],
  [0, 4, 5],
];

const filters = (mint: string): readonly unknown[] => [
  {},
  { mint, programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" },
  { mint: null },
  { mint: 1 },
  { programId: [] },
  { owner: mint },
  { Mint: mint },
  { mint, x: 1 },
];

const addresses = [
  "",
  " ",
  "1".repeat(31),
  "1".repeat(32),
  "1".repeat(33),
  "1".repeat(44),
  "1".repeat(45),
  "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG",
  "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH",
  "0OIl",
  "\u{1F4A1}",
  "So11111111111111111111111111111111111111112",
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  " 11111111111111111111111111111111",
];
