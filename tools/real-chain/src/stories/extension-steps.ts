import {
  ExtensionType,
  getCloseAccountInstruction,
  getDisableCpiGuardInstruction,
  getDisableMemoTransfersInstruction,
  getEnableCpiGuardInstruction,
  getEnableMemoTransfersInstruction,
  getHarvestWithheldTokensToMintInstruction,
  getPauseInstruction,
  getReallocateInstruction,
  getResumeInstruction,
  getSetTransferFeeInstruction,
  getUpdateDefaultAccountStateInstruction,
  getUpdateMultiplierScaledUiMintInstruction,
  getUpdateRateInterestBearingMintInstruction,
  getUpdateTokenMetadataFieldInstruction,
  getWithdrawWithheldTokensFromAccountsInstruction,
  tokenMetadataField,
  AccountState,
} from "@solana-program/token-2022";
import type { MintMade } from "./create-mint.ts";
import { tokenPrograms } from "./create-mint.ts";
import { randomMultiplier } from "./mint-extensions.ts";
import type { Step } from "./step.ts";

/** Steps that an account of Token-2022 takes, regardless of what its mint is. */
const accountSteps: readonly Step[] = [
  [
    "demand memos",
    ({ from, payer }) => [
      getReallocateInstruction({
        token: from.account,
        payer,
        owner: from.owner,
        newExtensionTypes: [ExtensionType.MemoTransfer],
      }),
      getEnableMemoTransfersInstruction({ token: from.account, owner: from.owner }),
    ],
  ],
  [
    "demand no memos",
    ({ from }) => [getDisableMemoTransfersInstruction({ token: from.account, owner: from.owner })],
  ],
  [
    "guard against calls",
    ({ from, payer }) => [
      getReallocateInstruction({
        token: from.account,
        payer,
        owner: from.owner,
        newExtensionTypes: [ExtensionType.CpiGuard],
      }),
      getEnableCpiGuardInstruction({ token: from.account, owner: from.owner }),
    ],
  ],
  [
    "guard no more",
    ({ from }) => [getDisableCpiGuardInstruction({ token: from.account, owner: from.owner })],
  ],
];

/** Steps by the extension of the mint that they are about. */
const mintSteps: readonly (readonly [extension: string, steps: readonly Step[]])[] = [
  [
    "TransferFeeConfig",
    [
      [
        "set a transfer fee",
        ({ made, boss, random }) => [
          getSetTransferFeeInstruction({
            mint: made.mint,
            transferFeeConfigAuthority: boss,
            transferFeeBasisPoints: random.between(0, 10_000),
            maximumFee: random.u64(),
          }),
        ],
      ],
      [
        "harvest fees",
        ({ made, from }) => [
          getHarvestWithheldTokensToMintInstruction({ mint: made.mint, sources: [from.account] }),
        ],
      ],
      [
        "withdraw fees",
        ({ made, from, to, boss }) => [
          getWithdrawWithheldTokensFromAccountsInstruction({
            mint: made.mint,
            feeReceiver: to.account,
            withdrawWithheldAuthority: boss,
            numTokenAccounts: 1,
            sources: [from.account],
          }),
        ],
      ],
    ],
  ],
  [
    "MintCloseAuthority",
    [
      [
        "close a mint",
        ({ made, boss }) => [
          getCloseAccountInstruction({ account: made.mint, destination: boss.address, owner: boss }),
        ],
      ],
    ],
  ],
  [
    "DefaultAccountState",
    [
      [
        "set the default state",
        ({ made, boss, random }) => [
          getUpdateDefaultAccountStateInstruction({
            mint: made.mint,
            freezeAuthority: boss,
            state: random.percent(50) ? AccountState.Frozen : AccountState.Initialized,
          }),
        ],
      ],
    ],
  ],
  [
    "InterestBearingConfig",
    [
      [
        "set the rate",
        ({ made, boss, random }) => [
          getUpdateRateInterestBearingMintInstruction({
            mint: made.mint,
            rateAuthority: boss,
            rate: random.between(-32_768, 32_767),
          }),
        ],
      ],
    ],
  ],
  [
    "ScaledUiAmountConfig",
    [
      [
        "set the multiplier",
        ({ made, boss, random, now }) => [
          getUpdateMultiplierScaledUiMintInstruction({
            mint: made.mint,
            authority: boss,
            multiplier: randomMultiplier(random),
            effectiveTimestamp: now + BigInt(random.between(-100, 20)),
          }),
        ],
      ],
    ],
  ],
  [
    "PausableConfig",
    [
      ["pause", ({ made, boss }) => [getPauseInstruction({ mint: made.mint, authority: boss })]],
      ["resume", ({ made, boss }) => [getResumeInstruction({ mint: made.mint, authority: boss })]],
    ],
  ],
  [
    "TokenMetadata",
    [
      [
        "set a field",
        ({ made, boss, random }) => [
          getUpdateTokenMetadataFieldInstruction({
            metadata: made.mint,
            updateAuthority: boss,
            field: random.percent(50) ? tokenMetadataField("Name") : tokenMetadataField("Key", ["mood"]),
            value: `value ${random.below(99)}`,
          }),
        ],
      ],
    ],
  ],
];

export const extensionSteps = ({ program, extensions }: MintMade): readonly Step[] =>
  program === tokenPrograms.token2022
    ? [
        ...accountSteps,
        ...mintSteps.flatMap(([extension, steps]) => (extensions.has(extension) ? steps : [])),
      ]
    : [];
