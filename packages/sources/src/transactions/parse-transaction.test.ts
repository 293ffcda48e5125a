import { encodeAddress, encodeBase58, programAddresses, programAddressTexts } from "@lamplight/codecs";
import type { Transaction } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { parseTransactions } from "./parse-transaction.ts";
import { TransactionFault } from "./transaction-fault.ts";

const addressOf = (byte: number): string => encodeAddress(new Uint8Array(32).fill(byte));
const signature = encodeBase58(new Uint8Array(64).fill(5));
const data = encodeBase58(Uint8Array.of(1, 2, 3));

const inner = (stackHeight?: number | null): object => ({
  index: 0,
  instructions: [
    { programIdIndex: 4, accounts: [0, 3], data, ...(stackHeight === undefined ? {} : { stackHeight }) },
  ],
});

/** Two static keys, a writable and two read-only looked-up ones. */
const jsonAnswer = (
  change: { meta?: object; message?: object; answer?: object } = {},
): Record<string, unknown> => ({
  slot: 77,
  version: 0,
  blockTime: 1,
  transaction: {
    signatures: [signature],
    message: {
      header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
      accountKeys: [addressOf(1), addressOf(2)],
      recentBlockhash: addressOf(9),
      instructions: [{ programIdIndex: 1, accounts: [2, 0], data, stackHeight: null }],
      addressTableLookups: [{ accountKey: addressOf(8), writableIndexes: [0], readonlyIndexes: [1, 2] }],
      ...change.message,
    },
  },
  meta: {
    err: null,
    loadedAddresses: { writable: [addressOf(3)], readonly: [addressOf(4), addressOf(6)] },
    innerInstructions: [inner()],
    ...change.meta,
  },
  ...change.answer,
});

/** An answer in which something closes an account, as the jsonParsed form has it. */
const closingAnswer = (info: object): Record<string, unknown> => {
  const closing = {
    programId: programAddressTexts.token2022,
    program: "spl-token-2022",
    parsed: { type: "closeAccount", info },
    stackHeight: 2,
  };
  return jsonAnswer({ meta: { innerInstructions: [{ index: 0, instructions: [closing] }] } });
};

const bytesOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

const expected: Transaction = {
  signature,
  slot: 77,
  index: null,
  failed: false,
  groups: [
    {
      outer: {
        programAddress: bytesOf(2),
        accounts: [bytesOf(3), bytesOf(1)],
        data: Uint8Array.of(1, 2, 3),
        stackHeight: 1,
      },
      inner: [
        {
          programAddress: bytesOf(6),
          accounts: [bytesOf(1), bytesOf(4)],
          data: Uint8Array.of(1, 2, 3),
          stackHeight: null,
        },
      ],
    },
  ],
};

/** The same transaction as it travels: version 0 with one lookup. */
const wire = (): Uint8Array =>
  Buffer.concat(
    [
      [1, ...Array.from({ length: 64 }, () => 5)],
      [0x80, 1, 0, 0],
      [2, ...bytesOf(1), ...bytesOf(2)],
      [...bytesOf(9)],
      [1, 1, 2, 2, 0, 3, 1, 2, 3],
      [1, ...bytesOf(8), 1, 0, 2, 1, 2],
    ].map((part) => Uint8Array.from(part)),
  );

const faultOf = (value: unknown, slot: number | null = null): string | null => {
  try {
    parseTransactions(value, slot);
    return null;
  } catch (error) {
    if (!(error instanceof TransactionFault)) throw error;
    return error.message;
  }
};

const withKey = (key: string): object => ({ accountKeys: [key, addressOf(2)] });

