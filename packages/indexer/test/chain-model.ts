import {
  answerCall,
  type Commitment,
  createMethodSettings,
  type ViewSource,
  CallRequest,
  type Slot,
} from "@lamplight/core";
import { type ChainSimulation, lastWrites } from "@lamplight/devchain";
import { isLamplightError, type RpcError, toRpcError } from "@lamplight/errors";
import { createIndexer } from "../src/indexer.ts";
import { NaiveStore } from "./naive-store.ts";
import type { Call } from "./random-call.ts";

/** Models kept, so that the next one has a short way from one of them. */
const MODELS_MAX = 400;

/** JSON-RPC's code of an internal error. */
const INTERNAL_ERROR = -32603;

/** An internal error that will not pass. Thrown, it shows its reason, which the public text hides. */
const isFault = ({ code, httpStatus }: RpcError): boolean => code === INTERNAL_ERROR && httpStatus !== 503;

/** The true state at any slot of a simulated chain, on any fork: a naive store that walked the one path to it. */
export class ChainModel {
  readonly #simulation: ChainSimulation;
  readonly #models = new Map<Slot, Promise<NaiveStore>>();

  constructor(simulation: ChainSimulation) {
    this.#simulation = simulation;
  }

  /** Callers must not change the returned store. */
  at(slot: Slot): Promise<NaiveStore> {
    const known = this.#models.get(slot);
    if (known !== undefined) return known;
    const made = this.#make(slot);
    this.#models.set(slot, made);
    if (this.#models.size > MODELS_MAX) this.#models.delete(this.#models.keys().next().value!);
    return made;
  }

  async #make(slot: Slot): Promise<NaiveStore> {
    const { genesis } = this.#simulation;
    const block = this.#simulation.block(slot);
    if (block === undefined) {
      if (slot !== genesis.slot) throw new Error(`there is no slot ${slot}`);
      const store = new NaiveStore();
      await createIndexer(store).applyAccounts(genesis.accounts, genesis);
      return store;
    }
    const store = (await this.at(block.parent)).copy();
    const { blockhash, transactions } = block;
    await createIndexer(store).apply({
      accounts: lastWrites(block),
      transactions,
      watermark: { slot, blockhash },
    });
    return store;
  }
}

export interface AnswerOptions {
  readonly assetCommitment: Commitment;
  readonly apiVersion?: string;
}

/** An error as the model and the real thing word it alike: the model has shorter words for an unknown asset. */
export const refusalText = ({ code, message, data }: Pick<RpcError, "code" | "message" | "data">): string =>
  JSON.stringify(message.includes("asset") ? { code } : { code, message, data });

/** A result as text, with the slot of the asset's last update where it is one asset. */
export const resultText = (result: string, updatedSlot: Slot | null): string =>
  updatedSlot === null ? result : `${result} updated at ${updatedSlot}`;

/** The result as text, or the public error: the same from everything that answers the same. */
export const answerOver = async (
  viewSource: ViewSource,
  { method, params }: Call,
  { assetCommitment, apiVersion = "0" }: AnswerOptions,
): Promise<string> => {
  const settings = createMethodSettings({ apiVersion, assetCommitment });
  const request = new CallRequest({ viewSource, settings, isAlone: true });
  try {
    const result = await answerCall(method, params, request);
    return resultText(String(result), request.updatedSlot);
  } catch (error) {
    const reported = isLamplightError(error) ? toRpcError(error, method) : null;
    if (reported === null || isFault(reported)) throw error;
    return refusalText(reported);
  } finally {
    request.close();
  }
};
