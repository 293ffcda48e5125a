import {
  decodeMint,
  findExtension,
  type InterestBearingConfig,
  type Mint,
  type ScaledUiAmountConfig,
} from "@lamplight/codecs";

/** The facts of a mint that token amounts depend on. */
export interface MintView {
  /** 0 to 255. */
  readonly decimals: number;
  readonly interestBearing: InterestBearingConfig | null;
  readonly scaled: ScaledUiAmountConfig | null;
}

/** The view of a mint account's data; null when the data is no mint. The owner of the account does not matter. */
export const mintViewOf = (mintAccountData: Uint8Array): MintView | null => {
  const mint = decodeMint(mintAccountData);
  return mint === null ? null : viewOfMint(mint);
};

/** The view of a mint that is decoded already. */
const viewOfMint = (mint: Mint): MintView => ({
  decimals: mint.decimals,
  interestBearing: findExtension(mint.extensions, "interestBearingConfig", "mint"),
  scaled: findExtension(mint.extensions, "scaledUiAmountConfig", "mint"),
});

/** Whether amounts of the mint change with the clock. */
export const isTimed = ({ interestBearing, scaled }: MintView): boolean =>
  interestBearing !== null || scaled !== null;

/** Wrapped lamports: a search by delegate takes their decimals as known and does not read the mint. */
export const nativeMintView: MintView = { decimals: 9, interestBearing: null, scaled: null };
