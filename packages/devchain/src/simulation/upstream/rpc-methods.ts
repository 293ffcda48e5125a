import {
  decodeBase58,
  decodeTokenAccount,
  encodeAddress,
  isTokenAccount,
  isTokenProgram,
} from "@lamplight/codecs";
import type { Account, Consensus, Slot } from "@lamplight/core";
import { accountText, type DataSlice, keyedAccountText, transactionAnswer } from "./encode-rpc.ts";
import type { LedgerBlock, RpcLedger } from "./rpc-ledger.ts";

export interface RowFilter {
  readonly dataSize?: number;
  readonly memcmp?: { readonly offset: number; readonly bytes: string; readonly encoding?: string };
}

interface Config {
  readonly commitment?: "processed" | "confirmed" | "finalized";
  readonly minContextSlot?: Slot;
  readonly dataSlice?: DataSlice;
  readonly filters?: readonly RowFilter[];
  readonly encoding?: string;
  readonly limit?: number;
  readonly before?: string;
  readonly until?: string;
}

/** An error that a node answers. */
export class MethodError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const KEYS_MAX = 100;
const FILTERS_MAX = 4;
const SIGNATURES_MAX = 1000;
const LARGEST_MAX = 20;
const TOKEN_OWNER_OFFSET = 32;

/** The state of the node that gives an answer. */
export interface AnswerMode {
  /** Blocks that the node lags. */
  readonly behind: number;
  /** Whether a scan finds everything. */
  readonly isWhole: boolean;
  /** Null = the node does not have the method. */
  readonly consensus: Consensus | null;
}

/** The methods an ordinary node answers, over a ledger. */
export class RpcMethods {
  readonly #ledger: RpcLedger;

  constructor(ledger: RpcLedger) {
    this.#ledger = ledger;
  }

  /** @returns the result as JSON text */
  answer(method: string, params: readonly unknown[], { behind, isWhole, consensus }: AnswerMode): string {
    switch (method) {
      case "getGenesisHash":
        return JSON.stringify(this.#ledger.genesisHash);
      case "getHealth":
        return '"ok"';
      case "getVersion":
        return '{"solana-core":"3.1.0","feature-set":1}';
      case "getSlot":
        return String(this.#bank(params[0], behind).slot);
      case "getAgGenesisCert":
        if (consensus === null) throw new MethodError(-32601, "Method not found");
        return consensus === "towerbft" ? "null" : genesisCertificate;
      case "getBlocks":
        return this.#blocks(params, behind);
      case "getBlock":
        return this.#block(params, behind);
      case "getAccountInfo":
        return this.#accounts([params[0] as string], params[1], behind, ([first]) => first!);
      case "getMultipleAccounts":
        return this.#accounts(params[0] as readonly string[], params[1], behind, (rows) => `[${rows}]`);
      case "getProgramAccounts":
        return this.#programAccounts(params, behind, isWhole);
      case "getTokenAccountsByOwner":
        return this.#holdings(params, behind);
      case "getTokenLargestAccounts":
        return this.#largestHoldings(params, behind);
      case "getSignaturesForAddress":
        return this.#signatures(params, behind);
      case "getTransaction":
        return this.#transaction(params, behind);
      default:
        throw new MethodError(-32601, "Method not found");
    }
  }

  #bank(config: unknown, behind: number): LedgerBlock {
    const { commitment = "finalized", minContextSlot = 0 } = (config ?? {}) as Config;
    const bank = this.#ledger.blockAt(commitment === "finalized" ? "finalized" : "confirmed", behind);
    if (bank.slot < minContextSlot)
      throw new MethodError(-32016, "Minimum context slot has not been reached");
    return bank;
  }

  #accounts(
    keys: readonly string[],
    config: unknown,
    behind: number,
    join: (rows: readonly string[]) => string,
  ): string {
    if (keys.length > KEYS_MAX) throw new MethodError(-32602, `Too many inputs provided; max ${KEYS_MAX}`);
    const { dataSlice = null, encoding } = (config ?? {}) as Config;
    if (encoding !== "base64") throw new MethodError(-32602, "only base64 is answered here");
    const { slot } = this.#bank(config, behind);
    const state = this.#ledger.stateAt(slot);
    const rows = keys.map((key) => {
      const account = state.get(key);
      return account === undefined ? "null" : accountText(account, dataSlice);
    });
    return `{"context":{"apiVersion":"3.1.0","slot":${slot}},"value":${join(rows)}}`;
  }

