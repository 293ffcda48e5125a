import { setTimeout as sleep } from "node:timers/promises";
import {
  type Address,
  type Blockhash,
  createSolanaRpc,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  lamports,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from "@solana/kit";
import { type Bank, TransactionRefused } from "./bank.ts";
import { buildTransaction } from "./build-transaction.ts";

const clockAddress = "SysvarC1ock11111111111111111111111111111111" as Address;
const TIME_OFFSET = 32;
const PAYERS_LAMPORTS = 1_000_000_000_000n;
const POLL_MS = 200;
/** A transaction that was lost is found out when its blockhash is too old; this is far beyond. */
const CONFIRM_MS = 120_000;

/** The bank of a node: transactions are sent and confirmed by RPC. */
export class RpcBank implements Bank {
  readonly payer: KeyPairSigner;
  readonly #rpc: Rpc<SolanaRpcApi>;

  constructor(url: string, payer: KeyPairSigner) {
    this.#rpc = createSolanaRpc(url as `http://${string}`) as Rpc<SolanaRpcApi>;
    this.payer = payer;
  }

  /** Has the node's faucet pay the payer; for test validators. */
  async fund(): Promise<void> {
    const rpc = this.#rpc as unknown as {
      requestAirdrop(to: Address, amount: bigint): { send(): Promise<Signature> };
    };
    await this.#confirm(await rpc.requestAirdrop(this.payer.address, lamports(PAYERS_LAMPORTS)).send());
  }

  async rentFor(bytes: number): Promise<bigint> {
    return this.#rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send();
  }

  async now(): Promise<bigint> {
    const { value } = await this.#rpc
      .getAccountInfo(clockAddress, { encoding: "base64", commitment: "confirmed" })
      .send();
    return Buffer.from(value?.data[0] ?? "", "base64").readBigInt64LE(TIME_OFFSET);
  }

  slot(): Promise<bigint> {
    return this.#rpc.getSlot({ commitment: "confirmed" }).send();
  }

  async send(instructions: readonly Instruction[]): Promise<void> {
    const { value } = await this.#rpc.getLatestBlockhash({ commitment: "confirmed" }).send();
    const lifetime = {
      blockhash: value.blockhash as Blockhash,
      lastValidBlockHeight: value.lastValidBlockHeight,
    };
    const transaction = await buildTransaction(this.payer, lifetime, instructions);
    const text = getBase64EncodedWireTransaction(transaction);
    // Refused ones are sent, too: they cost a fee, as on a real chain.
    await this.#rpc.sendTransaction(text, { encoding: "base64", skipPreflight: true }).send();
    await this.#confirm(getSignatureFromTransaction(transaction));
  }

  async #confirm(signature: Signature): Promise<void> {
    for (const end = Date.now() + CONFIRM_MS; Date.now() < end; await sleep(POLL_MS)) {
      const { value } = await this.#rpc.getSignatureStatuses([signature]).send();
      const status = value[0];
      if (status?.confirmationStatus !== "confirmed" && status?.confirmationStatus !== "finalized") continue;
      if (status.err !== null) throw new TransactionRefused(shown(status.err));
      return;
    }
    throw new Error(`transaction ${signature} was not confirmed within ${CONFIRM_MS / 1000} s`);
  }
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? member.toString() : member));
