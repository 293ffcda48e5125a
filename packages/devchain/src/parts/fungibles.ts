import { documentUri } from "./document.ts";
import { programAddresses } from "@lamplight/codecs";
import { type Draft, draftOf, rentExemptLamports } from "../draft.ts";
import { encodeMint, encodeTokenAccount, type TokenAccountFields } from "../encode/token.ts";
import { encodeMint2022, encodeTokenAccount2022, type ExtensionEntry } from "../encode/token-2022.ts";
import { encodeMetadata } from "../encode/token-metadata.ts";
import type { Random } from "../random.ts";
import { epochOf, timestampOf, type World } from "../world.ts";

type Flavour =
  | "described"
  | "bare"
  | "undescribedStandard"
  | "fungibleAsset"
  | "interestBearing"
  | "transferFee"
  | "metadataExtension";

/** Mint m has flavour m modulo this list, so that even the smallest chain holds each kind. */
const flavours: readonly [Flavour, ...Flavour[]] = [
  "described",
  "described",
  "interestBearing",
  "transferFee",
  "metadataExtension",
  "bare",
  "fungibleAsset",
  "undescribedStandard",
  "described",
  "bare",
];

const words: readonly [string, ...string[]] = [
  "Wick",
  "Ember",
  "Lumen",
  "Tallow",
  "Beacon",
  "Flint",
  "Candle",
  "Glow",
];

/** Every fungible mint with its holders, holders first: their sum is the mint's supply. */
export function* fungibleAccounts(world: World, slot: number): Generator<Draft> {
  const { fungibleMints, tokenAccounts } = world.counts;
  let weights = 0;
  for (let index = 0; index < fungibleMints; index += 1) weights += weightOf(index);
  let holderIndex = 0;
  for (let index = 0; index < fungibleMints; index += 1) {
    const holders = Math.max(1, Math.floor((tokenAccounts * weightOf(index)) / weights));
    const token = tokenOf(world, index);
    let supply = 0n;
    for (let holder = 0; holder < holders; holder += 1) {
      const fields = holderOf(world, token, holderIndex, holder === 0);
      supply += fields.amount;
      yield holderAccount(world.address("tokenAccount", holderIndex), token, fields);
      holderIndex += 1;
    }
    yield* mintAccounts(world, token, supply, slot);
  }
}

/** Wrapped lamports: the amount is what the account holds above its reserve. */
export function* nativeTokenAccounts(world: World): Generator<Draft> {
  for (let index = 0; index < world.counts.nativeTokenAccounts; index += 1) {
    const random = world.random("nativeTokenAccount", index);
    const amount = random.percent(20) ? 0n : BigInt(random.below(1_000_000_000)) << BigInt(random.heads());
    const data = encodeTokenAccount({
      mint: programAddresses.nativeMint,
      tokenOwner: world.someWallet(random),
      amount,
      delegate: null,
      delegatedAmount: 0n,
      frozen: false,
      nativeReserve: rentExemptLamports(165),
      closeAuthority: null,
    });
    yield draftOf(world.address("nativeTokenAccount", index), programAddresses.token, data, amount);
  }
}

interface Token {
  readonly index: number;
  readonly flavour: Flavour;
  readonly mint: Uint8Array;
  readonly program: Uint8Array;
  readonly decimals: number;
  readonly authority: Uint8Array | null;
  readonly freezeAuthority: Uint8Array | null;
}

/** The m-th mint has about 1/(m+1) of the holders of the first. */
const weightOf = (index: number): number => Math.max(1, Math.floor(1_000_000 / (index + 1)));

const tokenOf = (world: World, index: number): Token => {
  const random = world.random("mint", index);
  const flavour = flavours[index % flavours.length] ?? flavours[0];
  const on2022 =
    flavour === "interestBearing" || flavour === "transferFee" || flavour === "metadataExtension";
  return {
    index,
    flavour,
    mint: world.address("mint", index),
    program: on2022 ? programAddresses.token2022 : programAddresses.token,
    decimals: flavour === "fungibleAsset" ? 0 : index === 0 ? 6 : random.pick([6, 6, 9, 9, 8, 2]),
    authority: index > 0 && random.percent(60) ? null : world.address("authority", index),
    freezeAuthority: index > 0 && random.percent(70) ? null : world.address("authority", index),
  };
};

