// The RPC methods that a LiteSVM instance answers, in the form of Agave.
import { RpcError } from "@lamplight/client";
import { encodeAddress, encodeBase58 } from "@lamplight/codecs";
import type { Commitment, Slot } from "@lamplight/core";
import { apiVersion } from "@lamplight/server";
import type { Landed } from "./attach-svm.ts";
import type { AttachedSvm } from "./attached-svm.ts";
import { isFailed, type SvmFailure, type SvmMetadata, type Wire } from "./lite-svm.ts";
import { feeOf } from "./message-fee.ts";
import {
  addressOf,
  blockhashOf,
  commitmentOf,
  type Config,
  configOf,
  flagOf,
  invalidParams,
  messageOfParams,
  type Params,
  signaturesOf,
  transactionOfParams,
  u64Of,
} from "./svm-params.ts";
import { replaceBlockhash } from "./replace-blockhash.ts";
import { transactionErrorOf, transactionErrorText } from "./transaction-error.ts";

/** The state that a method reads. A block height is the number of the slot. */
export interface SvmChain {
  readonly svm: AttachedSvm;
  /** Newest slot of a commitment. */
  slotOf(commitment: Commitment): Promise<Slot>;
}

/** Answers the result. @throws RpcError */
type SvmMethod = (params: Params, chain: SvmChain) => Promise<unknown>;

const getBalance: SvmMethod = async (params, chain) => {
  const address = addressOf(params, 0);
  const context = await contextOf(configOf(params, 1), chain);
  return { context, value: chain.svm.lamportsOf(address) };
};

const getBlockHeight: SvmMethod = async (params, chain) => {
  const { slot } = await contextOf(configOf(params, 0), chain);
  return slot;
};

const getFeeForMessage: SvmMethod = async (params, chain) => {
  const wire = messageOfParams(params);
  const context = await contextOf(configOf(params, 1), chain);
  const isValid = chain.svm.blockhashes.isValid(encodeBase58(wire.recentBlockhash), await heightOf(chain));
  return { context, value: isValid ? feeOf(wire) : null };
};

const getLatestBlockhash: SvmMethod = async (params, chain) => {
  const context = await contextOf(configOf(params, 0), chain);
  return { context, value: chain.svm.blockhashes.latest(await heightOf(chain)) };
};

const getMinimumBalanceForRentExemption: SvmMethod = async (params, { svm }) =>
  svm.rentExemption(u64Of(params, 0));

const getSignatureStatuses: SvmMethod = async (params, chain) => {
  const signatures = signaturesOf(params, 0);
  const [processed, confirmed, finalized] = [
    await chain.slotOf("processed"),
    await chain.slotOf("confirmed"),
    await chain.slotOf("finalized"),
  ];
  const statusOf = ({ slot, err }: Landed) => ({
    slot,
    confirmations: slot <= finalized ? null : processed - slot,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus: slot <= finalized ? "finalized" : slot <= confirmed ? "confirmed" : "processed",
  });
  const value = signatures.map((signature) => {
    const landed = chain.svm.landed(signature);
    return landed === null || landed.slot > processed ? null : statusOf(landed);
  });
  return { context: { apiVersion, slot: processed }, value };
};

const isBlockhashValid: SvmMethod = async (params, chain) => {
  const blockhash = blockhashOf(params, 0);
  const context = await contextOf(configOf(params, 1), chain);
  return { context, value: chain.svm.blockhashes.isValid(blockhash, await heightOf(chain)) };
};

const requestAirdrop: SvmMethod = async (params, { svm }) => {
  const given = svm.airdrop(addressOf(params, 0), u64Of(params, 1));
  if (typeof given === "string") return given;
  const message = `Airdrop failed: ${transactionErrorText(transactionErrorOf(given))}`;
  throw new RpcError({ code: -32603, message });
};

