import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import * as token2022 from "@solana-program/token-2022";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { createTestChain, type TestChain } from "../index.ts";

const PAYER_LAMPORTS = 10_000_000_000n;
let chain: TestChain;
let svm: LiteSVM;
let payer: KeyPairSigner;
beforeEach(async () => {
  chain = await createTestChain();
  svm = new LiteSVM();
  payer = await generateKeyPairSigner();
  svm.airdrop(payer.address, lamports(PAYER_LAMPORTS));
  chain.attach(svm);
});
afterEach(() => chain.close());

const send = async (...instructions: readonly Instruction[]) => {
  svm.expireBlockhash();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayerSigner(payer, one),
    (one) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(one),
    (one) => appendTransactionMessageInstructions(instructions, one),
  );
  return svm.sendTransaction(await signTransactionMessageWithSigners(message));
};

const sendOk = async (...instructions: readonly Instruction[]): Promise<void> => {
  const outcome = await send(...instructions);
  if (outcome instanceof FailedTransactionMetadata) throw new Error(outcome.meta().prettyLogs());
};

describe("a chain that is attached to LiteSVM", () => {
  test("indexes what the Token program executes", async () => {
    const mint = await generateKeyPairSigner();
    const space = BigInt(token.getMintSize());
    await sendOk(
      getCreateAccountInstruction({
        payer,
        newAccount: mint,
        space,
        lamports: svm.minimumBalanceForRentExemption(space),
        programAddress: token.TOKEN_PROGRAM_ADDRESS,
      }),
      token.getInitializeMint2Instruction({ mint: mint.address, decimals: 3, mintAuthority: payer.address }),
    );
    const [held] = await token.findAssociatedTokenPda({
      owner: payer.address,
      mint: mint.address,
      tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
    });
    await sendOk(
      await token.getCreateAssociatedTokenInstructionAsync({
        payer,
        owner: payer.address,
        mint: mint.address,
      }),
      token.getMintToInstruction({ mint: mint.address, token: held, mintAuthority: payer, amount: 5_000n }),
    );
    const { value } = await chain.client.getTokenSupply(mint.address);
    expect(value).toMatchObject({ amount: "5000", decimals: 3 });
    const owned = await chain.client.searchAssets({ ownerAddress: payer.address, tokenType: "fungible" });
    expect(owned.items.map(({ id }) => id)).toEqual([mint.address]);
    const delegate = chain.wallet("delegate");
    await sendOk(
      token.getApproveInstruction({
        source: held,
        delegate: address(delegate.address),
        owner: payer,
        amount: 7n,
      }),
    );
    const delegated = await chain.client.getTokenAccountsByDelegate(delegate.address, {
      mint: mint.address,
    });
    expect(delegated.value.map(({ pubkey }) => pubkey)).toEqual([held]);
  });

  test("indexes what Token-2022 executes, and only the fee of a failed transaction", async () => {
    const mint = await generateKeyPairSigner();
    const pointer = token2022.extension("MetadataPointer", {
      authority: payer.address,
      metadataAddress: mint.address,
    });
    const described = token2022.extension("TokenMetadata", {
      updateAuthority: payer.address,
      mint: mint.address,
      name: "Lamp",
      symbol: "LMP",
      uri: "https://example.com/lamp.json",
      additionalMetadata: new Map(),
    });
    const space = BigInt(token2022.getMintSize([pointer]));
    const full = BigInt(token2022.getMintSize([pointer, described]));
    const initialize = [
      getCreateAccountInstruction({
        payer,
        newAccount: mint,
        space,
        lamports: svm.minimumBalanceForRentExemption(full),
        programAddress: token2022.TOKEN_2022_PROGRAM_ADDRESS,
      }),
      token2022.getInitializeMetadataPointerInstruction({
        mint: mint.address,
        authority: payer.address,
        metadataAddress: mint.address,
      }),
      token2022.getInitializeMint2Instruction({
        mint: mint.address,
        decimals: 0,
        mintAuthority: payer.address,
      }),
      token2022.getInitializeTokenMetadataInstruction({
        metadata: mint.address,
        updateAuthority: payer.address,
        mint: mint.address,
        mintAuthority: payer,
        name: "Lamp",
        symbol: "LMP",
        uri: "https://example.com/lamp.json",
      }),
    ];
    await sendOk(...initialize);
    const asset = await chain.client.getAsset(mint.address);
    expect(asset.content.metadata).toMatchObject({ name: "Lamp", symbol: "LMP" });
    const slot = chain.slot;
    expect(await send(...initialize)).toBeInstanceOf(FailedTransactionMetadata);
    expect(await chain.client.getAsset(mint.address)).toEqual(asset);
    const account = await chain.client.getAccountInfo(payer.address, { encoding: "base64" });
    expect(account?.value?.lamports).toBe(svm.getBalance(payer.address));
    expect(chain.slot).toBe(slot + 1);
  });

  test("is left alone once detached", async () => {
    const other = new LiteSVM();
    const original = other.sendTransaction;
    chain.attach(other).detach();
    expect(other.sendTransaction).toBe(original);
  });
});
