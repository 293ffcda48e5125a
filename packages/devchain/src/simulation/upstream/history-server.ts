import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { encodeAddress, encodeBase58 } from "@lamplight/codecs";
import type { Account, Slot, Transaction } from "@lamplight/core";
import type { ChainSimulation } from "../chain-simulation.ts";
import type { SimulatedBlock } from "../simulated-block.ts";
import { lastWrites } from "../emit-block.ts";
import { accountText, type DataSlice, keyedAccountText, transactionAnswer } from "./encode-rpc.ts";

const SIGNATURE_BYTES = 64;

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly [unknown, unknown?, unknown?];
}

interface ScanConfig {
  readonly dataSlice?: DataSlice | null;
}

interface ListConfig {
  readonly limit: number;
  readonly before?: string;
}

/**
 * The finalized past of a simulated chain, as a node with all its blocks answers it over HTTP: what a stream has lost
 * can be asked for here. Every write of a block is a transaction that names its account.
 */
export class SimulatedHistory {
  /** Blocks that the node has not, or no longer. */
  readonly missing = new Set<Slot>();
  /** Transactions that the node lists, and has no longer. */
  readonly pruned = new Set<string>();
  /** Answers wait for it. */
  ready: Promise<void> = Promise.resolve();
  /** Slots of the blocks that were asked for. */
  readonly asked: Slot[] = [];
  /** Accounts of one answer: for more, HTTP 413. */
  accountsMax = 100;
  readonly #simulation: ChainSimulation;
  readonly #server: Server;

  constructor(simulation: ChainSimulation) {
    this.#simulation = simulation;
    this.#server = createServer(async (request, response) => {
      const { id, method, params } = (await json(request)) as Call;
      await this.ready;
      if (Array.isArray(params[0]) && params[0].length > this.accountsMax) {
        response.writeHead(413).end("too large");
        return;
      }
      const result = this.#answer(method, params);
      const skipped = '"error":{"code":-32009,"message":"Slot was skipped"}';
      const answer = result === null ? skipped : `"result":${result}`;
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}`);
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The result as JSON text; null = an error. */
  #answer(method: string, params: Call["params"]): string | null {
    const path = this.#simulation.pathTo(this.#simulation.finalized)!;
    const blocks = path.filter(({ slot }) => !this.missing.has(slot));
    switch (method) {
      case "getBlocks": {
        const [from, to] = params as readonly [Slot, Slot];
        return JSON.stringify(blocks.map(({ slot }) => slot).filter((slot) => slot >= from && slot <= to));
      }
      case "getBlock": {
        this.asked.push(params[0] as Slot);
        const block = blocks.find(({ slot }) => slot === params[0]);
        if (block !== undefined) return JSON.stringify(blockAnswer(block));
        const { slot, blockhash } = this.#simulation.genesis;
        return slot === params[0] ? JSON.stringify({ blockhash }) : null;
      }
      case "getGenesisHash":
        return JSON.stringify(this.#simulation.genesis.blockhash);
      case "getSlot":
        return String(this.#simulation.finalized);
      case "getMultipleAccounts":
        return `{"context":{"slot":${this.#simulation.finalized}},"value":[${this.#accounts(params[0] as readonly string[])}]}`;
      case "getProgramAccounts":
        return `{"context":{"slot":${this.#simulation.finalized}},"value":[${this.#ofProgram(...(params as readonly [string, ScanConfig]))}]}`;
      case "getSignaturesForAddress":
        return this.#signatures(blocks, params[0] as string, params[1] as ListConfig);
      case "getTransaction": {
        if (this.pruned.has(params[0] as string)) return null;
        const found = transactionsOf(blocks).find(({ signature }) => signature === params[0]);
        return found === undefined ? "null" : JSON.stringify(transactionAnswer(found));
      }
      default:
        return null;
    }
  }

  /** Newest first. */
  #signatures(blocks: readonly SimulatedBlock[], address: string, { limit, before }: ListConfig): string {
    const all = transactionsOf(blocks).filter(({ groups }) =>
      groups.some(({ outer }) => outer.accounts.some((each) => encodeAddress(each) === address)),
    );
    const newest = all.toReversed();
    const from = newest.findIndex(({ signature }) => signature === before) + 1;
    return JSON.stringify(
      newest.slice(from, from + limit).map(({ signature, slot }) => ({ signature, slot, err: null })),
    );
  }

  /** The finalized version of each account that was ever written. */
  #state(): ReadonlyMap<string, Account> {
    const state = new Map<string, Account>();
    const blocks = this.#simulation.pathTo(this.#simulation.finalized)!;
    for (const account of [...this.#simulation.genesis.accounts, ...blocks.flatMap(lastWrites)])
      state.set(encodeAddress(account.address), account);
    return state;
  }

  #ofProgram(program: string, { dataSlice = null }: ScanConfig): string {
    return [...this.#state().values()]
      .filter(({ lamports, programOwner }) => lamports > 0n && encodeAddress(programOwner) === program)
      .map((account) => keyedAccountText(account, dataSlice))
      .join(",");
  }

  #accounts(addresses: readonly string[]): string {
    const state = this.#state();
    return addresses
      .map((address) => {
        const account = state.get(address);
        return account === undefined || account.lamports === 0n ? "null" : accountText(account, null);
      })
      .join(",");
  }
}

const blockAnswer = (block: SimulatedBlock): object => ({
  blockhash: block.blockhash,
  previousBlockhash: block.parentBlockhash,
  parentSlot: block.parent,
  transactions: [
    ...block.writes.map(({ address }, index) => writeAnswer(encodeAddress(address), block.slot, index)),
    ...block.transactions.map(ledgerAnswer),
  ],
  rewards: [],
});

const header = { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 };

const writeAnswer = (address: string, slot: Slot, index: number): object => ({
  transaction: {
    signatures: [signatureOf(`${address}${slot} ${index}`)],
    message: { header, accountKeys: [address], instructions: [] },
  },
  meta: { err: null, innerInstructions: [], loadedAddresses: { writable: [], readonly: [] } },
});

/** Those that change leaves, oldest first. */
const transactionsOf = (blocks: readonly SimulatedBlock[]): readonly Transaction[] =>
  blocks.flatMap(({ transactions }) =>
    transactions.map((each) => ({ ...each, signature: signatureOf(each.signature) })),
  );

const ledgerAnswer = (transaction: Transaction): object => {
  const signature = signatureOf(transaction.signature);
  const answer = transactionAnswer({ ...transaction, signature }) as {
    readonly transaction: { readonly message: object };
  };
  const message = { ...answer.transaction.message, header };
  return { ...answer, transaction: { ...answer.transaction, message } };
};

const signatureOf = (text: string): string => encodeBase58(Buffer.alloc(SIGNATURE_BYTES, text));
