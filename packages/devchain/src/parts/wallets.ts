import { programAddresses } from "@lamplight/codecs";
import { type Draft, U64_MAX } from "../draft.ts";
import type { World } from "../world.ts";

/** Wallets: twice the lamports come half as often. */
export function* walletAccounts(world: World): Generator<Draft> {
  for (let index = 0; index < world.counts.wallets; index += 1) yield walletAccount(world, index);
}

/** A share of the wallets again, with what they hold after some transfers. */
export function* changedWallets(world: World): Generator<Draft> {
  for (let index = 0; index < world.counts.wallets; index += 20) {
    const wallet = walletAccount(world, index);
    yield { ...wallet, lamports: wallet.lamports + BigInt(world.random("change", index).below(5_000_000)) };
  }
}

const walletAccount = (world: World, index: number): Draft => {
  const random = world.random("wallet", index);
  const lamports = (890_880n + BigInt(random.below(1_000_000_000))) << BigInt(random.heads());
  return {
    address: world.address("wallet", index),
    programOwner: programAddresses.system,
    lamports,
    executable: false,
    // Wallets that no one touched since rent collection ended keep an old epoch.
    rentEpoch: random.percent(30) ? BigInt(random.between(0, 360)) : U64_MAX,
    data: new Uint8Array(0),
  };
};
