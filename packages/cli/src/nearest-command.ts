import { nearestName } from "@lamplight/core";

/** Words of other tools, with our commands for the same task. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  audit: ["verify"],
  check: ["verify"],
  doctor: ["verify"],
  fsck: ["verify"],
  validate: ["verify"],
  health: ["wait"],
  info: ["wait"],
  ping: ["wait"],
  ready: ["wait"],
  status: ["wait"],
  create: ["migrate"],
  init: ["migrate"],
  update: ["migrate"],
  upgrade: ["migrate"],
  listen: ["serve"],
  run: ["serve", "dev"],
  server: ["serve", "dev"],
  start: ["serve", "demo", "dev"],
  up: ["serve", "demo", "dev"],
  example: ["demo"],
  play: ["dev"],
  sandbox: ["dev"],
  test: ["dev"],
  dump: ["backup", "copy"],
  export: ["backup", "copy"],
  move: ["copy"],
  save: ["backup"],
  compare: ["diff"],
  debug: ["explain"],
  inspect: ["explain"],
  show: ["explain", "call"],
  trace: ["explain"],
  why: ["explain"],
  curl: ["call"],
  get: ["call"],
  query: ["call"],
  request: ["call"],
  rpc: ["call", "follow rpc"],
  import: ["load accounts", "load snapshot"],
  index: ["load snapshot", "follow rpc"],
  ingest: ["follow rpc", "follow yellowstone"],
  stream: ["follow yellowstone"],
  subscribe: ["follow rpc", "follow yellowstone"],
  sync: ["follow rpc", "follow yellowstone"],
  watch: ["follow rpc", "follow yellowstone"],
};

const readinessWords: ReadonlySet<string> = new Set(["health", "info", "ping", "ready", "status"]);

/**
 * The command that the user probably meant, as the end of a sentence; null = no command is near.
 *
 * @param names - of all commands, some of two words
 * @param next - the word after it
 */
export const commandHint = (
  word: string,
  next: string | undefined,
  names: readonly string[],
): string | null => {
  const lower = word.toLowerCase();
  if (Object.hasOwn(synonyms, lower)) {
    const where = readinessWords.has(lower) ? " A server shows its state at /v3/<API_KEY>/readyz" : "";
    return `did you mean ${listOf(synonyms[lower]!)}?${where}`;
  }
  const groups = new Set(names.filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]!));
  const nearest =
    nearestName(word, names) ?? nearestName(`${word} ${next}`, names) ?? nearestName(word, groups);
  return nearest === undefined ? null : `did you mean ${nearest}?`;
};

/** The hint for a word that begins with a dash where a command is expected. */
export const optionHint = (word: string): string => {
  const nearest = nearestName(word.replace(/^-+/u, ""), ["help", "version"]);
  if (nearest === undefined) return "the command comes before its options; see lamplight --help";
  const fault = word.startsWith("--") ? "unknown option" : "options begin with two dashes";
  return `${fault}; did you mean --${nearest}?`;
};

const listOf = (words: readonly string[]): string =>
  words.length === 1 ? words[0]! : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
