import { type Commitment, commitments } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { nameOfStore } from "@lamplight/runtime";
import { exitCodes, parseWords, print, printJson } from "@lamplight/server/command";
import type { Command } from "../command.ts";
import { exactJson } from "@lamplight/sources/endpoint";
import { readMethods, readProfile } from "../endpoint/open-endpoint.ts";
import { readParams } from "../endpoint/read-params.ts";
import { StoreViews } from "../endpoint/store-views.ts";
import { type ExplainedCall, explainCall } from "../explain/explain-call.ts";
import { explainText } from "../explain/explain-text.ts";
import { createOutput, jsonOption } from "../output.ts";

const usage = `METHOD [ARGUMENT]… --store URL [--commitment LEVEL] [--profile WORD] [--methods das] [--json]

  METHOD, ARGUMENT  as lamplight call takes them
  --store       store to ask, as sqlite:FILE or postgres://…. It is not changed, and may be written and served
  --commitment  processed, confirmed or finalized, for methods that have no such parameter (confirmed)
  --profile     spec, or agave: the answers that Solana clients get (spec)
  --methods     das: the DAS methods
  --json        one JSON object on stdout

Prints what the call reads from the store, in order: what was asked, and what was found at which slot. Then prints the
statements that a server sends to PostgreSQL for such a call, alone in its request, and the answer.
For getAsset, the asset is then derived again, as lamplight verify does: from which accounts, by which rule, and which part of
the document each of them makes. The end says where the stored asset differs. Rules and kinds of assets are named as in
packages/indexer/src/programs/rule-book.ts.

A PostgreSQL store includes the slots above the finalized one that its writer publishes. A file contains finalized slots only.
Exit code 0: answered, and stored as derived. 1: the call was refused, or the stored asset differs.

Examples:
  lamplight explain getAsset 2fPDXLJCi8k1dN47Lpw3YCijPWX5pGcBpiF3ZgkvJWbz --store sqlite:index.db
  lamplight explain searchAssets interface=V1_NFT limit=2 --store sqlite:index.db --json`;

export const explainCommand: Command = {
  name: "explain",
  summary: "show what a call reads, and how an asset is derived",
  usage,
  run: async (args) => {
    const { store, methods, method, params, profile, assetCommitment, isJson } = readFlags(args);
    const output = createOutput(isJson);
    const views = await StoreViews.open(store, methods);
    try {
      const explained = await explainCall({ views, profile, assetCommitment }, method, params);
      const isFinalizedOnly = views.reader.unfinalized === null;
      const notes = [
        ...explained.notes,
        ...(isFinalizedOnly && explained.at !== null ? [finalizedOnly] : []),
      ];
      if (notes.length > 0) output.note(notes.join("; "));
      if (isJson)
        printJson(exactJson({ event: "explained", store: nameOfStore(store), method, ...explained }));
      else print(explainText(method, explained).join("\n"));
      return isAsDerived(explained) ? exitCodes.done : exitCodes.failed;
    } finally {
      await views.close();
    }
  },
};

const finalizedOnly =
  "a file has finalized slots only; slots above them are in the memory of the server that follows the chain";

const isAsDerived = ({ outcome, derivation }: ExplainedCall): boolean =>
  outcome.ok && (derivation === null || derivation.differences.length === 0);

const flags = {
  store: { type: "string" },
  commitment: { type: "string" },
  profile: { type: "string" },
  methods: { type: "string" },
  ...jsonOption,
} as const;

const readFlags = (args: readonly string[]) => {
  const { values, positionals } = parseWords(args, flags);
  const [method, ...words] = positionals;
  if (method === undefined) throw usageError("the method is missing; see lamplight explain --help");
  const { store } = values;
  if (store === undefined) throw usageError("--store is missing");
  return {
    store,
    methods: readMethods(values.methods),
    method,
    params: readParams(method, words),
    profile: readProfile(values.profile),
    assetCommitment: readCommitment(values.commitment),
    isJson: values.json === true,
  };
};

const readCommitment = (word = "confirmed"): Commitment => {
  const known = commitments.find((commitment) => commitment === word);
  if (known === undefined) throw usageError(`--commitment must be ${commitments.join(", ")}`);
  return known;
};
