import { encodeAddress } from "@lamplight/codecs";
import type { AddressBytes, HolderIndex, IndexStore } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { beginNodes, fillHolders, fillNodes, listsTrees, type NodesStore } from "@lamplight/indexer";
import { nameOfStore, runStoppable } from "@lamplight/runtime";
import { exitCodes, parseWords, printError } from "@lamplight/server/command";
import type { Command } from "../command.ts";
import { type CommandOutput, createOutput, jsonOption, jsonUsage } from "../output.ts";
import { openIdleStore, storeUrlOf } from "../store-flag.ts";

/** Accounts that are read between two lines of progress. */
const ACCOUNTS_PER_NOTE = 1_000_000;

const usage = `das --store URL [--no-fill] [--json]

  das      what the DAS methods need in addition: nodes of the trees of compressed assets, for proofs, and the token
           accounts of each mint, for getTokenAccounts without a wallet
  --store  store that keeps both from now on, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE, or
           LAMPLIGHT_STORE
  --no-fill  leave the nodes of changes that were there before to the process that follows the store: it makes them next to
           its slots. The token accounts are read in any case
  --json   ${jsonUsage}

The store then keeps the nodes that every change of a tree reports, and the balance of every token account by mint. Those that
were there before are made from the leaves and accounts in the store. Servers go on answering in the meantime. A process that
writes the store must be stopped for it: this command is refused while one runs. Ctrl-C stops the command; the next run goes on
with the tree that it was at, and begins again with the token accounts. Run it again when missing changes of a tree have come:
nodes that were made without them do not give its root. lamplight verify names such a tree.

Example:
  lamplight index add das --store sqlite:chain.db`;

export const indexAddCommand: Command = {
  name: "index add",
  summary: "make a store keep what the DAS methods need in addition",
  usage,
  run: (args) => {
    const { json, ...asked } = readFlags(args);
    const output = createOutput(json);
    return runStoppable({
      run: (signal) => addIndex(asked, signal, output),
      onStopped: () => printError("stopped; the next run goes on from here"),
    });
  },
};

interface Asked {
  readonly url: string;
  /** Whether nodes of earlier changes are made now. */
  readonly fills: boolean;
}

const addIndex = async (
  { url, fills }: Asked,
  signal: AbortSignal,
  output: CommandOutput,
): Promise<number> => {
  const name = nameOfStore(url);
  const store = await openIdleStore(url, "stop it, run this command, and start it again");
  try {
    const { holders } = store;
    if (!listsTrees(store) || holders === undefined)
      throw usageError(`${name} cannot keep what the DAS methods need in addition`);
    // First, because a run after complete nodes makes all of them again.
    const tokenAccounts = await addHolders(store, holders, signal, output);
    signal.throwIfAborted();
    await beginNodes(store);
    const filled = fills ? await addNodes(store, signal, output) : null;
    output.result({ event: "indexed", store: name, index: "das", ...filled, tokenAccounts }, [
      filled === null
        ? `${name} keeps nodes for proofs; those of earlier changes are filled by the process that follows it`
        : `${name} keeps nodes for proofs; ${filled.trees} trees with ${filled.leaves} leaves were filled`,
      tokenAccounts === null
        ? `${name} keeps the token accounts of each mint, and did before`
        : `${name} keeps the token accounts of each mint; ${tokenAccounts} were there`,
    ]);
    return exitCodes.done;
  } finally {
    await store.close();
  }
};

const addNodes = async (
  store: NodesStore & Pick<IndexStore, "commit">,
  signal: AbortSignal,
  output: CommandOutput,
): Promise<{ readonly trees: number; readonly leaves: number }> => {
  const onTree = (tree: AddressBytes, read: number): void =>
    output.note(`tree ${encodeAddress(tree)}: ${read} leaves so far`);
  const filled = await fillNodes(store, { signal, onTree });
  signal.throwIfAborted();
  return filled;
};

/** Null where the store keeps them already. */
const addHolders = async (
  store: IndexStore,
  holders: HolderIndex,
  signal: AbortSignal,
  output: CommandOutput,
): Promise<number | null> => {
  let noted = 0;
  const onPage = (accounts: number, tokenAccounts: number): void => {
    if (accounts < noted + ACCOUNTS_PER_NOTE) return;
    noted = accounts;
    output.note(`token accounts: ${tokenAccounts} among ${accounts} accounts so far`);
  };
  return fillHolders(store, holders, { signal, onPage });
};

/** @throws LamplightError `CLI__USAGE` */
const readFlags = (args: readonly string[]) => {
  const { values, positionals } = parseWords(args, {
    store: { type: "string" },
    "no-fill": { type: "boolean" },
    ...jsonOption,
  });
  const [index, ...more] = positionals;
  if (index !== "das" || more.length > 0)
    throw usageError(`name the index to add: ${index === undefined ? "" : "there is only "}das`);
  return { url: storeUrlOf(values), json: values.json, fills: values["no-fill"] !== true };
};
