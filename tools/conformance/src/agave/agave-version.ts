import type { Endpoint } from "./endpoints.ts";
import { callText } from "./requests/request.ts";

/** A line of releases, such as 4.4. Answers do not change within one. */
export interface AgaveLine {
  readonly major: number;
  readonly minor: number;
}

/** Lines that every answer is compared with, oldest first; `README.md` says how to build each. */
export const comparedLines: readonly AgaveLine[] = [
  { major: 4, minor: 1 },
  { major: 4, minor: 4 },
];

export interface AgaveVersion extends AgaveLine {
  /** As the validator reports it, such as `4.4.0`. */
  readonly text: string;
  /** Whether the chain's consensus is Alpenglow. Validators before 4.2 cannot say, and do not have it. */
  readonly isAlpenglow: boolean;
}

/** @throws Error where the node reports no version that can be read */
export const readVersion = async (node: Endpoint): Promise<AgaveVersion> => {
  const answer = await node.ask(callText("getVersion", []));
  const found = /"solana-core":"((\d+)\.(\d+)\.[^"]*)"/u.exec(answer);
  if (found === null) throw new Error(`${node.name} reports no version: ${answer.slice(0, 500)}`);
  const [, text = "", major, minor] = found;
  const certificate = await node.ask(callText("getAgGenesisCert", []));
  return {
    text,
    major: Number(major),
    minor: Number(minor),
    isAlpenglow: certificate.includes('"result":{'),
  };
};

export const isBefore = (a: AgaveLine, b: AgaveLine): boolean =>
  a.major === b.major ? a.minor < b.minor : a.major < b.major;

/** A validator of another line is compared all the same: what it answers otherwise than these is reported as wrong. */
export const isCompared = (version: AgaveLine): boolean =>
  comparedLines.some(({ major, minor }) => major === version.major && minor === version.minor);
