import { encodeAddress } from "@lamplight/codecs";
import type { Account, Slot } from "@lamplight/core";

/** The filters of a client, as far as this server applies them: everything else comes to everybody. */
export interface Subscription {
  readonly accounts: readonly AccountsFilter[];
  readonly fromSlot: Slot | null;
}

/** All parts that there are have to match; without any it is every account. */
interface AccountsFilter {
  readonly accounts: ReadonlySet<string>;
  readonly owners: ReadonlySet<string>;
  readonly lamports: bigint | null;
}

/** Reads a SubscribeRequest. */
export const readRequest = (request: Uint8Array): Subscription => {
  const fields = fieldsOf(request);
  const fromSlot = fields.findLast(({ field }) => field === 11)?.number;
  return {
    accounts: bytesIn(fields, 1).map((entry) => readFilter(bytesIn(fieldsOf(entry), 2)[0] ?? none)),
    fromSlot: fromSlot === undefined ? null : Number(fromSlot),
  };
};

/** Whether any filter needs that write. */
export const wantsAccount = ({ accounts: filters }: Subscription, account: Account): boolean =>
  filters.some(
    ({ accounts, owners, lamports }) =>
      (accounts.size === 0 || accounts.has(encodeAddress(account.address))) &&
      (owners.size === 0 || owners.has(encodeAddress(account.programOwner))) &&
      (lamports === null || lamports === account.lamports),
  );

const readFilter = (filter: Uint8Array): AccountsFilter => {
  const fields = fieldsOf(filter);
  const texts = (field: number): ReadonlySet<string> =>
    new Set(bytesIn(fields, field).map((bytes) => Buffer.from(bytes).toString()));
  // Only one of its conditions is known here: lamports (4) that equal (1).
  const [condition] = bytesIn(fields, 4);
  const [lamports] = condition === undefined ? [] : bytesIn(fieldsOf(condition), 4);
  return {
    accounts: texts(2),
    owners: texts(3),
    lamports:
      lamports === undefined ? null : (fieldsOf(lamports).find(({ field }) => field === 1)?.number ?? 0n),
  };
};

interface Field {
  readonly field: number;
  readonly bytes: Uint8Array;
  readonly number: bigint;
}

const none = new Uint8Array(0);

const bytesIn = (fields: readonly Field[], wanted: number): Uint8Array[] =>
  fields.filter(({ field }) => field === wanted).map(({ bytes }) => bytes);

const fieldsOf = (message: Uint8Array): readonly Field[] => {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at]!;
      at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = varint();
    const isBytes = tag % 8 === 2;
    const from = at;
    if (isBytes) at += Number(number);
    fields.push({ field: tag >>> 3, bytes: isBytes ? message.subarray(from, at) : none, number });
  }
  return fields;
};
