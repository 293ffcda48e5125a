import { decodeMint, decodeTokenAccount, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { type AccountClaim, type AccountRule, claim } from "../../rules/rules.ts";

/** Both token programs: a mint is an asset; a token account with exactly one unit may name the owner of one. */
export const tokenRule: AccountRule = {
  name: "token",
  programs: [programAddresses.token, programAddresses.token2022],
  claim: (account) => claimMint(account) ?? claimHolder(account),
};

const claimMint = ({ address, data }: Account): AccountClaim | null => {
  const mint = decodeMint(data);
  if (mint === null) return null;
  // Holders are only asked for where one of them can be the owner: a fungible token has millions.
  const single = mint.decimals === 0 && mint.supply <= 1n;
  return claim({ assets: [address], roles: single ? ["holder"] : [], outlives: true });
};

const claimHolder = ({ data }: Account): AccountClaim | null => {
  const tokenAccount = decodeTokenAccount(data);
  if (tokenAccount === null || tokenAccount.amount !== 1n) return null;
  const { mint } = tokenAccount;
  return claim({ assets: [mint], isRecord: false, links: [{ role: "holder", target: mint }] });
};