describe("parseTransactions", () => {
  test("reads getTransaction in JSON, keys from lookup tables included", () => {
    expect(parseTransactions(jsonAnswer(), null)).toEqual([expected]);
  });

  test("reads the same inside a JSON-RPC response", () => {
    expect(parseTransactions({ jsonrpc: "2.0", id: 1, result: jsonAnswer() }, null)).toEqual([expected]);
  });

  test.each(["base64", "base58"])("reads the same in %s", (encoding) => {
    const text = encoding === "base64" ? Buffer.from(wire()).toString("base64") : encodeBase58(wire());
    const { meta } = jsonAnswer();
    expect(parseTransactions({ slot: 77, transaction: [text, encoding], meta }, null)).toEqual([expected]);
  });

  test("reads the same in the jsonParsed form, where loaded keys are listed among the others", () => {
    const keys = [1, 2, 3, 4, 6].map((byte) => ({ pubkey: addressOf(byte), source: "transaction" }));
    const outer = {
      programId: addressOf(2),
      accounts: [addressOf(3), addressOf(1)],
      data,
      stackHeight: null,
    };
    const called = { programId: addressOf(6), accounts: [addressOf(1), addressOf(4)], data };
    const answer = jsonAnswer({
      message: { accountKeys: keys, instructions: [outer] },
      meta: { innerInstructions: [{ index: 0, instructions: [called] }] },
    });
    expect(parseTransactions(answer, null)).toEqual([expected]);
  });

  test("keeps what a closing that the node parsed closes, and refuses one that does not say it", () => {
    const [transaction] = parseTransactions(
      closingAnswer({ account: addressOf(7), owner: addressOf(1) }),
      null,
    );
    expect(transaction?.groups[0]?.inner).toEqual([
      {
        programAddress: programAddresses.token2022,
        accounts: [bytesOf(7)],
        data: Uint8Array.of(9),
        stackHeight: 2,
      },
    ]);
    expect(() => parseTransactions(closingAnswer({ owner: addressOf(1) }), null)).toThrow(TransactionFault);
  });

  test("takes an instruction that the node parsed as one without accounts and data", () => {
    const parsed = { programId: addressOf(2), program: "spl-memo", parsed: "text", stackHeight: null };
    const [transaction] = parseTransactions(jsonAnswer({ message: { instructions: [parsed] } }), null);
    expect(transaction?.groups[0]?.outer).toEqual({
      programAddress: bytesOf(2),
      accounts: [],
      data: new Uint8Array(0),
      stackHeight: 1,
    });
  });

  test("keeps stack heights where there are any", () => {
    const heights = [2, null, undefined].map(
      (height) =>
        parseTransactions(jsonAnswer({ meta: { innerInstructions: [inner(height)] } }), null)[0]?.groups[0]
          ?.inner[0]?.stackHeight,
    );
    expect(heights).toEqual([2, null, null]);
  });

  test("reads the flat form", () => {
    const flat = {
      signature,
      slot: 77,
      err: null,
      accountKeys: [1, 2, 3, 4, 6].map(addressOf),
      instructions: [{ programIdIndex: 1, accounts: [2, 0], data }],
      innerInstructions: [inner()],
    };
    expect(parseTransactions(flat, null)).toEqual([expected]);
  });

  test("marks failed transactions and leaves their instructions alone", () => {
    const failed = jsonAnswer({
      meta: { err: { InstructionError: [0, { Custom: 1 }] }, innerInstructions: "broken" },
    });
    expect(parseTransactions(failed, null)).toEqual([{ ...expected, failed: true, groups: [] }]);
  });

  test("reads a block, its slot from next to it, and numbers the transactions", () => {
    const { slot: _, ...answer } = jsonAnswer();
    const block = { parentSlot: 76, blockhash: addressOf(1), transactions: [answer, answer] };
    const wanted = [
      { ...expected, index: 0 },
      { ...expected, index: 1 },
    ];
    expect(parseTransactions(block, 77)).toEqual(wanted);
    expect(parseTransactions({ ...block, slot: 77 }, 5)).toEqual(wanted);
    expect(faultOf(block)).toMatch(/without its slot/);
    expect(faultOf(block, 76)).toBe("slot 76 is not above the block's parent slot 76");
    expect(faultOf({ ...block, transactions: [answer, {}] }, 77)).toBe(
      "transaction 2: has no meta: whether it succeeded and what it called is not known",
    );
  });

  test.each<[unknown, string]>([
    [null, "the transaction must be an object, got null"],
    [{}, "is no transaction: it has neither transaction, transactions nor accountKeys"],
    [{ jsonrpc: "2.0", id: 1, result: null }, "the node did not know it"],
    [{ jsonrpc: "2.0", id: 1, error: { code: 1 } }, "is an error response"],
    [
      jsonAnswer({ answer: { meta: null } }),
      "has no meta: whether it succeeded and what it called is not known",
    ],
    [jsonAnswer({ answer: { slot: 1.5 } }), "slot must be a whole number, got 1.5"],
    [jsonAnswer({ answer: { slot: 2 ** 53 } }), "slot must be a whole number, got 9007199254740992"],
    [
      jsonAnswer({ meta: { loadedAddresses: undefined } }),
      "uses lookup tables, but meta.loadedAddresses is missing",
    ],
    [jsonAnswer({ message: withKey("0OIl") }), 'accountKeys[0]: "0OIl" is not an address: Invalid'],
    [
      jsonAnswer({ message: { instructions: [{ programIdIndex: 9, accounts: [], data }] } }),
      "instructions[0] names key 9 of 5",
    ],
    [
      jsonAnswer({ message: { instructions: [{ programIdIndex: 1, accounts: [-1], data }] } }),
      "accounts of instructions[0] must be a whole number, got -1",
    ],
    [
      jsonAnswer({ message: { instructions: [{ programIdIndex: 1, accounts: [], data: "0" }] } }),
      "data of instructions[0]: base58 text cannot be decoded: character 1 is not a base58 digit",
    ],
    [
      jsonAnswer({ meta: { innerInstructions: [{ index: 1, instructions: [] }] } }),
      "innerInstructions has index 1, beyond the last one",
    ],
    [
      jsonAnswer({ message: withKey(programAddressTexts.bubblegum), meta: { innerInstructions: null } }),
      "has no innerInstructions: the node did not record what its instructions called",
    ],
    [{ slot: 1, meta: { err: null }, transaction: ["!", "base64"] }, "transaction is not valid base64"],
    [
      { slot: 1, meta: { err: null }, transaction: ["AQ==", "base64"] },
      "transaction cannot be decoded: 64 bytes needed at 1, 0 left",
    ],
    [
      { slot: 1, meta: { err: null }, transaction: ["", "hex"] },
      "transaction must be an object, or text in base64 or base58",
    ],
    [
      jsonAnswer({ answer: { transaction: { signatures: ["x"], message: {} } } }),
      "signature is not base58 text of 64 bytes",
    ],
  ])("says what is wrong with case %#", (value, fault) => {
    expect(faultOf(value)).toBe(fault);
  });

  test("needs no inner instructions where Bubblegum is not called", () => {
    expect(faultOf(jsonAnswer({ meta: { innerInstructions: null } }))).toBeNull();
  });
});
