import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programAddressTexts } from "@lamplight/codecs";
import { Random } from "@lamplight/devchain";
import { LamplightError } from "@lamplight/errors";
import type { AnswerPair } from "../decided.ts";
import { httpEndpoint } from "../endpoints.ts";
import { compareAtRest, requestsAbout } from "./compare-at-rest.ts";
import { serveByRpc } from "./followers.ts";

export interface UrlRun {
  readonly url: string;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** Vote accounts change with every slot: anyone who follows by RPC may show an earlier one. */
const sampled = [
  "system",
  "token",
  "token2022",
  "stake",
  "addressLookupTable",
  "upgradeableLoader",
  "config",
] as const;
const ACCOUNTS_OF_PROGRAM = 200;

/**
 * Follows everything that a running node has, and compares accounts chosen at random, each at a slot that both
 * answer for.
 */
export const runAgainstUrl = async ({
  url,
  seed,
  say,
}: UrlRun): Promise<{ readonly asked: number; readonly wrong: readonly AnswerPair[] }> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-node-"));
  const random = new Random(seed, 6, 0);
  const addresses: string[] = [];
  for (const name of sampled) {
    const listed = await listAccounts(url, programAddressTexts[name]);
    const step = Math.max(1, Math.floor(listed.length / ACCOUNTS_OF_PROGRAM));
    const from = random.below(step);
    addresses.push(...listed.toSorted().filter((_, index) => index % step === from));
  }
  say(`${addresses.length} accounts chosen`);
  const follower = await serveByRpc(url, folder);
  try {
    const requests = requestsAbout(addresses, "confirmed");
    const wrong = await compareAtRest(requests, httpEndpoint("node", url), follower.endpoint);
    return { asked: requests.length, wrong };
  } finally {
    await follower.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const listAccounts = async (url: string, program: string): Promise<readonly string[]> => {
  const dataSlice = { offset: 0, length: 0 };
  const params = [program, { encoding: "base64", dataSlice, commitment: "confirmed" }];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getProgramAccounts", params });
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const answer = (await response.json()) as {
    readonly result?: readonly { readonly pubkey: string }[];
    readonly error?: { readonly message: string };
  };
  if (answer.result === undefined)
    throw new LamplightError("SOURCE__REFUSED", {
      url,
      reason: `it does not list ${program}: ${answer.error?.message ?? ""}`,
    });
  return answer.result.map(({ pubkey }) => pubkey);
};
