import type { Command } from "./command.ts";

/**
 * Every command, loaded when it is called, so that one does not wait for what only another needs.
 * Sorted as `lamplight --help` shows them.
 */
export const commandLoaders: Readonly<Record<string, () => Promise<Command>>> = {
  backup: async () => (await import("./commands/backup.ts")).backupCommand,
  call: async () => (await import("./commands/call.ts")).callCommand,
  copy: async () => (await import("./commands/copy.ts")).copyCommand,
  "coverage add": async () => (await import("./commands/coverage-add.ts")).coverageAddCommand,
  "coverage drop": async () => (await import("./commands/coverage-drop.ts")).coverageDropCommand,
  "coverage show": async () => (await import("./commands/coverage-show.ts")).coverageShowCommand,
  demo: async () => (await import("./commands/demo.ts")).demoCommand,
  derive: async () => (await import("./commands/derive.ts")).deriveCommand,
  dev: async () => (await import("./commands/dev.ts")).devCommand,
  diff: async () => (await import("./commands/diff.ts")).diffCommand,
  explain: async () => (await import("./commands/explain.ts")).explainCommand,
  "fetch documents": async () => (await import("./commands/fetch-documents.ts")).fetchDocumentsCommand,
  "follow rpc": async () => (await import("./commands/follow-rpc.ts")).followRpcCommand,
  "follow yellowstone": async () =>
    (await import("./commands/follow-yellowstone.ts")).followYellowstoneCommand,
  "index add": async () => (await import("./commands/index-add.ts")).indexAddCommand,
  "keys create": async () => (await import("./commands/keys-create.ts")).keysCreateCommand,
  "keys disable": async () => (await import("./commands/keys-disable.ts")).keysDisableCommand,
  "keys limit": async () => (await import("./commands/keys-limit.ts")).keysLimitCommand,
  "keys list": async () => (await import("./commands/keys-list.ts")).keysListCommand,
  "keys rotate": async () => (await import("./commands/keys-rotate.ts")).keysRotateCommand,
  "keys show": async () => (await import("./commands/keys-show.ts")).keysShowCommand,
  "keys usage": async () => (await import("./commands/keys-usage.ts")).keysUsageCommand,
  "load accounts": async () => (await import("./commands/load-accounts.ts")).loadAccountsCommand,
  "load snapshot": async () => (await import("./commands/load-snapshot.ts")).loadSnapshotCommand,
  "load transactions": async () => (await import("./commands/load-transactions.ts")).loadTransactionsCommand,
  migrate: async () => (await import("./commands/migrate.ts")).migrateCommand,
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  verify: async () => (await import("./commands/verify.ts")).verifyCommand,
  wait: async () => (await import("./commands/wait.ts")).waitCommand,
};
