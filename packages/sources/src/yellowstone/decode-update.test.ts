import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { decodeBase58, encodeAddress, findBubblegumCalls } from "@lamplight/codecs";
import { describe, expect, test } from "vitest";
import { decodeUpdate, type YellowstoneUpdate } from "./decode-update.ts";
import { encodePingRequest, encodeSubscribeRequest } from "./encode-request.ts";
import { readFields } from "./wire-reader.ts";

const shared = resolve(process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../../shared"));
const file = join(shared, "fixtures/yellowstone/messages.json");
const isMissing = !existsSync(file);
if (isMissing) console.warn(`skipped: ${file} is missing, so recorded Yellowstone messages are not decoded`);

interface Message {
  readonly name: string;
  readonly type: "SubscribeUpdate" | "SubscribeRequest";
  readonly wireBase64: string;
  readonly decoded: Members;
}
type Members = { readonly [name: string]: unknown };

const messages: readonly Message[] = isMissing ? [] : (JSON.parse(readFileSync(file, "utf8")) as Message[]);
const bytesOf = (value: unknown): Uint8Array =>
  Uint8Array.from(Buffer.from((value ?? "") as string, "base64"));
const countOf = (value: unknown): number => Number(value ?? 0);

const statusWords: Record<string, string> = {
  SLOT_PROCESSED: "processed",
  SLOT_CONFIRMED: "confirmed",
  SLOT_FINALIZED: "finalized",
  SLOT_FIRST_SHRED_RECEIVED: "firstShredReceived",
  SLOT_COMPLETED: "completed",
  SLOT_CREATED_BANK: "createdBank",
  SLOT_DEAD: "dead",
};

/** The recorded decoding, in our words. Absent members are defaults. */
const expectedOf = (decoded: Members): unknown => {
  const { account, slot, transaction, blockMeta, ping, pong } = decoded as {
    readonly [name: string]: Members;
  };
  if (account !== undefined) {
    const info = account["account"] as Members;
    return {
      kind: "account",
      isStartup: account["isStartup"] ?? false,
      account: {
        address: bytesOf(info["pubkey"]),
        lamports: BigInt((info["lamports"] ?? 0) as string),
        programOwner: bytesOf(info["owner"]),
        executable: info["executable"] ?? false,
        rentEpoch: BigInt((info["rentEpoch"] ?? 0) as string),
        data: bytesOf(info["data"]),
        slot: countOf(account["slot"]),
        writeVersion: countOf(info["writeVersion"]),
      },
    };
  }
  if (slot !== undefined)
    return {
      kind: "slot",
      slot: countOf(slot["slot"]),
      parent: slot["parent"] === undefined ? null : countOf(slot["parent"]),
      status: statusWords[(slot["status"] ?? "SLOT_PROCESSED") as string],
      deadError: slot["deadError"] ?? null,
    };
  if (blockMeta !== undefined)
    return {
      kind: "blockMeta",
      slot: countOf(blockMeta["slot"]),
      blockhash: blockMeta["blockhash"],
      parent: countOf(blockMeta["parentSlot"]),
      parentBlockhash: blockMeta["parentBlockhash"],
      transactionCount: countOf(blockMeta["executedTransactionCount"]),
    };
  if (ping !== undefined) return { kind: "ping" };
  if (pong !== undefined) return { kind: "pong", id: pong["id"] };
  return transaction === undefined ? undefined : "transaction";
};

const updates = messages.filter(
  ({ type, decoded }) => type === "SubscribeUpdate" && !("transaction" in decoded),
);

describe.skipIf(isMissing)("recorded Yellowstone messages", () => {
  test.each(updates.map((message) => [message.name, message] as const))(
    "%s",
    (_, { wireBase64, decoded }) => {
      expect(decodeUpdate(bytesOf(wireBase64))).toEqual(expectedOf(decoded));
    },
  );

  test("a transaction keeps its instructions, the inner ones with their heights, and its Bubblegum calls", () => {
    const message = messages.find(({ decoded }) => "transaction" in decoded)!;
    const update = decodeUpdate(bytesOf(message.wireBase64)) as YellowstoneUpdate & { kind: "transaction" };
    const { slot, transaction } = message.decoded["transaction"] as { slot: string; transaction: Members };
    const wanted = transaction as {
      signature: string;
      transaction: {
        message: { accountKeys: string[]; instructions: { programIdIndex?: number; data?: string }[] };
      };
      meta: { innerInstructions?: { index?: number; instructions: { data?: string }[] }[] };
    };
    expect(update.transaction.slot).toBe(Number(slot));
    expect(update.isVote).toBe(false);
    expect(update.transaction.failed).toBe(false);
    expect(decodeBase58(update.transaction.signature, 88)).toEqual(bytesOf(wanted.signature));
    const keys = wanted.transaction.message.accountKeys.map(bytesOf);
    expect(
      update.transaction.groups.map(({ outer }) => [
        encodeAddress(outer.programAddress),
        Buffer.from(outer.data),
      ]),
    ).toEqual(
      wanted.transaction.message.instructions.map(({ programIdIndex = 0, data }) => [
        encodeAddress(keys[programIdIndex]!),
        Buffer.from(bytesOf(data)),
      ]),
    );
    const inner = new Map(
      (wanted.meta.innerInstructions ?? []).map(({ index = 0, instructions }) => [
        index,
        instructions.map(({ data }) => Buffer.from(bytesOf(data))),
      ]),
    );
    expect(
      update.transaction.groups.map((group) => group.inner.map(({ data }) => Buffer.from(data))),
    ).toEqual(update.transaction.groups.map((_, index) => inner.get(index) ?? []));
    expect(findBubblegumCalls(update.transaction).length).toBeGreaterThan(0);
  });

  test("our requests are the recorded ones where they ask for the same", () => {
    const ping = messages.find(({ name }) => name === "request: ping answer")!;
    expect(Buffer.from(encodePingRequest(7)).toString("base64")).toBe(ping.wireBase64);
    const recorded = messages.find(({ name }) => name.startsWith("request: token programs"))!;
    const closed = entriesOf(bytesOf(recorded.wireBase64), 1).get("closed");
    const ours = encodeSubscribeRequest({
      accounts: { closed: { owner: ["11111111111111111111111111111111"], lamportsEqual: 0n } },
      transactions: { bgum: ["BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY"] },
      commitment: "processed",
      fromSlot: 400_000_001,
    });
    expect(entriesOf(ours, 1).get("closed")).toEqual(closed);
    expect(entriesOf(ours, 3).get("bgum")).toEqual(entriesOf(bytesOf(recorded.wireBase64), 3).get("bgum"));
    expect([...readFields(ours)].find(([field]) => field === 11)?.[1]).toBe(400_000_001n);
  });
});

/** The entries of a map field, as bytes by key. */
const entriesOf = (message: Uint8Array, wanted: number): Map<string, string> => {
  const entries = new Map<string, string>();
  for (const [field, value] of readFields(message)) {
    if (field !== wanted) continue;
    const entry = Object.fromEntries(readFields(value as Uint8Array)) as Record<number, Uint8Array>;
    entries.set(Buffer.from(entry[1]!).toString(), Buffer.from(entry[2] ?? []).toString("hex"));
  }
  return entries;
};

describe("a message that is none", () => {
  test.each([
    ["cut within a field", [0x12, 0x05, 0x01]],
    ["cut within a number", [0x1a, 0x02, 0x08, 0x80]],
    ["with an address of three bytes", [0x12, 0x07, 0x0a, 0x05, 0x0a, 0x03, 1, 2, 3]],
    ["with a group", [0x0b]],
    ["with an account that ends beyond its message", [0x12, 0x04, 0x0a, 0x03, 0x0a, 0x20, 1, 2, 3]],
    ["with a slot beyond 2^53", [0x12, 0x09, 0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ["with bytes as a slot", [0x12, 0x02, 0x12, 0x00]],
    ["with a number of eleven bytes", [0x12, 0x0c, 0x10, ...Array.from({ length: 11 }, () => 0x80)]],
  ])("%s is refused by name", (_, bytes) => {
    expect(() => decodeUpdate(Uint8Array.from(bytes))).toThrow(/sent a message that/u);
  });
});