/** The first holder of each mint is its treasury: it holds most, and is delegated to the busiest delegate. */
const holderOf = (world: World, token: Token, index: number, treasury: boolean): TokenAccountFields => {
  const random = world.random("tokenAccount", index);
  const unit = 10n ** BigInt(Math.min(token.decimals, 3));
  const amount = treasury
    ? BigInt(random.between(1_000_000, 900_000_000)) * 10n ** BigInt(token.decimals) +
      BigInt(random.below(1000))
    : holding(random) * unit;
  const delegated = treasury || random.percent(6);
  const delegate = treasury ? world.address("delegate", 0) : world.someDelegate(random);
  return {
    mint: token.mint,
    tokenOwner: world.someWallet(random),
    amount,
    delegate: delegated ? delegate : null,
    delegatedAmount: delegated ? amount / BigInt(random.between(1, 4)) : 0n,
    frozen: !treasury && token.freezeAuthority !== null && random.percent(1),
    nativeReserve: null,
    closeAuthority: random.percent(2) ? world.someWallet(random) : null,
  };
};

/** One holder in eight is empty; twice as much comes half as often. */
const holding = (random: Random): bigint =>
  random.below(8) === 0 ? 0n : BigInt(random.between(1, 1_000_000)) << BigInt(Math.min(random.heads(), 16));

const holderAccount = (address: Uint8Array, token: Token, fields: TokenAccountFields): Draft => {
  if (token.program === programAddresses.token)
    return draftOf(address, token.program, encodeTokenAccount(fields));
  const extensions: ExtensionEntry[] = [{ name: "immutableOwner", fields: {} }];
  if (token.flavour === "transferFee")
    extensions.push({ name: "transferFeeAmount", fields: { withheldAmount: fields.amount / 1000n } });
  return draftOf(address, token.program, encodeTokenAccount2022(fields, extensions));
};

function* mintAccounts(world: World, token: Token, supply: bigint, slot: number): Generator<Draft> {
  const fields = {
    mintAuthority: token.authority,
    supply,
    decimals: token.decimals,
    freezeAuthority: token.freezeAuthority,
  };
  const data =
    token.program === programAddresses.token
      ? encodeMint(fields)
      : encodeMint2022(fields, extensionsOf(token, slot));
  yield draftOf(token.mint, token.program, data);
  const standard = { described: 2, undescribedStandard: null, fungibleAsset: 1 } as const;
  if (token.flavour in standard) {
    yield metadataOf(world, token, standard[token.flavour as keyof typeof standard]);
  }
}

const nameOf = (token: Token): { name: string; symbol: string; uri: string } => {
  const word = words[token.index % words.length] ?? words[0];
  const name = token.index < words.length ? word : `${word} ${token.index}`;
  const symbol = name.replace(" ", "").toUpperCase().slice(0, 10);
  return { name, symbol, uri: documentUri(`token ${token.index}`) };
};

const metadataOf = (world: World, token: Token, tokenStandard: number | null): Draft => {
  const data = encodeMetadata(
    {
      updateAuthority: token.authority ?? world.address("authority", token.index),
      mint: token.mint,
      ...nameOf(token),
      basisPoints: 0,
      creators: [],
      primarySaleHappened: false,
      mutable: token.authority !== null,
      editionNonce: world.editionAddress(token.mint).bump,
      tokenStandard,
      collection: null,
      uses: null,
      collectionSize: null,
      programmable: null,
    },
    tokenStandard === null ? 679 : 607,
  );
  return draftOf(world.metadataAddress(token.mint).address, programAddresses.tokenMetadata, data);
};

const extensionsOf = (token: Token, slot: number): readonly ExtensionEntry[] => {
  const { authority, mint } = token;
  switch (token.flavour) {
    case "interestBearing": {
      const initializationTimestamp = timestampOf(slot) - 31_556_736n;
      const lastUpdateTimestamp = initializationTimestamp + 7_889_184n;
      const rates = { preUpdateAverageRate: 150, currentRate: 425 };
      const fields = { rateAuthority: authority, initializationTimestamp, lastUpdateTimestamp, ...rates };
      return [{ name: "interestBearingConfig", fields }];
    }
    case "transferFee": {
      const epoch = epochOf(slot);
      const fields = {
        transferFeeConfigAuthority: authority,
        withdrawWithheldAuthority: authority,
        withheldAmount: 12_345n,
        olderTransferFee: { epoch: epoch - 2, maximumFee: 5_000_000n, transferFeeBasisPoints: 50 },
        newerTransferFee: { epoch, maximumFee: 9_000_000n, transferFeeBasisPoints: 100 },
      };
      return [{ name: "transferFeeConfig", fields }];
    }
    case "metadataExtension": {
      const additional = [["origin", "generated"]] as const;
      return [
        { name: "metadataPointer", fields: { authority, metadataAddress: mint } },
        { name: "tokenMetadata", updateAuthority: authority, mint, texts: nameOf(token), additional },
      ];
    }
    default:
      return [];
  }
};
