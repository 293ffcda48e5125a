import { methodNames } from "@lamplight/core";
import { printableJson, usageError } from "@lamplight/errors";
import { exitCodes, parseWords, printError, printJson } from "@lamplight/server/command";
import type { Command } from "../command.ts";
import { exactJson, type Refusal } from "@lamplight/sources/endpoint";
import { prettyJson } from "../endpoint/pretty-json.ts";
import { endpointOptions, endpointUsage, openEndpoint } from "../endpoint/open-endpoint.ts";
import { readParams } from "../endpoint/read-params.ts";
import { createOutput, jsonOption } from "../output.ts";

const usage = `METHOD [ARGUMENT]… [--url URL | --store URL [--methods das]] [--profile WORD] [--json]

  METHOD     any method of the endpoint, such as ${methodNames.slice(0, 3).join(", ")}
  ARGUMENT   positions in their order, then name=value; or one JSON object of names. A value is JSON or plain text;
             null leaves a position out, and config.encoding=base64 sets a member of config
${endpointUsage}
  --methods  das: the DAS methods of a store. Those of a server have the address …/das/KEY
  --json     the result on one line of stdout, as it was sent; a refusal as JSON on stderr

Prints the result on stdout, and the slot of the answer on stderr. A refused call exits with 1. Numbers keep all digits.

Examples:
  lamplight call getAsset 2fPDXLJCi8k1dN47Lpw3YCijPWX5pGcBpiF3ZgkvJWbz
  lamplight call searchAssets interface=V1_NFT burnt=false limit=2 --json
  lamplight call getLargestAccounts '{"filter":"circulating"}' --store sqlite:index.db`;

export const callCommand: Command = {
  name: "call",
  summary: "call a method of a server or over a store",
  usage,
  run: async (args) => {
    const { values, positionals } = parseWords(args, {
      ...endpointOptions,
      methods: { type: "string" },
      ...jsonOption,
    });
    const [method, ...words] = positionals;
    if (method === undefined) throw usageError("the method is missing; see lamplight call --help");
    if (values.methods !== undefined && values.store === undefined)
      throw usageError("--methods needs --store: a server has the DAS methods at its address …/das/KEY");
    const params = readParams(method, words);
    const isJson = values.json === true;
    const output = createOutput(isJson);
    const endpoint = await openEndpoint(values);
    try {
      const { outcome, slot, notes } = await endpoint.call(method, params);
      const about = [...(slot === null ? [] : [`slot ${slot}`]), ...notes];
      if (about.length > 0) output.note(about.join(", "));
      if (outcome.ok) {
        printJson(isJson ? exactJson(outcome.result) : prettyJson(outcome.result));
        return exitCodes.done;
      }
      printError(isJson ? printableJson(exactJson({ error: outcome.error })) : refusalText(outcome.error));
      return exitCodes.failed;
    } finally {
      await endpoint.close();
    }
  },
};

const refusalText = ({ code, message, data }: Refusal): string =>
  `lamplight: ${message} (${code})${data === undefined ? "" : ` ${exactJson(data)}`}`;
