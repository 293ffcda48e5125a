import { programAddresses } from "@lamplight/codecs";
import { expect, test } from "vitest";
import { writeJson } from "../json/write-json.ts";
import { nativeMintView } from "../amount/mint-view.ts";
import { parseAccount } from "./parse-account.ts";

// Exact texts that need no vectors: one account of each form, with the largest numbers.

const u16 = (value: number): number[] => [value & 255, value >> 8];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];
const u64 = (value: bigint): number[] =>
  [...Buffer.from(BigInt.asUintN(64, value).toString(16).padStart(16, "0"), "hex")].toReversed();
const f64 = (value: number): number[] => {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value, true);
  return [...new Uint8Array(bytes.buffer)];
};
const bytes = (count: number, value: number): number[] => Array.from({ length: count }, () => value);
const key = (value: number): number[] => bytes(32, value);
const text = (value: string): number[] => [...u32(Buffer.byteLength(value)), ...Buffer.from(value)];
const MAX = 2n ** 64n - 1n;

const stakeMeta = [...u64(2_282_880n), ...key(1), ...key(2), ...u64(-5n), ...u64(MAX), ...key(3)];
const delegation = [...key(4), ...u64(MAX), ...u64(7n), ...u64(MAX), ...f64(0.25), ...u64(2n ** 53n + 1n), 0];
const votes = [...u64(1n), 3, ...u64(900n), ...u32(31)];
const credits = [...u64(1n), ...u64(5n), ...u64(MAX), ...u64(4n)];
const voteEnd = [1, ...u64(880n), ...u64(2n), ...u64(5n), ...key(6), ...u64(6n), ...key(7)];
const lastTimestamp = [...u64(901n), ...u64(-1n)];
const entry = (type: number, value: number[]): number[] => [...u16(type), ...u16(value.length), ...value];
const fee = (epoch: bigint): number[] => [...u64(epoch), ...u64(MAX), ...u16(65_535)];
const mintExtensions = [
  ...entry(1, [...key(1), ...key(0), ...u64(9n), ...fee(1n), ...fee(MAX)]),
  ...entry(4, [...key(1), 1, ...key(0)]),
  ...entry(6, [2]),
  ...entry(16, [...key(0), ...key(0), 1, ...bytes(64, 8)]),
  ...entry(19, [
    ...key(0),
    ...key(5),
    ...text("Näme"),
    ...text("S"),
    ...text("u"),
    ...u32(1),
    ...text("a"),
    ...text("b"),
  ]),
  ...entry(24, [...bytes(64, 1), ...bytes(36, 2), ...bytes(32, 3), ...bytes(64, 4)]),
  ...entry(26, [...key(0), 7]),
];
const accountExtensions = [
  ...entry(5, [
    1,
    ...bytes(32, 1),
    ...bytes(64, 2),
    ...bytes(64, 3),
    ...bytes(64, 4),
    ...bytes(36, 5),
    0,
    1,
    ...u64(1n),
    ...u64(2n),
    ...u64(3n),
    ...u64(MAX),
  ]),
  ...entry(17, bytes(64, 6)),
];
const mint = [...bytes(45, 0), 1, ...bytes(119, 0), 1];
const tokenAccount = [...key(1), ...key(2), ...u64(5n), ...bytes(36, 0), 1, ...bytes(56, 0), 2];

