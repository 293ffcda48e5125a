/** Accounts of a subscription: the union of its parts; no part = every account. */
export interface AccountsFilter {
  /** Base58 text, any of. */
  readonly owner?: readonly string[];
  readonly account?: readonly string[];
  /** The filter passes only accounts with exactly these lamports. */
  readonly lamportsEqual?: bigint;
}

export interface SubscribeRequest {
  /** Filters by name, each at most 128 bytes. */
  readonly accounts: Readonly<Record<string, AccountsFilter>>;
  /** Programs (base58 text) whose transactions are needed, votes and failed ones never. */
  readonly transactions: Readonly<Record<string, readonly string[]>>;
  readonly commitment: "processed" | "confirmed" | "finalized";
  /** Replay from this slot on; null = from now. */
  readonly fromSlot: number | null;
}

const levels = { processed: 0, confirmed: 1, finalized: 2 } as const;
const utf8 = new TextEncoder();

/** Slots with all statuses, and block hashes, are always requested: without them no slot is known to be complete. */
export const encodeSubscribeRequest = (request: SubscribeRequest): Uint8Array =>
  join(
    ...Object.entries(request.accounts).map(([name, filter]) =>
      mapEntry(1, name, encodeAccountsFilter(filter)),
    ),
    mapEntry(2, "slots", numberField(2, 1n)),
    ...Object.entries(request.transactions).map(([name, programs]) =>
      mapEntry(
        3,
        name,
        join(numberField(1, 0n), numberField(2, 0n), ...programs.map((program) => textField(3, program))),
      ),
    ),
    mapEntry(5, "blocks", new Uint8Array(0)),
    numberField(6, BigInt(levels[request.commitment])),
    request.fromSlot === null ? new Uint8Array(0) : numberField(11, BigInt(request.fromSlot)),
  );

/** The answer to a server's ping. The filters stay unchanged. */
export const encodePingRequest = (id: number): Uint8Array => bytesField(9, numberField(1, BigInt(id)));

const encodeAccountsFilter = ({ owner = [], account = [], lamportsEqual }: AccountsFilter): Uint8Array =>
  join(
    ...account.map((address) => textField(2, address)),
    ...owner.map((address) => textField(3, address)),
    lamportsEqual === undefined
      ? new Uint8Array(0)
      : bytesField(4, bytesField(4, numberField(1, lamportsEqual))),
  );

const mapEntry = (field: number, key: string, value: Uint8Array): Uint8Array =>
  bytesField(field, join(textField(1, key), bytesField(2, value)));

const textField = (field: number, text: string): Uint8Array => bytesField(field, utf8.encode(text));

const bytesField = (field: number, bytes: Uint8Array): Uint8Array =>
  join(varint(BigInt(field * 8 + 2)), varint(BigInt(bytes.length)), bytes);

const numberField = (field: number, value: bigint): Uint8Array =>
  join(varint(BigInt(field * 8)), varint(value));

const varint = (value: bigint): Uint8Array => {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.of(...bytes, Number(rest));
};

const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
