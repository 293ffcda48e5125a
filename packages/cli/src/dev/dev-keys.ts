import { spawn } from "node:child_process";

/** The action of a key, by the character that a terminal sends. */
export interface DevKey {
  readonly key: string;
  readonly what: string;
  readonly run: () => void;
}

const interrupt = "\u0003";

/**
 * Listens to single keys where stdin is a terminal; elsewhere it does nothing. `release` gives the terminal back.
 */
export const listenForKeys = (
  keys: readonly DevKey[],
  say: (line: string) => void,
): { readonly isListening: boolean; readonly release: () => void } => {
  const { stdin } = process;
  if (stdin.isTTY !== true || process.stdout.isTTY !== true) return { isListening: false, release: () => {} };
  const onData = (data: Buffer): void => {
    for (const character of data.toString("utf8")) {
      // In raw mode, the terminal sends no signal.
      if (character === interrupt || character === "q") process.kill(process.pid, "SIGINT");
      else if (character === "h") for (const line of helpLines(keys)) say(line);
      else keys.find(({ key }) => key === character)?.run();
    }
  };
  stdin.setRawMode(true);
  stdin.on("data", onData).resume();
  return {
    isListening: true,
    release: () => {
      stdin.off("data", onData).pause();
      stdin.setRawMode(false);
    },
  };
};

const helpLines = (keys: readonly DevKey[]): readonly string[] => [
  "",
  ...keys.map(({ key, what }) => `  ${key}  ${what}`),
  "  q  stop",
  "",
];

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens a page in the browser of the user. */
export const openPage = (url: string, say: (line: string) => void): void => {
  const [command = "xdg-open", ...args] = openers[process.platform] ?? [];
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => say(`  no browser could be started; open ${url}`)).unref();
};
