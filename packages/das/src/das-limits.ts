/** Token accounts of a wallet that `getTokenAccounts` lists; a call for a wallet with more is refused unless it names a mint. */
export const WALLET_ACCOUNTS_MAX = 16_384;
/** Token accounts of a mint before the `page` of a call; a page behind more is refused. Cursors reach each page. */
export const HOLDERS_SKIPPED_MAX = 100_000;
