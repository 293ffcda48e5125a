// Every hint of a refusal is sent and followed: its message ends with it, `data.hint` repeats it, and what it names works.
import { demoAddresses } from "@lamplight/devchain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foreignNames } from "../../../packages/core/src/params/foreign-names.ts";
import { foreignMethods } from "../../../packages/server/src/rpc/foreign-methods.ts";
import { type DemoServer, dasPath, startDemoServer } from "../../codegen/src/examples/demo-server.ts";

let server: DemoServer;
let tight: DemoServer;
beforeAll(async () => {
  [server, tight] = await Promise.all([startDemoServer(), startDemoServer("tight")]);
});
afterAll(async () => {
  await server.stop();
  await tight.stop();
});

const { collection, delegate, masterEditionMint, mint, nft, nftOwner, tokenAccount, wallet } = demoAddresses;

type Call = readonly [method: string, params: unknown];

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly hint?: string };
}

interface Answer {
  readonly result?: unknown;
  readonly error?: Refusal;
}

const postBody = async (body: unknown, on = server, path = "/v3/"): Promise<unknown> => {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${on.url}${path}demo`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return response.json();
};

const requestOf = ([method, params]: Call, id = 1) => ({ jsonrpc: "2.0", id, method, params });

const send = async (call: Call, on = server): Promise<Answer> =>
  (await postBody(requestOf(call), on)) as Answer;

const refusalOf = async (call: Call): Promise<Refusal> => {
  const { error } = await send(call);
  expect(error, JSON.stringify(call)).toBeDefined();
  return error!;
};

/** Follows a hint: one call, or a batch. */
const expectAnswered = async (calls: readonly Call[]): Promise<void> => {
  const answers = (
    calls.length === 1
      ? [await send(calls[0]!)]
      : await postBody(calls.map((call, id) => requestOf(call, id)))
  ) as readonly Answer[];
  for (const [index, { error }] of answers.entries())
    expect(error, JSON.stringify(calls[index])).toBeUndefined();
};

const getAsset: Call = ["getAsset", { id: nft }];
const getAccount: Call = ["getAccountInfo", [tokenAccount, { encoding: "jsonParsed" }]];
const ofOwner: Call = ["searchAssets", { ownerAddress: nftOwner }];
const ofGroup: Call = ["searchAssets", { grouping: ["collection", collection] }];
const tokens: Call = [
  "searchAssets",
  { ownerAddress: wallet, tokenType: "fungible", options: { showFungible: true } },
];

/** The calls that each hint names. Null: it names nothing here, and sends people elsewhere. */
const followed: { readonly [hint: string]: readonly Call[] | null } = {
  "use searchAssets with ownerAddress": [ofOwner],
  'use searchAssets with grouping: ["collection", "<address>"]': [ofGroup],
  "use searchAssets with creatorAddress": [["searchAssets", { creatorAddress: wallet }]],
  "use searchAssets with authorityAddress": [["searchAssets", { authorityAddress: wallet }]],
  "send a batch: an array of getAsset requests, up to 100": Array.from({ length: 100 }, () => getAsset),
  'use searchAssets with grouping: ["collection", "<address>"] and limit 1; total is the size of the group': [
    ["searchAssets", { grouping: ["collection", collection], limit: 1 }],
  ],
  "this server stores no proofs; read them from an RPC provider with the DAS API": null,
  "this server stores no transactions; read them from an RPC node": null,
  "this server only reads; send transactions to an RPC node": null,
  'use searchAssets with ownerAddress, tokenType: "fungible" and options: {"showFungible": true}': [tokens],
  "use getAccountInfo with encoding jsonParsed; read value.data.parsed.info.tokenAmount": [getAccount],
  "use getAccountInfo; read value.lamports": [getAccount],
  "send a batch: an array of getAccountInfo requests, up to 100": Array.from(
    { length: 100 },
    () => getAccount,
  ),
  "use searchAssets for assets, or getTokenAccountsByDelegate for token accounts": [
    ofOwner,
    ["getTokenAccountsByDelegate", [delegate, { mint }]],
  ],
  "use getLargestAccounts for lamports; the DAS method getTokenAccounts lists the holders of a token, where it is served":
    [["getLargestAccounts", []]],
  "use getTokenSupply for a token; the supply of SOL is not answered": [["getTokenSupply", [mint]]],
  "use the X-Slot header of any answer, or context.slot of an account method": [getAccount],
  "use GET /readyz": null,
  "use rpc.discover; read info.version": [["rpc.discover", []]],
};

describe("a method of other servers", () => {
  test.each([...foreignMethods])("%s: %s", async (method, hint) => {
    const refusal = await refusalOf([method, { id: nft }]);
    expect(refusal).toMatchObject({
      code: -32601,
      message: `Method not found; ${hint}`,
      data: { method, hint },
    });
    expect(Object.keys(followed)).toContain(hint);
    const calls = followed[hint]!;
    if (calls !== null) await expectAnswered(calls);
  });

  test("whose hint names a method of the DAS contract has it there", async () => {
    const body = requestOf(["getTokenAccounts", { mint }]);
    const { result } = (await postBody(body, server, dasPath)) as {
      result: { token_accounts: readonly object[] };
    };
    expect(result.token_accounts.length).toBeGreaterThan(0);
  });

  test("whose hint names a member of an answer has it there", async () => {
    const { result } = (await send(getAccount)) as {
      result: { context: object; value: { lamports: number; data: { parsed: { info: object } } } };
    };
    expect(result.context).toHaveProperty("slot");
    expect(result.value.lamports).toBeGreaterThan(0);
    expect(result.value.data.parsed.info).toHaveProperty("tokenAmount");
    expect((await send(["rpc.discover", []])).result).toHaveProperty("info.version");
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
});

const ofSearch: ReadonlySet<string> = new Set(["showGrandTotal", "showNativeBalance", "showZeroBalance"]);

describe("a parameter or option of other servers", () => {
  test.each([...foreignNames])("%s: %s", async (name, hint) => {
    const calls: readonly Call[] = [
      ["getAsset", { id: nft, [name]: true }],
      ["getAsset", { id: nft, options: { [name]: true } }],
      ...(ofSearch.has(name)
        ? []
        : ([
            ["searchAssets", { ownerAddress: nftOwner, [name]: true }],
            ["searchAssets", { ownerAddress: nftOwner, options: { [name]: true } }],
          ] as const)),
    ];
    for (const call of calls) {
      const { code, message, data } = await refusalOf(call);
      expect(code).toBe(-32602);
      expect(message).toContain(JSON.stringify(name));
      expect(message.endsWith(`; ${hint}`), message).toBe(true);
      expect(data?.hint).toBe(hint);
    }
    await expectAnswered([getAsset]);
    await expectAnswered([ofOwner]);
    if (ofSearch.has(name))
      await expectAnswered([["searchAssets", { ownerAddress: wallet, options: { [name]: true } }]]);
    if (hint in followed) await expectAnswered(followed[hint]!);
    if (hint.includes("getAccountInfo")) await expectAnswered([getAccount]);
  });
});

/** A refused call, its hint, and the call that the hint means. */
const corrected: readonly (readonly [refused: Call, hint: string, meant: Call])[] = [
  [["getAset", [nft]], "did you mean getAsset?", ["getAsset", [nft]]],
  [["searchAssets", { ownerAdress: wallet }], "did you mean ownerAddress?", ofOwner],
  [["searchAssets", { owner: nftOwner }], "did you mean ownerAddress?", ofOwner],
  [["searchAssets", { groupKey: "collection" }], "did you mean grouping?", ofGroup],
  [
    ["searchAssets", { creatorAddress: wallet, onlyVerified: true }],
    "did you mean creatorVerified?",
    ["searchAssets", { creatorAddress: wallet, creatorVerified: true }],
  ],
  [
    ["searchAssets", { royaltyModel: "creators" }],
    "did you mean royaltyTargetType?",
    ["searchAssets", { royaltyTargetType: "creators" }],
  ],
  [["getTokenSupply", { mint }], "did you mean pubKey?", ["getTokenSupply", { pubKey: mint }]],
  [
    ["searchAssets", { ownerAddress: wallet, showFungible: true }],
    "did you mean options.showFungible?",
    ["searchAssets", { ownerAddress: wallet, options: { showFungible: true } }],
  ],
  [
    ["searchAssets", { sortDirection: "asc" }],
    "did you mean sortBy.sortDirection?",
    ["searchAssets", { sortBy: { sortBy: "id", sortDirection: "asc" } }],
  ],
  [
    ["getAsset", [nft, { showFungibles: true }]],
    "did you mean showFungible?",
    ["getAsset", [nft, { showFungible: true }]],
  ],
  [
    ["getAccountInfo", [wallet, { commitment: "finalised" }]],
    "did you mean finalized?",
    ["getAccountInfo", [wallet, { commitment: "finalized" }]],
  ],
  [
    ["searchAssets", { tokenType: "fungibles" }],
    "did you mean fungible?",
    ["searchAssets", { tokenType: "fungible" }],
  ],
  [
    ["searchAssets", { interface: "V1_NTF" }],
    "did you mean V1_NFT?",
    ["searchAssets", { interface: "V1_NFT" }],
  ],
  [["getAsset", [{ id: nft }]], "pass the object itself as params, without the array around it", getAsset],
  [
    ["getNftEditions", [masterEditionMint, { limit: 5 }]],
    "give either positions or names: put all parameters into one object, and pass that as params",
    ["getNftEditions", { mint: masterEditionMint, limit: 5 }],
  ],
  [
    ["searchAssets", { options: { limit: 5 } }],
    "limit is a parameter by itself: give it next to options",
    ["searchAssets", { limit: 5 }],
  ],
  [["getAsset", { id: { id: nft } }], "give the value of id itself, without an object around it", getAsset],
  [["getAsset", { id: [nft] }], "give the text itself, without brackets", getAsset],
  [
    ["getAccountInfo", [wallet, "confirmed"]],
    'write {"commitment":"confirmed"}',
    ["getAccountInfo", [wallet, { commitment: "confirmed" }]],
  ],
  [
    ["getTokenAccountsByDelegate", [delegate, mint]],
    `write {"mint":"${mint}"}`,
    ["getTokenAccountsByDelegate", [delegate, { mint }]],
  ],
  [["searchAssets", { grouping: collection }], 'write ["collection", "<address>"]', ofGroup],
  [
    ["searchAssets", [...Array.from({ length: 18 }, () => null), { sortBy: "created" }]],
    "sortBy is position 20",
    ["searchAssets", [...Array.from({ length: 19 }, () => null), { sortBy: "created" }]],
  ],
  [["getLargestAccounts", null], "leave params out where there are none", ["getLargestAccounts", undefined]],
];

describe("a call that was meant otherwise", () => {
  test.each(corrected)("%j: %s", async (refused, hint, meant) => {
    const { message, data } = await refusalOf(refused);
    expect(message.endsWith(`; ${hint}`), message).toBe(true);
    expect(data?.hint).toBe(hint);
    await expectAnswered([meant]);
  });

  test("a member of a request", async () => {
    const request = { jsonrpc: "2.0", id: 1, method: "getAsset" };
    const { error } = (await postBody({ ...request, parms: [nft] })) as Answer;
    expect(error).toMatchObject({
      message: "Invalid request; did you mean params?",
      data: { hint: "did you mean params?" },
    });
    expect(((await postBody({ ...request, params: [nft] })) as Answer).error).toBeUndefined();
  });

  test("a batch that is too large: its calls are answered in smaller ones", async () => {
    const answers = (await postBody(
      [requestOf(getAsset), requestOf(getAsset, 2)],
      tight,
    )) as readonly Answer[];
    const { message, data } = answers[1]!.error!;
    expect(data?.hint).toBe("smaller batches");
    expect(message.endsWith("smaller batches")).toBe(true);
    expect((await send(getAsset, tight)).error).toBeUndefined();
  });
});