  #programAccounts([program, config]: readonly unknown[], behind: number, isWhole: boolean): string {
    const { dataSlice = null, filters = [], encoding } = (config ?? {}) as Config;
    if (encoding !== "base64") throw new MethodError(-32602, "only base64 is answered here");
    if (filters.length > FILTERS_MAX) throw new MethodError(-32602, "Too many filters provided");
    const { slot } = this.#bank(config, behind);
    const rows = [...this.#ledger.stateAt(slot).values()]
      .filter((account) => matches(account, program as string, filters))
      .filter((_, index) => isWhole || index % 3 > 0)
      .map((account) => keyedAccountText(account, dataSlice));
    return `{"context":{"apiVersion":"3.1.0","slot":${slot}},"value":[${rows}]}`;
  }

  #holdings([owner, filter, config]: readonly unknown[], behind: number): string {
    const { programId } = filter as { readonly programId: string };
    const memcmp = { offset: TOKEN_OWNER_OFFSET, bytes: owner as string };
    return this.#programAccounts([programId, { ...(config as Config), filters: [{ memcmp }] }], behind, true);
  }

  #largestHoldings([mint, config]: readonly unknown[], behind: number): string {
    const { slot } = this.#bank(config, behind);
    const value = [...this.#ledger.stateAt(slot).values()]
      .filter(({ programOwner, data }) => isTokenProgram(programOwner) && isTokenAccount(data))
      .map(({ address, data }) => ({ address: encodeAddress(address), holding: decodeTokenAccount(data) }))
      .filter(({ holding }) => holding !== null && encodeAddress(holding.mint) === mint)
      .toSorted((a, b) => Number(b.holding!.amount - a.holding!.amount))
      .slice(0, LARGEST_MAX)
      .map(({ address, holding }) => ({ address, amount: String(holding!.amount) }));
    return JSON.stringify({ context: { apiVersion: "3.1.0", slot }, value });
  }

  #blocks([from, to, config]: readonly unknown[], behind: number): string {
    const bank = this.#bank(config, behind);
    const through = Math.min(to as Slot, bank.slot);
    return JSON.stringify(this.#ledger.blocks((from as Slot) - 1, through).map(({ slot }) => slot));
  }

  #block([slot, config]: readonly unknown[], behind: number): string {
    const bank = this.#bank(config, behind);
    if ((slot as Slot) > bank.slot) {
      throw new MethodError(-32004, `Block not available for slot ${slot as Slot}`);
    }
    const block = this.#ledger.block(slot as Slot);
    if (block === undefined) throw new MethodError(-32007, `Slot ${slot as Slot} was skipped`);
    const { blockhash, parent } = block;
    const previousBlockhash = this.#ledger.block(parent)?.blockhash ?? blockhash;
    return JSON.stringify({
      blockhash,
      previousBlockhash,
      parentSlot: parent,
      blockHeight: null,
      blockTime: null,
    });
  }

  #signatures([address, config]: readonly unknown[], behind: number): string {
    const { limit = SIGNATURES_MAX, before, until } = (config ?? {}) as Config;
    const bank = this.#bank(config, behind);
    const all = this.#ledger
      .blocks(0, bank.slot)
      .flatMap(({ transactions }) => transactions)
      .filter(({ groups }) =>
        groups.some(({ outer }) => outer.accounts.some((each) => encodeAddress(each) === address)),
      )
      .toReversed();
    const position = (signature: string): number => {
      const index = all.findIndex((each) => each.signature === signature);
      if (index < 0) throw new MethodError(-32020, "Filter transaction not found");
      return index;
    };
    const from = before === undefined ? 0 : position(before) + 1;
    const to = until === undefined ? all.length : position(until);
    const page = all.slice(from, to).slice(0, limit);
    return JSON.stringify(
      page.map(({ signature, slot }) => ({ signature, slot, err: null, memo: null, blockTime: null })),
    );
  }

  #transaction([signature, config]: readonly unknown[], behind: number): string {
    const bank = this.#bank(config, behind);
    const found = this.#ledger
      .blocks(0, bank.slot)
      .flatMap(({ transactions }) => transactions)
      .find((each) => each.signature === signature);
    return found === undefined ? "null" : JSON.stringify(transactionAnswer(found));
  }
}

const genesisCertificate = JSON.stringify({
  block: { slot: 4999, blockId: Array.from({ length: 32 }, () => 7) },
  signature: { signature: Array.from({ length: 192 }, () => 7), bitmap: [7] },
});

/** Owned by the program, and passed by every filter. */
export const matches = (account: Account, program: string, filters: readonly RowFilter[]): boolean =>
  encodeAddress(account.programOwner) === program &&
  filters.every(({ dataSize, memcmp }) => {
    if (dataSize !== undefined && account.data.length !== dataSize) return false;
    if (memcmp === undefined) return true;
    const wanted =
      memcmp.encoding === "base64"
        ? Buffer.from(memcmp.bytes, "base64")
        : Buffer.from(decodeBase58(memcmp.bytes, 1024));
    return Buffer.from(account.data.subarray(memcmp.offset, memcmp.offset + wanted.length)).equals(wanted);
  });