/** Account bytes by program; the texts are those that Agave's decoder (solana-account-decoder 4.1.0; extension 28: 4.2.2) prints. */
const cases: readonly (readonly [string, keyof typeof programAddresses, readonly number[], string | null])[] =
  [
    [
      "stake initialized",
      "stake",
      [...u32(1), ...stakeMeta],
      '{"info":{"meta":{"authorized":{"staker":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","withdrawer":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"},"lockup":{"custodian":"CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8","epoch":18446744073709551615,"unixTimestamp":-5},"rentExemptReserve":"2282880"},"stake":null},"type":"initialized"}',
    ],
    [
      "stake delegated",
      "stake",
      [...u32(2), ...stakeMeta, ...delegation],
      '{"info":{"meta":{"authorized":{"staker":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","withdrawer":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"},"lockup":{"custodian":"CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8","epoch":18446744073709551615,"unixTimestamp":-5},"rentExemptReserve":"2282880"},"stake":{"creditsObserved":9007199254740993,"delegation":{"activationEpoch":"7","deactivationEpoch":"18446744073709551615","stake":"18446744073709551615","voter":"GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq"}}},"type":"delegated"}',
    ],
    ["stake delegated, cut", "stake", [...u32(2), ...stakeMeta, ...delegation.slice(0, -1)], null],
    ["stake rewards pool", "stake", u32(3), '{"type":"rewardsPool"}'],
    [
      "vote of version 4",
      "vote",
      [
        ...u32(3),
        ...key(1),
        ...key(2),
        ...key(3),
        ...key(4),
        ...u16(1050),
        ...u16(10_000),
        ...u64(MAX),
        1,
        ...bytes(48, 9),
        ...votes,
        ...voteEnd,
        ...credits,
        ...lastTimestamp,
      ],
      '{"info":{"authorizedVoters":[{"authorizedVoter":"QWmroo4YnnMqYW3cnxWkFdaTxGD3P7vMSzwMHGbUzwF","epoch":5},{"authorizedVoter":"US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx","epoch":6}],"authorizedWithdrawer":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR","blockRevenueCollector":"GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq","blockRevenueCommissionBps":10000,"blsPubkeyCompressed":"LDxMHkBdiMPeeGd2r1n1zvbsyFVCwW4fqkuVXchP3HsfKKen1mAndxYXCxCQZFnXS","commission":11,"epochCredits":[{"credits":"18446744073709551615","epoch":5,"previousCredits":"4"}],"inflationRewardsCollector":"CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8","inflationRewardsCommissionBps":1050,"lastTimestamp":{"slot":901,"timestamp":-1},"nodePubkey":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","pendingDelegatorRewards":"18446744073709551615","priorVoters":[],"rootSlot":880,"votes":[{"confirmationCount":31,"latency":3,"slot":900}]},"type":"vote"}',
    ],
    [
      "vote of version 3",
      "vote",
      [
        ...u32(2),
        ...key(1),
        ...key(2),
        8,
        ...votes,
        ...voteEnd,
        ...bytes(1545, 0),
        ...credits,
        ...lastTimestamp,
      ],
      '{"info":{"authorizedVoters":[{"authorizedVoter":"QWmroo4YnnMqYW3cnxWkFdaTxGD3P7vMSzwMHGbUzwF","epoch":5},{"authorizedVoter":"US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx","epoch":6}],"authorizedWithdrawer":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR","blockRevenueCollector":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","blockRevenueCommissionBps":10000,"blsPubkeyCompressed":null,"commission":8,"epochCredits":[{"credits":"18446744073709551615","epoch":5,"previousCredits":"4"}],"inflationRewardsCollector":"cGfHiC6Kgg3FpFZvgwGcswsCRtp4aBP2fzuXRQPizuN","inflationRewardsCommissionBps":800,"lastTimestamp":{"slot":901,"timestamp":-1},"nodePubkey":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","pendingDelegatorRewards":"0","priorVoters":[],"rootSlot":880,"votes":[{"confirmationCount":31,"latency":3,"slot":900}]},"type":"vote"}',
    ],
    [
      "vote at the migration to Alpenglow: one certified vote, and a marker among the credits",
      "vote",
      [
        ...u32(3),
        ...bytes(128, 1),
        ...u16(0),
        ...u16(0),
        ...u64(0n),
        0,
        ...u64(1n),
        0,
        ...u64(900n),
        ...u32(1),
        ...voteEnd,
        ...u64(3n),
        ...u64(5n),
        ...u64(16n),
        ...u64(4n),
        ...u64(MAX),
        ...u64(MAX),
        ...u64(MAX),
        ...u64(6n),
        ...u64(MAX),
        ...u64(16n),
        ...lastTimestamp,
      ],
      '{"info":{"authorizedVoters":[{"authorizedVoter":"QWmroo4YnnMqYW3cnxWkFdaTxGD3P7vMSzwMHGbUzwF","epoch":5},{"authorizedVoter":"US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx","epoch":6}],"authorizedWithdrawer":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","blockRevenueCollector":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","blockRevenueCommissionBps":0,"blsPubkeyCompressed":null,"commission":0,"epochCredits":[{"credits":"16","epoch":5,"previousCredits":"4"},{"credits":"18446744073709551615","epoch":18446744073709551615,"previousCredits":"18446744073709551615"},{"credits":"18446744073709551615","epoch":6,"previousCredits":"16"}],"inflationRewardsCollector":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","inflationRewardsCommissionBps":0,"lastTimestamp":{"slot":901,"timestamp":-1},"nodePubkey":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","pendingDelegatorRewards":"0","priorVoters":[],"rootSlot":880,"votes":[{"confirmationCount":1,"latency":0,"slot":900}]},"type":"vote"}',
    ],
    [
      "nonce",
      "system",
      [...u32(1), ...u32(1), ...key(1), ...key(2), ...u64(5000n)],
      '{"info":{"authority":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","blockhash":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR","feeCalculator":{"lamportsPerSignature":"5000"}},"type":"initialized"}',
    ],
    ["nonce uninitialized", "system", [...u32(1), ...u32(0), ...key(1), ...key(2), ...u64(5000n)], null],
    [
      "lookup table",
      "addressLookupTable",
      [...u32(1), ...u64(MAX), ...u64(300n), 2, 1, ...key(1), 0, 0, ...key(2), ...key(3)],
      '{"info":{"addresses":["8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR","CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8"],"authority":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","deactivationSlot":"18446744073709551615","lastExtendedSlot":"300","lastExtendedSlotStartIndex":2},"type":"lookupTable"}',
    ],
    [
      "lookup table, frozen",
      "addressLookupTable",
      [...u32(1), ...u64(1n), ...u64(300n), 0, 0, ...bytes(34, 0)],
      '{"info":{"addresses":[],"deactivationSlot":"1","lastExtendedSlot":"300","lastExtendedSlotStartIndex":0},"type":"lookupTable"}',
    ],
    [
      "lookup table with half an address",
      "addressLookupTable",
      [...u32(1), ...u64(1n), ...u64(3n), 0, 0, ...bytes(34, 0), ...bytes(16, 1)],
      null,
    ],
    [
      "buffer",
      "upgradeableLoader",
      [...u32(1), 1, ...key(1), 1, 2, 3],
      '{"info":{"authority":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","data":["AQID","base64"]},"type":"buffer"}',
    ],
    [
      "program",
      "upgradeableLoader",
      [...u32(2), ...key(1)],
      '{"info":{"programData":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"},"type":"program"}',
    ],
    [
      "program data",
      "upgradeableLoader",
      [...u32(3), ...u64(77n), 0, ...bytes(32, 0), 1, 2, 3],
      '{"info":{"authority":null,"data":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAgM=","base64"],"slot":77},"type":"programData"}',
    ],
    [
      "mint",
      "token2022",
      [...mint, ...mintExtensions],
      '{"info":{"decimals":0,"extensions":[{"extension":"transferFeeConfig","state":{"newerTransferFee":{"epoch":18446744073709551615,"maximumFee":18446744073709551615,"transferFeeBasisPoints":65535},"olderTransferFee":{"epoch":1,"maximumFee":18446744073709551615,"transferFeeBasisPoints":65535},"transferFeeConfigAuthority":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","withdrawWithheldAuthority":null,"withheldAmount":9}},{"extension":"confidentialTransferMint","state":{"auditorElgamalPubkey":null,"authority":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","autoApproveNewAccounts":true}},{"extension":"defaultAccountState","state":{"accountState":"frozen"}},{"extension":"confidentialTransferFeeConfig","state":{"authority":null,"harvestToMintEnabled":true,"withdrawWithheldAuthorityElgamalPubkey":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","withheldAmount":"CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICA=="}},{"extension":"tokenMetadata","state":{"additionalMetadata":[["a","b"]],"mint":"LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY","name":"Näme","symbol":"S","updateAuthority":null,"uri":"u"}},{"extension":"confidentialMintBurn","state":{"confidentialSupply":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ==","decryptableSupply":"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC","pendingBurn":"BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBA==","supplyElgamalPubkey":"AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM="}},{"extension":"pausableConfig","state":{"authority":null,"paused":true}}],"freezeAuthority":null,"isInitialized":true,"mintAuthority":null,"supply":"0"},"type":"mint"}',
    ],
    [
      "mint whose burns need a permission",
      "token2022",
      [...mint, ...entry(28, key(1))],
      '{"info":{"decimals":0,"extensions":[{"extension":"permissionedBurnConfig","state":{"authority":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"}}],"freezeAuthority":null,"isInitialized":true,"mintAuthority":null,"supply":"0"},"type":"mint"}',
    ],
    [
      "mint whose burns need no permission any more",
      "token2022",
      [...mint, ...entry(28, key(0))],
      '{"info":{"decimals":0,"extensions":[{"extension":"permissionedBurnConfig","state":{"authority":null}}],"freezeAuthority":null,"isInitialized":true,"mintAuthority":null,"supply":"0"},"type":"mint"}',
    ],
    [
      "token account",
      "token2022",
      [...tokenAccount, ...accountExtensions],
      '{"info":{"extensions":[{"extension":"confidentialTransferAccount","state":{"actualPendingBalanceCreditCounter":18446744073709551615,"allowConfidentialCredits":false,"allowNonConfidentialCredits":true,"approved":true,"availableBalance":"BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBA==","decryptableAvailableBalance":"BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF","elgamalPubkey":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=","expectedPendingBalanceCreditCounter":3,"maximumPendingBalanceCreditCounter":2,"pendingBalanceCreditCounter":1,"pendingBalanceHi":"AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw==","pendingBalanceLo":"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg=="}},{"extension":"confidentialTransferFeeAmount","state":{"withheldAmount":"BgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBgYGBg=="}}],"isNative":false,"mint":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","owner":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR","state":"initialized","tokenAmount":{"amount":"5","decimals":9,"uiAmount":5e-9,"uiAmountString":"0.000000005"}},"type":"account"}',
    ],
  ];
test.each(cases)("%s", (_, program, data, expected) => {
  const account = {
    address: Uint8Array.from(key(9)),
    programOwner: programAddresses[program],
    lamports: 1n,
    executable: false,
    rentEpoch: 0n,
    data: Uint8Array.from(data),
    slot: 1,
    writeVersion: 0,
  };
  const parsed = parseAccount(account, { mint: nativeMintView, unixTimestamp: 0n });
  if (expected === null) expect(parsed).toBeNull();
  else expect(writeJson(parsed)).toContain(`{"parsed":${expected},"program":`);
});
