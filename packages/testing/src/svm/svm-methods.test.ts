// The published web3.js and Kit send transactions to the URL of a chain, and find what they wrote at the same URL.

import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createSolanaRpc,
  createSolanaRpcFromTransport,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getBase58Decoder,
  getCompiledTransactionMessageEncoder,
  compileTransactionMessage,
  getSignatureFromTransaction,
  getTransactionEncoder,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  type Rpc,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  type SolanaRpcApi,
} from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  SendTransactionError,
  SystemProgram,
  Transaction,
} from "@solana/web3.js";
import { LiteSVM } from "litesvm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestChain, type TestChain } from "../index.ts";

const VALID_BLOCKS = 150n;
const FEE = 5_000n;
const SOL = 1_000_000_000n;

let chain: TestChain;
let svm: LiteSVM;
let url: string;
let rpc: Rpc<SolanaRpcApi>;
beforeEach(async () => {
  chain = await createTestChain();
  svm = new LiteSVM();
  chain.attach(svm);
  ({ url } = await chain.listen());
  rpc = createSolanaRpc(url);
});
afterEach(() => chain.close());

interface Lifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

const latest = async (): Promise<Lifetime> => (await rpc.getLatestBlockhash().send()).value;

const messageOf = (payer: KeyPairSigner, lifetime: Lifetime, instructions: readonly Instruction[]) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayerSigner(payer, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash(lifetime, one),
    (one) => appendTransactionMessageInstructions(instructions, one),
  );

const signed = async (payer: KeyPairSigner, lifetime: Lifetime, ...instructions: readonly Instruction[]) =>
  signTransactionMessageWithSigners(messageOf(payer, lifetime, instructions));

/** Sends, and polls until the transaction is finalized, as apps without a WebSocket do. */
const sendAndPoll = async (transaction: Awaited<ReturnType<typeof signed>>): Promise<void> => {
  const wire = getBase64EncodedWireTransaction(transaction);
  const signature = await rpc.sendTransaction(wire, { encoding: "base64" }).send();
  expect(signature).toBe(getSignatureFromTransaction(transaction));
  const { value } = await rpc.getSignatureStatuses([signature]).send();
  expect(value[0]).toMatchObject({ confirmationStatus: "finalized", confirmations: null, err: null });
};

const fundedPayer = async (): Promise<KeyPairSigner> => {
  const payer = await generateKeyPairSigner();
  await rpc.requestAirdrop(payer.address, lamports(10n * SOL)).send();
  return payer;
};

const transfer = (source: KeyPairSigner, destination: Address, amount: bigint): Instruction =>
  getTransferSolInstruction({ source, destination, amount });

