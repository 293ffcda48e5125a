/** The columns of Cloudbreak's `accounts` that are filled, as its migrations leave them. The others fill themselves. */
export const cloudbreakAccounts = {
  pubkey: "bytea NOT NULL",
  owner: "bytea NOT NULL",
  lamports: "bigint NOT NULL",
  slot: "bigint NOT NULL",
  executable: "boolean NOT NULL",
  rent_epoch: "numeric(20, 0) NOT NULL",
  data: "bytea NOT NULL",
  write_version: "bigint NOT NULL",
} as const;
