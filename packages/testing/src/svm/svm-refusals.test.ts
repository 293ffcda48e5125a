// The methods of an attached LiteSVM refuse these calls, and answer next to those of the server.
import {
  appendTransactionMessageInstruction,
  type Blockhash,
  createSolanaRpcFromTransport,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  isSolanaError,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { LiteSVM } from "litesvm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestChain, type TestChain } from "../index.ts";

let chain: TestChain;
let svm: LiteSVM;
beforeEach(async () => {
  chain = await createTestChain();
  svm = new LiteSVM();
  chain.attach(svm);
});
afterEach(() => chain.close());

/** The answer that a page of another origin gets, by `chain.fetch`. */
const ask = async (body: unknown): Promise<unknown> => {
  const headers = { "content-type": "application/json" };
  const response = await chain.fetch("http://chain.test", {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return response.json();
};

const call = (method: string, ...params: readonly unknown[]) => ({ jsonrpc: "2.0", id: 7, method, params });

describe("the methods of an attached LiteSVM", () => {
  test("name chain.attach where none is attached", async () => {
    await using bare = await createTestChain();
    const bareRpc = createSolanaRpcFromTransport(bare.transport);
    const error: unknown = await bareRpc
      .getLatestBlockhash()
      .send()
      .catch((one: unknown) => one);
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND)) throw error;
    expect(error.message).toContain("attach one with chain.attach(svm)");
    bare.attach(svm).detach();
    await expect(bareRpc.getLatestBlockhash().send()).rejects.toThrow("chain.attach(svm)");
  });

  test("answer in a batch with others, in its order", async () => {
    const mixed = [call("getBlockHeight"), { ...call("getSlot"), id: "a" }, call("getTokenSupply", "x")];
    expect(await ask([...mixed, { jsonrpc: "2.0", method: "getSlot" }, call("getBlockHeight")])).toEqual([
      { jsonrpc: "2.0", id: 7, result: chain.slot },
      { jsonrpc: "2.0", id: "a", error: expect.objectContaining({ code: -32601 }) },
      { jsonrpc: "2.0", id: 7, error: expect.objectContaining({ code: -32602 }) },
      { jsonrpc: "2.0", id: 7, result: chain.slot },
    ]);
  });

  test("fail as the chain is told", async () => {
    chain.fail({ method: "getLatestBlockhash", code: -32005, message: "Node is behind" });
    expect(await ask(call("getLatestBlockhash"))).toMatchObject({ error: { code: -32005 } });
    expect(await ask(call("getLatestBlockhash"))).toMatchObject({ result: { value: {} } });
  });

  const tooLong = "1".repeat(1684);
  const someAddress = "11111111111111111111111111111111";
  test.each([
    ["sendTransaction", [5], "parameter 1 must be a string"],
    ["sendTransaction", ["0"], "invalid base58 encoding"],
    ["sendTransaction", ["%", { encoding: "base64" }], "invalid base64 encoding"],
    ["sendTransaction", ["AQ==", { encoding: "base64" }], "failed to deserialize"],
    ["sendTransaction", [tooLong], "too large: 1684 bytes (max: encoded/raw 1683/1232)"],
    ["sendTransaction", ["", { encoding: "jsonParsed" }], "unsupported encoding: jsonParsed"],
    ["getBalance", ["abc"], "Invalid param: WrongSize"],
    ["getBalance", ["0"], "Invalid param: Invalid"],
    [
      "getBalance",
      [someAddress, { commitment: "max" }],
      "commitment must be processed, confirmed, finalized",
    ],
    ["getSignatureStatuses", [Array<string>(257)], "Too many inputs provided; max 256"],
    ["requestAirdrop", [someAddress, -1], "parameter 2 must be a u64"],
    ["getLatestBlockhash", ["finalized"], "parameter 1 must be an object"],
  ])("%s refuses what it cannot read (%#)", async (method, params, message) => {
    expect(await ask(call(method, ...params))).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(message) },
    });
  });

  test("wait for no slot", async () => {
    expect(await ask(call("getBalance", someAddress, { minContextSlot: chain.slot + 1 }))).toMatchObject({
      error: { code: -32016, data: { contextSlot: chain.slot } },
    });
  });

  test("refuse a transaction without signatures", async () => {
    const payer = await generateKeyPairSigner();
    const lifetime = { blockhash: svm.latestBlockhash() as Blockhash, lastValidBlockHeight: 1n };
    const transaction = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (one) => setTransactionMessageFeePayerSigner(payer, one),
        (one) => setTransactionMessageLifetimeUsingBlockhash(lifetime, one),
        (one) =>
          appendTransactionMessageInstruction(
            getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n }),
            one,
          ),
      ),
    );
    const unsigned = { ...transaction, signatures: { [payer.address]: null } };
    const wire = getBase64EncodedWireTransaction(unsigned);
    expect(await ask(call("sendTransaction", wire, { encoding: "base64" }))).toMatchObject({
      error: { code: -32003, message: "Transaction signature verification failure" },
    });
  });
});