describe("Kit", () => {
  test("mints a token by the URL, and finds it at the same URL", async () => {
    const payer = await fundedPayer();
    expect((await rpc.getBalance(payer.address).send()).value).toBe(10n * SOL);
    const mint = await generateKeyPairSigner();
    const space = BigInt(token.getMintSize());
    const rent = await rpc.getMinimumBalanceForRentExemption(space).send();
    expect(rent).toBe(svm.minimumBalanceForRentExemption(space));
    const [held] = await token.findAssociatedTokenPda({
      owner: payer.address,
      mint: mint.address,
      tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
    });
    const transaction = await signed(
      payer,
      await latest(),
      getCreateAccountInstruction({
        payer,
        newAccount: mint,
        space,
        lamports: rent,
        programAddress: token.TOKEN_PROGRAM_ADDRESS,
      }),
      token.getInitializeMint2Instruction({ mint: mint.address, decimals: 3, mintAuthority: payer.address }),
      await token.getCreateAssociatedTokenInstructionAsync({
        payer,
        owner: payer.address,
        mint: mint.address,
      }),
      token.getMintToInstruction({
        mint: mint.address,
        token: held,
        mintAuthority: payer,
        amount: 2n ** 63n + 1n,
      }),
    );
    await sendAndPoll(transaction);
    const { value } = await rpc.getTokenSupply(mint.address).send();
    expect(value).toMatchObject({ amount: String(2n ** 63n + 1n), decimals: 3 });
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "searchAssets",
      params: { ownerAddress: payer.address, tokenType: "fungible" },
    };
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    const { result } = (await answer.json()) as { readonly result: { readonly items: { id: string }[] } };
    expect(result.items.map(({ id }) => id)).toEqual([mint.address]);
  });

  test("reads a failed transaction as an error with its cause and logs", async () => {
    const payer = await fundedPayer();
    const to = (await generateKeyPairSigner()).address;
    const transaction = await signed(payer, await latest(), transfer(payer, to, 11n * SOL));
    const wire = getBase64EncodedWireTransaction(transaction);
    const error = await rpc
      .sendTransaction(wire, { encoding: "base64" })
      .send()
      .catch((one: unknown) => one);
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
      throw error;
    expect(isSolanaError(error.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true);
    expect(error.context.logs?.at(-1)).toBe(
      "Program 11111111111111111111111111111111 failed: custom program error: 0x1",
    );
    const [status] = (await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send())
      .value;
    expect(status).toBeNull();
    expect((await rpc.getBalance(payer.address).send()).value).toBe(10n * SOL);
  });

  test("sees that a transaction failed in a block, and what it paid", async () => {
    const payer = await fundedPayer();
    const to = (await generateKeyPairSigner()).address;
    const transaction = await signed(payer, await latest(), transfer(payer, to, 11n * SOL));
    const wire = getBase64EncodedWireTransaction(transaction);
    const signature = await rpc.sendTransaction(wire, { encoding: "base64", skipPreflight: true }).send();
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    expect(value[0]?.err).toEqual({ InstructionError: [0n, { Custom: 1n }] });
    const { value: account } = await rpc.getAccountInfo(payer.address, { encoding: "base64" }).send();
    expect(account?.lamports).toBe(10n * SOL - FEE);
  });

  test("can use a blockhash for 150 blocks", async () => {
    const payer = await fundedPayer();
    const to = (await generateKeyPairSigner()).address;
    const lifetime = await latest();
    expect(lifetime.lastValidBlockHeight).toBe((await rpc.getBlockHeight().send()) + VALID_BLOCKS);
    await sendAndPoll(await signed(payer, lifetime, transfer(payer, to, SOL)));
    // A later blockhash does not end an earlier one.
    const second = await latest();
    expect(second.blockhash).not.toBe(lifetime.blockhash);
    await chain.warpTo(Number(lifetime.lastValidBlockHeight) - 1);
    await sendAndPoll(await signed(payer, lifetime, transfer(payer, to, SOL + 1n)));
    expect((await rpc.isBlockhashValid(lifetime.blockhash).send()).value).toBe(true);
    await chain.advance({ slots: 1 });
    expect((await rpc.isBlockhashValid(lifetime.blockhash).send()).value).toBe(false);
    const late = await signed(payer, lifetime, transfer(payer, to, SOL + 2n));
    const wire = getBase64EncodedWireTransaction(late);
    const error: unknown = await rpc
      .sendTransaction(wire, { encoding: "base64" })
      .send()
      .catch((one: unknown) => one);
    const { cause } = error as Error;
    expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true);
    await rpc.sendTransaction(wire, { encoding: "base64", skipPreflight: true }).send();
    const statuses = await rpc.getSignatureStatuses([getSignatureFromTransaction(late)]).send();
    expect(statuses.value).toEqual([null]);
    await sendAndPoll(await signed(payer, await latest(), transfer(payer, to, SOL + 2n)));
  });

  test("sends the same transfer twice, and gets the same airdrop twice", async () => {
    const payer = await fundedPayer();
    await rpc.requestAirdrop(payer.address, lamports(10n * SOL)).send();
    const to = (await generateKeyPairSigner()).address;
    for (let time = 0; time < 2; time += 1)
      await sendAndPoll(await signed(payer, await latest(), transfer(payer, to, SOL)));
    expect((await rpc.getBalance(payer.address).send()).value).toBe(18n * SOL - 2n * FEE);
    expect((await rpc.getBalance(to).send()).value).toBe(2n * SOL);
  });

  test("simulates without signatures, and with another blockhash", async () => {
    const payer = await fundedPayer();
    const to = (await generateKeyPairSigner()).address;
    const transaction = await signed(payer, await latest(), transfer(payer, to, SOL));
    const signatures = { [payer.address]: null };
    const unsigned = getBase64EncodedWireTransaction({ ...transaction, signatures });
    const options = { encoding: "base64", sigVerify: false } as const;
    const { value } = await rpc.simulateTransaction(unsigned, options).send();
    expect(value).toMatchObject({ err: null, unitsConsumed: 150n });
    const stale = { blockhash: to as string as Blockhash, lastValidBlockHeight: 1n };
    const old = getBase64EncodedWireTransaction(await signed(payer, stale, transfer(payer, to, SOL)));
    expect((await rpc.simulateTransaction(old, options).send()).value.err).toBe("BlockhashNotFound");
    const replaced = await rpc
      .simulateTransaction(old, { encoding: "base64", replaceRecentBlockhash: true })
      .send();
    expect(replaced.value).toMatchObject({ err: null, replacementBlockhash: await latest() });
    await expect(
      rpc.simulateTransaction(unsigned, { encoding: "base64", sigVerify: true }).send(),
    ).rejects.toThrow();
    expect((await rpc.getBalance(to).send()).value).toBe(0n);
  });

  test("asks for the fee that LiteSVM takes", async () => {
    const payer = await fundedPayer();
    const to = (await generateKeyPairSigner()).address;
    const budget = "ComputeBudget111111111111111111111111111111" as Address;
    const price = { programAddress: budget, data: Uint8Array.from([3, 64, 66, 15, 0, 0, 0, 0, 0]) };
    const limit = { programAddress: budget, data: Uint8Array.from([2, 0x99, 0x01, 0, 0]) };
    const memo = { programAddress: token.ASSOCIATED_TOKEN_PROGRAM_ADDRESS, data: new Uint8Array([9]) };
    const send = transfer(payer, to, SOL);
    for (const instructions of [[send], [price, send], [price, limit, send], [price, memo], [price]]) {
      const lifetime = await latest();
      const compiled = compileTransactionMessage(messageOf(payer, lifetime, instructions));
      const bytes = getCompiledTransactionMessageEncoder().encode(compiled);
      const message = Buffer.from(bytes).toString("base64") as Parameters<typeof rpc.getFeeForMessage>[0];
      const { value: fee } = await rpc.getFeeForMessage(message).send();
      const outcome = svm.simulateTransaction(await signed(payer, lifetime, ...instructions));
      const text = outcome.meta().toString();
      expect(text).toContain(`fee: ${fee}`);
    }
  });

  test("sends base58 text, which is the default", async () => {
    const payer = await fundedPayer();
    const to = (await generateKeyPairSigner()).address;
    const transaction = await signed(payer, await latest(), transfer(payer, to, SOL));
    const text = getBase58Decoder().decode(getTransactionEncoder().encode(transaction));
    const signature = await rpc.sendTransaction(text as never).send();
    expect(getBase58Encoder().encode(signature)).toHaveLength(64);
    expect((await rpc.getBalance(to).send()).value).toBe(SOL);
  });

  test("sees a transaction become confirmed and finalized", async () => {
    await using slow = await createTestChain({ autoFinalize: false });
    await slow.advance({ slots: 40 });
    slow.attach(svm);
    rpc = createSolanaRpcFromTransport(slow.transport);
    const payer = await fundedPayer();
    const to = (await generateKeyPairSigner()).address;
    const transaction = await signed(payer, await latest(), transfer(payer, to, SOL));
    const wire = getBase64EncodedWireTransaction(transaction);
    const signature = await rpc.sendTransaction(wire, { encoding: "base64" }).send();
    const status = async () => (await rpc.getSignatureStatuses([signature]).send()).value[0];
    expect(await status()).toMatchObject({ confirmationStatus: "processed", confirmations: 0n });
    await slow.advance({ slots: 2 });
    expect(await status()).toMatchObject({ confirmationStatus: "confirmed", confirmations: 2n });
    await slow.advance({ slots: 30 });
    expect(await status()).toMatchObject({ confirmationStatus: "finalized", confirmations: null });
  });
});

