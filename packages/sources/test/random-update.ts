import { encodeBase58 } from "@lamplight/codecs";
import type { Instruction, InstructionGroup } from "@lamplight/core";
import type { Random } from "@lamplight/devchain";
import type { SlotStatus, YellowstoneUpdate } from "../src/yellowstone/decode-update.ts";
import { LooseWire } from "./loose-wire.ts";

/** A message, and what it says. */
export interface RandomUpdate {
  readonly message: Uint8Array;
  readonly says: YellowstoneUpdate;
}

/** Any message of the protocol, with every field it may have, including ignored ones. */
export const randomUpdate = (random: Random): RandomUpdate => {
  const { field, body, says } = kinds[random.below(kinds.length)]!(random);
  const wire = new LooseWire(random);
  for (let filters = random.below(3); filters > 0; filters -= 1) wire.text(1, "filter");
  const message = wire
    .message(field, body)
    .message(11, new LooseWire(random).number(1, randomU64(random)).number(2, 5n).end())
    .end();
  return { message, says };
};

interface Part {
  /** Field numbers of SubscribeUpdate. */
  readonly field: number;
  readonly body: Uint8Array;
  readonly says: YellowstoneUpdate;
}

const some = (random: Random): LooseWire => new LooseWire(random);

/** Small and large ones, and both ends. */
const randomU64 = (random: Random): bigint =>
  [0n, 1n, random.u64(), BigInt(random.below(1000)), 2n ** 64n - 1n, 2n ** 63n, 2n ** 53n][random.below(7)]!;

const randomCount = (random: Random): number =>
  [0, 1, random.below(1000), 2 ** 32, 2 ** 53 - 1, random.u32() * 1000][random.below(6)]!;

/** Absent where it is 0. */
const namedBank = (bank: bigint): { readonly bank?: bigint } => (bank === 0n ? {} : { bank });

const randomAccount = (random: Random): Part => {
  const account = {
    address: random.bytes(32),
    lamports: randomU64(random),
    programOwner: random.percent(20) ? new Uint8Array(32) : random.bytes(32),
    executable: random.percent(30),
    rentEpoch: randomU64(random),
    data: random.bytes([0, 1, 165, 1024, 1025, 20_000][random.below(6)]!),
    slot: randomCount(random),
    writeVersion: randomCount(random),
  };
  const info = some(random)
    .message(1, account.address)
    .number(2, account.lamports)
    .message(3, account.programOwner)
    .number(4, account.executable ? 1n : 0n)
    .number(5, account.rentEpoch)
    .bytes(6, account.data)
    .number(7, BigInt(account.writeVersion));
  if (random.percent(50)) info.bytes(8, random.bytes(64));
  const isStartup = random.percent(20);
  const bank = randomU64(random);
  const body = some(random)
    .message(1, info.end())
    .number(2, BigInt(account.slot))
    .number(3, isStartup ? 1n : 0n)
    .number(4, bank)
    .end();
  return { field: 2, body, says: { kind: "account", account, isStartup, ...namedBank(bank) } };
};

const statuses: readonly SlotStatus[] = [
  "processed",
  "confirmed",
  "finalized",
  "firstShredReceived",
  "completed",
  "createdBank",
  "dead",
];

const randomSlot = (random: Random): Part => {
  const slot = randomCount(random);
  const parent = random.percent(50) ? randomCount(random) : null;
  const place = random.below(statuses.length + 1);
  const deadError = random.percent(30) ? "it died: ☠" : null;
  const bank = randomU64(random);
  const body = some(random)
    .number(1, BigInt(slot))
    .optional(2, parent === null ? null : BigInt(parent))
    .number(3, BigInt(place))
    .optional(5, random.percent(50) && bank === 0n ? null : bank);
  if (deadError !== null) body.message(4, Buffer.from(deadError));
  const status = statuses[place];
  const says: YellowstoneUpdate =
    status === undefined
      ? { kind: "other" }
      : { kind: "slot", slot, parent, status, deadError, ...namedBank(bank) };
  return { field: 3, body: body.end(), says };
};

const randomBlockMeta = (random: Random): Part => {
  const bank = randomU64(random);
  const says = {
    ...namedBank(bank),
    kind: "blockMeta",
    slot: randomCount(random),
    blockhash: random.percent(10) ? "" : encodeBase58(random.bytes(32)),
    parent: randomCount(random),
    parentBlockhash: random.percent(10) ? "" : encodeBase58(random.bytes(32)),
    transactionCount: randomCount(random),
  } as const;
  const body = some(random)
    .number(1, BigInt(says.slot))
    .text(2, says.blockhash)
    .message(3, some(random).bytes(1, random.bytes(30)).end())
    .message(4, some(random).number(1, randomU64(random)).end())
    .message(5, some(random).number(1, randomU64(random)).end())
    .number(6, BigInt(says.parent))
    .text(7, says.parentBlockhash)
    .number(8, BigInt(says.transactionCount))
    .number(9, randomU64(random))
    .number(10, bank)
    .end();
  return { field: 7, body, says };
};

