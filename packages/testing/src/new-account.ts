import { programAddresses } from "@lamplight/codecs";
import { type AddressLike, type ChainWorld, onlyProperties, readAddress, readU64 } from "@lamplight/devchain";

/** An account for `setAccount`. */
export interface NewAccount {
  readonly address: AddressLike;
  /** The program that owns it. Default: the system program. */
  readonly owner?: AddressLike;
  /** Zero closes the account. Default 1 SOL. */
  readonly lamports?: bigint | number;
  readonly data?: Uint8Array;
  readonly executable?: boolean;
}

/** An account as a world writes it. */
export type AccountDraft = Parameters<ChainWorld["setAccount"]>[0];

const LAMPORTS_DEFAULT = 1_000_000_000n;

/** @throws LamplightError `CHAIN__INVALID_INPUT`, which names the property */
export const readNewAccount = (account: NewAccount): AccountDraft => {
  checkNewAccount(account);
  return {
    address: readAddress(account.address, "address"),
    programOwner: account.owner === undefined ? programAddresses.system : readAddress(account.owner, "owner"),
    lamports: readU64(account.lamports ?? LAMPORTS_DEFAULT, "lamports"),
    executable: account.executable ?? false,
    rentEpoch: 2n ** 64n - 1n,
    data: account.data ?? new Uint8Array(0),
  };
};

const checkNewAccount = onlyProperties<NewAccount>()("address", "owner", "lamports", "data", "executable");
