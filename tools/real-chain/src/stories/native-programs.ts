// Instructions of native programs for which no package of their authors fits.
import {
  type AccountMeta,
  AccountRole,
  type AccountSignerMeta,
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
} from "@solana/kit";

export const nativePrograms = {
  stake: "Stake11111111111111111111111111111111111111" as Address,
  lookupTable: "AddressLookupTab1e1111111111111111111111111" as Address,
};
const system = "11111111111111111111111111111111" as Address;
const sysvars = {
  rent: "SysvarRent111111111111111111111111111111111" as Address,
  clock: "SysvarC1ock11111111111111111111111111111111" as Address,
  stakeHistory: "SysvarStakeHistory1111111111111111111111111" as Address,
};
/** A former part of the program's configuration; the place is still there. */
const stakeConfig = "StakeConfig11111111111111111111111111111111" as Address;

const key = (address: Address): Uint8Array => Uint8Array.from(getAddressEncoder().encode(address));
const u64 = (value: bigint): Uint8Array => Uint8Array.from(getU64Encoder().encode(value));
const tag = (value: number): Uint8Array => Uint8Array.of(value, 0, 0, 0);

const writable = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE });
const readonly = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY });
const signed = (
  signer: KeyPairSigner,
  role: AccountRole.READONLY_SIGNER | AccountRole.WRITABLE_SIGNER,
): AccountSignerMeta => ({
  address: signer.address,
  role,
  signer,
});

const LOCKUP_BYTES = 48;

export const initializeStake = (stake: Address, authority: Address): Instruction => ({
  programAddress: nativePrograms.stake,
  accounts: [writable(stake), readonly(sysvars.rent)],
  data: Buffer.concat([tag(0), key(authority), key(authority), new Uint8Array(LOCKUP_BYTES)]),
});

export const delegateStake = (stake: Address, vote: Address, authority: KeyPairSigner): Instruction => ({
  programAddress: nativePrograms.stake,
  accounts: [
    writable(stake),
    readonly(vote),
    readonly(sysvars.clock),
    readonly(sysvars.stakeHistory),
    readonly(stakeConfig),
    signed(authority, AccountRole.READONLY_SIGNER),
  ],
  data: tag(2),
});

export const deactivateStake = (stake: Address, authority: KeyPairSigner): Instruction => ({
  programAddress: nativePrograms.stake,
  accounts: [writable(stake), readonly(sysvars.clock), signed(authority, AccountRole.READONLY_SIGNER)],
  data: tag(5),
});

export const withdrawStake = (
  stake: Address,
  to: Address,
  authority: KeyPairSigner,
  lamports: bigint,
): Instruction => ({
  programAddress: nativePrograms.stake,
  accounts: [
    writable(stake),
    writable(to),
    readonly(sysvars.clock),
    readonly(sysvars.stakeHistory),
    signed(authority, AccountRole.READONLY_SIGNER),
  ],
  data: Buffer.concat([tag(4), u64(lamports)]),
});

/** @param slot - a recent one: the address of the table follows from it */
export const createLookupTable = async (
  authority: KeyPairSigner,
  payer: KeyPairSigner,
  slot: bigint,
): Promise<{ readonly table: Address; readonly create: Instruction }> => {
  const seeds = [key(authority.address), u64(slot)];
  const [table, bump] = await getProgramDerivedAddress({ programAddress: nativePrograms.lookupTable, seeds });
  const create = {
    programAddress: nativePrograms.lookupTable,
    accounts: [
      writable(table),
      signed(authority, AccountRole.READONLY_SIGNER),
      signed(payer, AccountRole.WRITABLE_SIGNER),
      readonly(system),
    ],
    data: Buffer.concat([tag(0), u64(slot), Uint8Array.of(bump)]),
  };
  return { table, create };
};

export const extendLookupTable = (
  table: Address,
  authority: KeyPairSigner,
  payer: KeyPairSigner,
  addresses: readonly Address[],
): Instruction => ({
  programAddress: nativePrograms.lookupTable,
  accounts: [
    writable(table),
    signed(authority, AccountRole.READONLY_SIGNER),
    signed(payer, AccountRole.WRITABLE_SIGNER),
    readonly(system),
  ],
  data: Buffer.concat([tag(2), u64(BigInt(addresses.length)), ...addresses.map(key)]),
});

export const deactivateLookupTable = (table: Address, authority: KeyPairSigner): Instruction => ({
  programAddress: nativePrograms.lookupTable,
  accounts: [writable(table), signed(authority, AccountRole.READONLY_SIGNER)],
  data: tag(3),
});
