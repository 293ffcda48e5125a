import { styleText } from "node:util";
import { printable } from "@lamplight/errors";
import { apiVersion, type FurtherContract } from "@lamplight/server/command";

export interface Greeting {
  /** Base of the server. */
  readonly url: string;
  readonly key: string;
  /** Contracts that are served besides the main one. */
  readonly methods: readonly FurtherContract[];
  readonly readyMs: number;
  /** Lines about what is served, one thing a line. */
  readonly about: readonly string[];
  /** A command line that calls the API at this URL, with an answer worth a look. */
  readonly example: (api: string) => string;
  /** Whether single keys are listened to. */
  readonly hasKeys: boolean;
}

/** The text that the terminal shows when the server is ready. Colors only where stdout shows them. */
export const greetingText = ({ url, key, methods, readyMs, about, example, hasKeys }: Greeting): string => {
  const api = `${url}/v3/${key}`;
  const arrow = style("green", "➜");
  return [
    "",
    `  ${style(["bold", "green"], "LAMPLIGHT")} ${style("green", `v${apiVersion}`)}  ready in ${style("bold", String(Math.ceil(readyMs)))} ms`,
    "",
    `  ${arrow}  ${style("bold", "API")}       ${style("cyan", api)}`,
    ...(methods.includes("das")
      ? [`  ${arrow}  ${style("bold", "DAS")}       ${style("cyan", `${url}/das/${key}`)}`]
      : []),
    `  ${arrow}  ${style("bold", "Explorer")}  ${style("cyan", `${url}/explore/`)}`,
    `  ${arrow}  ${style("bold", "Docs")}      ${style("cyan", `${url}/`)}`,
    `  ${arrow}  ${style("bold", "Try")}       ${example(api)}`,
    "",
    ...about.map((line) => `  ${printable(line)}`),
    ...(hasKeys
      ? [`  ${style("dim", "Press o to open the docs, h for help, q to stop.")}`]
      : ["  Ctrl-C stops it."]),
    "",
  ].join("\n");
};

/** The command line of `lamplight call` with these arguments, for `DevChain.example`. */
export const callLine =
  (args: string) =>
  (api: string): string =>
    `npx lamplight call ${args}${api === usualApi ? "" : ` --url ${api}`}`;

/** The default address of `lamplight call`. */
const usualApi = "http://127.0.0.1:5267/v3/demo";

const style = (format: Parameters<typeof styleText>[0], text: string): string =>
  styleText(format, text, { stream: process.stdout });
