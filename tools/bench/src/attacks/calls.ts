import type { Figure } from "../bench.ts";
import { callText } from "../harness/calls.ts";
import { textOf } from "../turns/hostile-store.ts";
import { type Attack, type AttackSizes, MIB } from "./attack.ts";
import { type AttackedServer, type Posted, postCall, startAttacked } from "./attack-process.ts";

export const withServer = async (
  sizes: AttackSizes,
  run: (server: AttackedServer) => Promise<readonly Figure[]>,
  limits: object = {},
): Promise<readonly Figure[]> => {
  const server = await startAttacked(sizes, limits);
  try {
    await postCall(server, callText("getAsset", { id: textOf("asset") }));
    // Forgets what the start has used.
    await server.spent();
    return await run(server);
  } finally {
    server.stop();
  }
};

const errorCode = ({ text }: Posted): number =>
  (JSON.parse(text) as { error?: { code: number } }).error?.code ?? 0;

/** C3: a small search whose answer would be hundreds of megabytes. */
export const largeDocuments: Attack = {
  name: "C3 search over documents of 2 MB",
  run: (sizes) =>
    withServer(sizes, async (server) => {
      const { name } = largeDocuments;
      const before = await server.spent();
      const search = (limit: number): Promise<Posted> =>
        postCall(server, callText("searchAssets", { ownerAddress: textOf("large"), limit }));
      const refused = await search(1000);
      if (errorCode(refused) !== -32066) throw new Error(refused.text.slice(0, 200));
      const answer = await search(50);
      if (errorCode(answer) !== 0) throw new Error(answer.text.slice(0, 200));
      const { peakBytes, holdMs } = await server.spent();
      const grown = peakBytes - before.peakBytes;
      return [
        { name: `${name}: answer`, value: answer.text.length / MIB, unit: "MiB", budget: { atMost: 32 } },
        { name: `${name}: memory`, value: grown / MIB, unit: "MiB", budget: { atMost: 256 } },
        { name: `${name}: event loop held`, value: holdMs, unit: "ms", budget: { atMost: 250 } },
      ];
    }),
};

const wrongBodies: readonly (readonly [name: string, body: (bytes: number) => string])[] = [
  [
    "a grouping of ones",
    (bytes) => callText("searchAssets", { grouping: Array.from({ length: bytes / 2 }, () => 1) }),
  ],
  [
    "accountDetails of many members",
    (bytes) =>
      callText("getTokenAccountsByDelegate", {
        address: textOf("delegate"),
        accountDetails: Object.fromEntries(Array.from({ length: bytes / 12 }, (_, at) => [`m${at}`, 1])),
      }),
  ],
  ["unknown names", (bytes) => callText("searchAssets", { ["x".repeat(bytes)]: 1 })],
  [
    "a batch of wrong calls",
    (bytes) =>
      `[${Array.from({ length: 100 }, () => callText("searchAssets", { grouping: Array.from({ length: bytes / 300 }, () => 1) })).join(",")}]`,
  ],
];

/** H5: bodies of the largest size whose parameters are wrong, over parsing them. */
export const wrongParameters: Attack = {
  name: "H5 wrong parameters",
  run: (sizes) =>
    withServer(sizes, async (server) => {
      const figures: Figure[] = [];
      for (const [name, bodyOf] of wrongBodies) {
        const body = bodyOf(200_000);
        const runs = Math.max(3, Math.round(30 * sizes.share));
        for (let run = 0; run < 3; run++) await postCall(server, body);
        const before = await server.spent();
        for (let run = 0; run < runs; run++) {
          const answer = await postCall(server, body);
          const code = answer.text.startsWith("[") ? -32602 : errorCode(answer);
          if (code !== -32602) throw new Error(`${name}: ${answer.text.slice(0, 200)}`);
        }
        const { usedMs } = await server.spent();
        const perMb = ((usedMs - before.usedMs) / runs / body.length) * 1e6;
        figures.push({ name: `H5 ${name}`, value: perMb, unit: "ms/MB", budget: { atMost: 100 } });
      }
      return figures;
    }),
};

/** Medium: a small batch whose answer would be a hundred copies of the contract. */
export const manyContracts: Attack = {
  name: "rpc.discover × 100",
  run: (sizes) =>
    withServer(sizes, async (server) => {
      const batch = `[${Array.from({ length: 100 }, (_, id) => callText("rpc.discover", [], id)).join(",")}]`;
      const { text } = await postCall(server, batch);
      return [
        {
          name: "rpc.discover × 100: answer",
          value: text.length / MIB,
          unit: "MiB",
          budget: { atMost: 0.5 },
        },
      ];
    }),
};