const sendTransaction: SvmMethod = async (params, chain) => {
  const config = configOf(params, 1);
  const wire = transactionOfParams(params, config);
  await contextOf(config, chain, "preflightCommitment");
  const height = await heightOf(chain);
  if (!flagOf(config, "skipPreflight")) {
    const simulated = chain.svm.simulate(wire, height, true);
    if (isFailed(simulated)) throw preflightFailure(simulated);
  }
  chain.svm.send(wire, height);
  return encodeBase58(wire.signatures[0]!);
};

const simulateTransaction: SvmMethod = async (params, chain) => {
  const config = configOf(params, 1);
  for (const member of ["accounts", "innerInstructions"])
    if ((config[member] ?? false) !== false)
      throw invalidParams(`Invalid params: a test chain does not answer ${member}`);
  const [verifies, replaces] = [flagOf(config, "sigVerify"), flagOf(config, "replaceRecentBlockhash")];
  if (verifies && replaces) throw invalidParams("sigVerify may not be used with replaceRecentBlockhash");
  const given = transactionOfParams(params, config);
  const context = await contextOf(config, chain);
  const height = await heightOf(chain);
  const replacement = replaces ? chain.svm.blockhashes.latest(height) : null;
  const wire: Wire = replacement === null ? given : replaceBlockhash(given, replacement.blockhash);
  const simulated = chain.svm.simulate(wire, height, verifies);
  if (isFailed(simulated) && verifies) refuseBadSignature(simulated);
  const err = isFailed(simulated) ? transactionErrorOf(simulated) : null;
  return { context, value: { err, ...effectsOf(simulated.meta()), replacementBlockhash: replacement } };
};

/** Everything that a LiteSVM instance answers. */
export const svmMethods: ReadonlyMap<string, SvmMethod> = new Map([
  ["getBalance", getBalance],
  ["getBlockHeight", getBlockHeight],
  ["getFeeForMessage", getFeeForMessage],
  ["getLatestBlockhash", getLatestBlockhash],
  ["getMinimumBalanceForRentExemption", getMinimumBalanceForRentExemption],
  ["getSignatureStatuses", getSignatureStatuses],
  ["isBlockhashValid", isBlockhashValid],
  ["requestAirdrop", requestAirdrop],
  ["sendTransaction", sendTransaction],
  ["simulateTransaction", simulateTransaction],
]);

const heightOf = (chain: SvmChain): Promise<number> => chain.slotOf("processed");

/** @throws RpcError -32016 where the slot of the commitment is below `minContextSlot` */
const contextOf = async (config: Config, chain: SvmChain, member = "commitment") => {
  const slot = await chain.slotOf(commitmentOf(config, member));
  const { minContextSlot } = config;
  if (minContextSlot !== undefined && minContextSlot !== null && slot < u64Of([minContextSlot], 0))
    throw new RpcError({
      code: -32016,
      message: "Minimum context slot has not been reached",
      data: { contextSlot: slot },
    });
  return { apiVersion, slot };
};

/** Agave's answer about a run, whether it succeeded or not. LiteSVM does not report the size of loaded accounts. */
const effectsOf = (metadata: SvmMetadata) => {
  const returned = metadata.returnData();
  const data = Buffer.from(returned.data());
  return {
    logs: metadata.logs(),
    accounts: null,
    unitsConsumed: metadata.computeUnitsConsumed(),
    loadedAccountsDataSize: null,
    returnData:
      data.length === 0
        ? null
        : { programId: encodeAddress(returned.programId()), data: [data.toString("base64"), "base64"] },
    innerInstructions: null,
  };
};

const refuseBadSignature = (failure: SvmFailure): void => {
  if (transactionErrorOf(failure) === "SignatureFailure")
    throw new RpcError({ code: -32003, message: "Transaction signature verification failure" });
};

const preflightFailure = (failure: SvmFailure): RpcError => {
  refuseBadSignature(failure);
  const err = transactionErrorOf(failure);
  return new RpcError({
    code: -32002,
    message: `Transaction simulation failed: ${transactionErrorText(err)}`,
    data: { err, ...effectsOf(failure.meta()), replacementBlockhash: null },
  });
};
