import { encodeAddress } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { beginNodes, fillNodes, listsTrees } from "@lamplight/indexer";
import { nameOfStore, runStoppable } from "@lamplight/runtime";
import { exitCodes, parseWords, printError } from "@lamplight/server/command";
import type { Command } from "../command.ts";
import { type CommandOutput, createOutput, jsonOption, jsonUsage } from "../output.ts";
import { openIdleStore, storeUrlOf } from "../store-flag.ts";

const usage = `das --store URL [--no-fill] [--json]

  das      what the DAS methods need in addition: nodes of the trees of compressed assets, for proofs
  --store  store that keeps them from now on, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE, or
           LAMPLIGHT_STORE
  --no-fill  leave the nodes of changes that were there before to the process that follows the store: it makes them next to
           its slots
  --json   ${jsonUsage}

The store then keeps the nodes that every change of a tree reports. Nodes of changes that were there before are made from the leaves
in the store. Servers go on answering meanwhile. A process that writes the store must be stopped for it: this command is refused
while one runs. With --no-fill it takes a moment. Ctrl-C stops the command; the next run, or a process that follows the store, goes on with the tree that it was at. Run it again when missing changes of
a tree have come: nodes that were made without them do not give its root. lamplight verify names such a tree.

Example:
  lamplight index add das --store sqlite:chain.db`;

export const indexAddCommand: Command = {
  name: "index add",
  summary: "make a store keep what proofs of compressed assets need",
  usage,
  run: (args) => {
    const { url, json, fills } = readFlags(args);
    const output = createOutput(json);
    return runStoppable({
      run: (signal) => addNodes({ url, fills }, signal, output),
      onStopped: () => printError("stopped; the next run goes on from here"),
    });
  },
};

const addNodes = async (
  { url, fills }: { readonly url: string; readonly fills: boolean },
  signal: AbortSignal,
  output: CommandOutput,
): Promise<number> => {
  const store = await openIdleStore(url, "stop it, run this command, and start it again");
  try {
    if (!listsTrees(store)) throw usageError(`${nameOfStore(url)} cannot keep nodes of trees`);
    await beginNodes(store);
    if (!fills) {
      output.result({ event: "marked", store: nameOfStore(url), index: "das" }, [
        `${nameOfStore(url)} keeps nodes for proofs; those of earlier changes are filled by the process that follows it`,
      ]);
      return exitCodes.done;
    }
    const onTree = (tree: AddressBytes, read: number): void =>
      output.note(`tree ${encodeAddress(tree)}: ${read} leaves so far`);
    const { trees, leaves } = await fillNodes(store, { signal, onTree });
    signal.throwIfAborted();
    output.result({ event: "indexed", store: nameOfStore(url), index: "das", trees, leaves }, [
      `${nameOfStore(url)} keeps nodes for proofs; ${trees} trees with ${leaves} leaves were filled`,
    ]);
    return exitCodes.done;
  } finally {
    await store.close();
  }
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
