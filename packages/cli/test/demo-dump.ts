// The demo chain as a dump, and calls that have an answer there.
import { writeFileSync } from "node:fs";
import { encodeAddress } from "@lamplight/codecs";
import { demoAddresses, demoChain } from "@lamplight/devchain";

/** Writes the accounts of the demo chain as lines of JSON. */
export const writeDemoDump = (path: string): void => {
  const lines = [...demoChain()].flatMap(({ accounts }) =>
    accounts.map((account) =>
      JSON.stringify({
        pubkey: encodeAddress(account.address),
        slot: account.slot,
        writeVersion: account.writeVersion,
        owner: encodeAddress(account.programOwner),
        lamports: String(account.lamports),
        executable: account.executable,
        rentEpoch: String(account.rentEpoch),
        data: Buffer.from(account.data).toString("base64"),
      }),
    ),
  );
  writeFileSync(path, lines.join("\n"));
};

const { mint, nft, delegate, masterEditionMint, wallet } = demoAddresses;
/** A call of each method. */
export const demoCalls: readonly [string, unknown][] = [
  ["getAccountInfo", [mint]],
  ["getTokenSupply", [mint]],
  ["getLargestAccounts", []],
  ["getTokenAccountsByDelegate", [delegate, { mint }, { encoding: "jsonParsed" }]],
  ["getAsset", { id: nft }],
  ["getNftEditions", [masterEditionMint]],
  ["searchAssets", { ownerAddress: wallet }],
];
