import {
  AuthorityType,
  getApproveCheckedInstruction,
  getBurnCheckedInstruction,
  getCloseAccountInstruction,
  getFreezeAccountInstruction,
  getMintToInstruction,
  getRevokeInstruction,
  getSetAuthorityInstruction,
  getThawAccountInstruction,
  getTransferCheckedInstruction,
} from "@solana-program/token-2022";
import type { Instruction, KeyPairSigner } from "@solana/kit";
import type { MintMade } from "./create-mint.ts";
import { extensionSteps } from "./extension-steps.ts";
import type { Scene, Step } from "./step.ts";

const amountOf = ({ random }: Scene): bigint =>
  random.percent(5) ? random.u64() / 8n : BigInt(random.below(random.percent(30) ? 3 : 2_000_000));

const at = ({ made }: Scene) => ({ programAddress: made.program });

/** Steps that both programs know. */
const tokenSteps: readonly Step[] = [
  [
    "mint to",
    (scene) => [
      getMintToInstruction(
        {
          mint: scene.made.mint,
          token: scene.from.account,
          mintAuthority: scene.boss,
          amount: amountOf(scene),
        },
        at(scene),
      ),
    ],
  ],
  ["transfer", (scene) => [transfer(scene, scene.from.owner)]],
  ["transfer by a delegate", (scene) => [approve(scene, 2n ** 64n - 1n), transfer(scene, scene.to.owner)]],
  ["approve", (scene) => [approve(scene, amountOf(scene))]],
  [
    "revoke",
    (scene) => [getRevokeInstruction({ source: scene.from.account, owner: scene.from.owner }, at(scene))],
  ],
  ["burn", (scene) => [burn(scene, amountOf(scene))]],
  [
    "freeze",
    ({ from, made, boss }) => [
      getFreezeAccountInstruction(
        { account: from.account, mint: made.mint, owner: boss },
        { programAddress: made.program },
      ),
    ],
  ],
  [
    "thaw",
    ({ from, made, boss }) => [
      getThawAccountInstruction(
        { account: from.account, mint: made.mint, owner: boss },
        { programAddress: made.program },
      ),
    ],
  ],
  [
    "close an account",
    (scene) => [
      getCloseAccountInstruction(
        { account: scene.from.account, destination: scene.boss.address, owner: scene.from.owner },
        at(scene),
      ),
    ],
  ],
  [
    "set a close authority",
    (scene) => [
      getSetAuthorityInstruction(
        {
          owned: scene.from.account,
          owner: scene.from.owner,
          authorityType: AuthorityType.CloseAccount,
          newAuthority: scene.random.percent(50) ? scene.from.owner.address : null,
        },
        at(scene),
      ),
    ],
  ],
];

const approve = (scene: Scene, amount: bigint): Instruction =>
  getApproveCheckedInstruction(
    {
      source: scene.from.account,
      mint: scene.made.mint,
      delegate: scene.to.owner.address,
      owner: scene.from.owner,
      amount,
      decimals: scene.made.decimals,
    },
    at(scene),
  );

const transfer = (scene: Scene, authority: KeyPairSigner): Instruction =>
  getTransferCheckedInstruction(
    {
      source: scene.from.account,
      mint: scene.made.mint,
      destination: scene.to.account,
      authority,
      amount: amountOf(scene),
      decimals: scene.made.decimals,
    },
    at(scene),
  );

const burn = (scene: Scene, amount: bigint): Instruction =>
  getBurnCheckedInstruction(
    {
      account: scene.from.account,
      mint: scene.made.mint,
      authority: scene.from.owner,
      amount,
      decimals: scene.made.decimals,
    },
    at(scene),
  );

/** The steps for a mint of its program and extensions. */
export const stepsFor = (made: MintMade): readonly Step[] => [...tokenSteps, ...extensionSteps(made)];