/** An instruction as it lies in a message: places instead of addresses. */
interface Call {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  readonly height: number | null;
}

const randomTransaction = (random: Random): Part => {
  const keys = Array.from({ length: random.between(1, 256) }, () => random.bytes(32));
  const [staticKeys, writableKeys] = [random.below(keys.length + 1), random.below(keys.length + 1)].toSorted(
    (a, b) => a - b,
  ) as [number, number];
  const randomCall = (height: number | null): Call => ({
    program: random.below(keys.length),
    accounts: Array.from({ length: random.below(12) }, () => random.below(keys.length)),
    data: random.bytes(random.below(100)),
    height,
  });
  const groups = Array.from({ length: random.below(4) }, () => ({
    outer: randomCall(null),
    inner: Array.from({ length: random.below(5) }, () =>
      randomCall(random.percent(30) ? null : random.between(2, 5)),
    ),
  }));
  const [isVote, failed] = [random.percent(10), random.percent(15)];
  const [signature, slot, index] = [random.bytes(64), randomCount(random), randomCount(random)];
  const bank = randomU64(random);
  const message = some(random)
    .message(1, some(random).number(1, 1n).number(2, 0n).number(3, 1n).end())
    .repeated(2, keys.slice(0, staticKeys))
    .bytes(3, random.bytes(32))
    .repeated(
      4,
      groups.map(({ outer }) => encodeCall(outer, random)),
    )
    .number(5, random.percent(50) ? 1n : 0n)
    .repeated(6, [some(random).bytes(1, random.bytes(32)).bytes(2, random.bytes(3)).end()]);
  const meta = randomMeta(random)
    .repeated(
      5,
      groups.flatMap(({ inner }, place) => (inner.length === 0 ? [] : [encodeInner(place, inner, random)])),
    )
    .repeated(12, keys.slice(staticKeys, writableKeys))
    .repeated(13, keys.slice(writableKeys));
  if (failed)
    meta.message(
      1,
      some(random)
        .bytes(1, random.bytes(random.below(9)))
        .end(),
    );
  const info = some(random)
    .message(1, signature)
    .number(2, isVote ? 1n : 0n)
    .message(3, some(random).repeated(1, [signature]).message(2, message.end()).end())
    .message(4, meta.end())
    .number(5, BigInt(index));
  const decoded = groups.map((group): InstructionGroup => ({
    outer: instructionOf({ ...group.outer, height: 1 }, keys),
    inner: group.inner.map((call) => instructionOf(call, keys)),
  }));
  return {
    field: 4,
    body: some(random).message(1, info.end()).number(2, BigInt(slot)).number(3, bank).end(),
    says: {
      ...namedBank(bank),
      kind: "transaction",
      isVote,
      transaction: {
        signature: encodeBase58(signature),
        slot,
        index,
        failed,
        groups: failed ? [] : decoded,
      },
    },
  };
};

const encodeCall = ({ program, accounts, data, height }: Call, random: Random): Uint8Array =>
  some(random)
    .number(1, BigInt(program))
    .bytes(2, Uint8Array.from(accounts))
    .bytes(3, data)
    .optional(4, height === null ? null : BigInt(height))
    .end();

const encodeInner = (place: number, calls: readonly Call[], random: Random): Uint8Array =>
  some(random)
    .number(1, BigInt(place))
    .repeated(
      2,
      calls.map((call) => encodeCall(call, random)),
    )
    .end();

const instructionOf = (
  { program, accounts, data, height }: Call,
  keys: readonly Uint8Array[],
): Instruction => ({
  programAddress: keys[program]!,
  accounts: accounts.map((place) => keys[place]!),
  data,
  stackHeight: height,
});

/** The result of a transaction, which an index ignores. */
const randomMeta = (random: Random): LooseWire =>
  some(random)
    .number(2, randomU64(random))
    .numbers(3, [1n, randomU64(random), 3n])
    .numbers(4, [randomU64(random)])
    .repeated(6, [Buffer.from("Program log: it was"), Buffer.from("☃")])
    .repeated(7, [some(random).number(1, 1n).text(2, "mint").end()])
    .repeated(9, [random.bytes(12)])
    .number(10, random.percent(10) ? 1n : 0n)
    .message(14, some(random).bytes(1, random.bytes(32)).bytes(2, random.bytes(5)).end())
    .number(16, randomU64(random))
    .number(17, randomU64(random));

const randomPong = (random: Random): Part => {
  const id = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)][random.below(5)]!;
  const body = some(random)
    .number(1, BigInt.asUintN(64, BigInt(id)))
    .end();
  return { field: 9, body, says: { kind: "pong", id } };
};

const kinds: readonly ((random: Random) => Part)[] = [
  randomAccount,
  randomAccount,
  randomSlot,
  randomBlockMeta,
  randomTransaction,
  randomPong,
  (random) => ({ field: 6, body: some(random).end(), says: { kind: "ping" } }),
  // A block, an entry, a status: regardless of what they say, no one asked for them.
  (random) => ({
    field: [5, 8, 10, 12][random.below(4)]!,
    body: random.bytes(random.below(50)),
    says: { kind: "other" },
  }),
];
