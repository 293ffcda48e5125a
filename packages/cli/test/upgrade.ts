// Tests the output that an operator sees during an upgrade whose stores differ from those of this version.
import type { ChildProcess } from "node:child_process";
import { ROWS_FORMAT } from "@lamplight/core";
import { demoAddresses } from "@lamplight/devchain";
import { expect } from "vitest";
import { runCommand, startCommand } from "./run-command.ts";
import { postCall, servingUrl } from "./serving.ts";

export interface UpgradedStore {
  /** As `--store` takes it; holds the sample chain. */
  readonly url: string;
  /** Executes SQL in the store, past Lamplight. */
  execute(sql: string): Promise<readonly object[]>;
  /** SQL by which a later version raises the number of the schema. */
  readonly raiseSchema: string;
}

const startNode = (store: string): { readonly child: ChildProcess; readonly url: Promise<string> } => {
  const child = startCommand(["serve", "--port", "0", "--key", "k", "--store", store]);
  return { child, url: servingUrl(child) };
};

const calls: readonly (readonly [string, unknown])[] = [
  ["getAccountInfo", [demoAddresses.mint]],
  ["getAsset", { id: demoAddresses.nft }],
  ["searchAssets", { ownerAddress: demoAddresses.wallet }],
];

const answers = async (node: string): Promise<readonly string[]> =>
  Promise.all(
    calls.map(async ([method, params]) => {
      const response = await postCall(`${node}/v3/k`, method, params);
      const text = await response.text();
      expect([response.status, text]).toEqual([200, expect.stringContaining('"result":')]);
      return text;
    }),
  );

const expectRefusal = async (args: readonly string[], sentence: string): Promise<void> => {
  const { exitCode, stderr } = await runCommand(args);
  expect([args[0], exitCode, stderr]).toEqual([args[0], 1, expect.stringContaining(sentence)]);
};

/** Every command of this version refuses a store of another format, and changes nothing in it. */
export const expectOtherFormatsRefused = async ({ url, execute }: UpgradedStore): Promise<void> => {
  const setFormat = (format: number): Promise<unknown> =>
    execute(`UPDATE meta SET value = '${format}' WHERE key = 'rows_format'`);
  const rows = (): Promise<readonly object[]> => execute("SELECT key, value FROM meta ORDER BY key");
  for (const [format, sentence] of [
    [ROWS_FORMAT - 1, `uses format ${ROWS_FORMAT}: load again, into a new file or an empty schema`],
    [ROWS_FORMAT + 1, `uses format ${ROWS_FORMAT}: use a newer Lamplight, or load again`],
  ] as const) {
    await setFormat(format);
    const before = await rows();
    await expectRefusal(["migrate", "--store", url], sentence);
    await expectRefusal(["serve", "--port", "0", "--key", "k", "--store", url], sentence);
    await expectRefusal(["verify", "--store", url], sentence);
    expect(await rows()).toEqual(before);
  }
  await setFormat(ROWS_FORMAT);
};

/** A node of this version goes on answering while a later version adds to the schema; a new one does not start. */
export const expectNodeServesThroughSchemaStep = async (store: UpgradedStore): Promise<void> => {
  const { child, url } = startNode(store.url);
  try {
    const node = await url;
    const before = await answers(node);
    await store.execute("ALTER TABLE asset ADD COLUMN of_a_later_version INTEGER");
    await store.execute(store.raiseSchema);
    expect(await answers(node)).toEqual(before);
    const tooNew = "use a newer Lamplight, or load again into a new store";
    await expectRefusal(["serve", "--port", "0", "--key", "k", "--store", store.url], tooNew);
    await expectRefusal(["migrate", "--store", store.url], tooNew);
    expect(await answers(node)).toEqual(before);
  } finally {
    child.kill("SIGKILL");
  }
};
