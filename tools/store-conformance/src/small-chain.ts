// A chain of a few hundred accounts and assets, for tests of one store: anything that needs more generates a devchain.

import { programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type Asset,
  type ChangeSet,
  deriveAccountFacts,
  emptyChangeSet,
  type IndexStore,
} from "@lamplight/core";
import { createHash } from "node:crypto";
import { plainAsset } from "./chain/plain-asset.ts";

/** The same 32 bytes for the same name. */
export const addressOf = (name: string | number): Uint8Array =>
  Uint8Array.from(createHash("sha256").update(`${name}`).digest());

export const accountOf = (name: string | number, parts: Partial<Account> = {}): Account => ({
  address: addressOf(name),
  programOwner: programAddresses.system,
  lamports: 1n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: new Uint8Array(0),
  slot: 1,
  writeVersion: 0,
  ...parts,
});

/** A token account with a delegate and a positive amount. */
export const tokenAccountOf = (name: string | number, parts: Partial<Account> = {}): Account => {
  const data = new Uint8Array(165);
  data.set(addressOf("mint"), 0);
  data.set(addressOf("wallet"), 32);
  data[64] = 1;
  data[72] = 1;
  data.set(addressOf("delegate"), 76);
  data[108] = 1;
  return accountOf(name, { programOwner: programAddresses.token, data, ...parts });
};

/** An initialized stake account, locked for ever. */
export const stakeAccountOf = (name: string | number, parts: Partial<Account> = {}): Account => {
  const data = new Uint8Array(200);
  data[0] = 1;
  data.fill(255, 84, 92);
  return accountOf(name, { programOwner: programAddresses.stake, data, ...parts });
};

export const assetOf = (name: string | number): Asset =>
  plainAsset(addressOf(`asset ${name}`), {
    assetOwner: addressOf("wallet"),
    creators: [{ address: addressOf("creator"), verified: true, share: 100 }],
    groups: [{ key: "collection", value: "A", verified: true }],
    name: `Asset ${name}`,
  });

export const slotOf = (
  slot: number,
  accounts: readonly Account[],
  more: Partial<ChangeSet> = {},
): ChangeSet => ({
  ...emptyChangeSet,
  watermark: { slot, blockhash: null },
  accounts: accounts.map((current) => ({
    state: { current, lastLife: null },
    facts: deriveAccountFacts(current),
  })),
  ...more,
});

/** Something of everything. */
export const fill = async (store: IndexStore): Promise<void> => {
  const beside = addressOf("beside");
  beside.set(addressOf(3).subarray(0, 8));
  const wallets = Array.from({ length: 300 }, (_, index) =>
    accountOf(index, { lamports: BigInt(index + 1) }),
  );
  await store.commit(
    slotOf(
      1,
      [...wallets, accountOf("x", { address: beside }), tokenAccountOf("token"), stakeAccountOf("stake")],
      {
        assets: Array.from({ length: 20 }, (_, index) => assetOf(index)),
        editions: [{ address: addressOf("e"), parent: addressOf("p"), mint: addressOf("m"), number: 1n }],
        linksAdded: [{ role: "holder", target: addressOf("t"), source: addressOf("s") }],
      },
    ),
  );
};
