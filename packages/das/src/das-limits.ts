/** Token accounts of a wallet that `getTokenAccounts` lists; a call for a wallet with more is refused unless it names a mint. */
export const WALLET_ACCOUNTS_MAX = 16_384;