describe("web3.js", () => {
  test("sends and confirms by polling, and gets logs of a failure", async () => {
    const connection = new Connection(url, "confirmed");
    const [payer, to] = [Keypair.generate(), Keypair.generate()];
    await connection.requestAirdrop(payer.publicKey, 10 * LAMPORTS_PER_SOL);
    const give = (amount: number): Transaction =>
      new Transaction().add(
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports: amount }),
      );
    // The second one is equal, so web3.js asks for a new blockhash.
    for (let time = 0; time < 2; time += 1) {
      const signature = await connection.sendTransaction(give(LAMPORTS_PER_SOL), [payer]);
      const { value } = await connection.getSignatureStatuses([signature]);
      expect(value[0]).toMatchObject({ err: null, confirmationStatus: "finalized" });
    }
    expect(await connection.getBalance(to.publicKey)).toBe(2 * LAMPORTS_PER_SOL);
    const account = await connection.getAccountInfo(to.publicKey);
    expect(account?.lamports).toBe(2 * LAMPORTS_PER_SOL);
    const failing = connection.sendTransaction(give(100 * LAMPORTS_PER_SOL), [payer]);
    const error: unknown = await failing.catch((one: unknown) => one);
    if (!(error instanceof SendTransactionError)) throw error;
    expect(error.transactionError.message).toBe(
      "Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1",
    );
    expect(error.logs?.at(-1)).toContain("failed: custom program error: 0x1");
    const simulated = await connection.simulateTransaction(give(100 * LAMPORTS_PER_SOL), [payer]);
    expect(simulated.value.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
  });
});
