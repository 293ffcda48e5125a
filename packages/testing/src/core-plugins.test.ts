import { describe, expect, test } from "vitest";
import { refusedProperty } from "../test/refused-property.ts";
import { createTestChain } from "./index.ts";

describe("external plugin adapters of Core", () => {
  test("are answered with their checks and data", async () => {
    await using chain = await createTestChain();
    const oracle = chain.wallet("oracle").publicKey;
    const writer = chain.wallet("writer");
    const dataAuthority = { kind: "address", address: writer.publicKey } as const;
    const hook = { hookedProgram: oracle, extraAccounts: null, dataAuthority: null, schema: "json" } as const;
    const asset = await chain.mint({
      kind: "core",
      externalPlugins: [
        {
          kind: "oracle",
          baseAddress: oracle,
          baseAddressConfig: {
            kind: "customPda",
            seeds: [{ kind: "owner" }, { kind: "bytes", bytes: Uint8Array.of(1, 2) }],
            customProgram: oracle,
            isSigner: false,
            isWritable: true,
          },
          resultsOffset: { kind: "custom", offset: 9n },
          lifecycleChecks: { transfer: ["reject"], burn: ["listen", "reject"] },
        },
        { kind: "appData", dataAuthority, schema: "json", data: '{"level":7}', authority: writer },
        { kind: "lifecycleHook", ...hook, lifecycleChecks: { create: ["listen"] } },
        {
          kind: "dataSection",
          parent: { kind: "linkedAppData", dataAuthority },
          schema: "binary",
          data: Uint8Array.of(255),
        },
        { kind: "agentIdentity", uri: "ipfs://agent" },
      ],
    });
    const document = (await chain.client.getAsset(asset.id)) as unknown as {
      readonly external_plugins: readonly { readonly type: string }[];
      readonly unknown_external_plugins?: unknown;
    };
    expect(document.unknown_external_plugins ?? []).toEqual([]);
    expect(document.external_plugins.map(({ type }) => type)).toEqual([
      "Oracle",
      "AppData",
      "LifecycleHook",
      "DataSection",
      "AgentIdentity",
    ]);
    expect(document.external_plugins[0]).toMatchObject({
      authority: { type: "UpdateAuthority" },
      adapter_config: { base_address: chain.wallet("oracle").address },
      lifecycle_checks: { transfer: ["CanReject"], burn: ["CanListen", "CanReject"] },
    });
    expect(document.external_plugins[1]).toMatchObject({
      authority: { type: "Address", address: writer.address },
      data: { level: 7 },
    });
  });

  test("of a collection are answered for the collection", async () => {
    await using chain = await createTestChain();
    const dataAuthority = { kind: "updateAuthority" } as const;
    const collection = await chain.collection({
      name: "Linked",
      externalPlugins: [{ kind: "linkedAppData", dataAuthority, schema: "msgPack" }],
    });
    expect(await chain.client.getAsset(collection.id)).toMatchObject({
      external_plugins: [{ type: "LinkedAppData" }],
    });
  });

  test("name what is wrong with them", async () => {
    await using chain = await createTestChain();
    const mint = (externalPlugin: object) =>
      refusedProperty(chain.mint({ kind: "core", externalPlugins: [externalPlugin as never] }));
    expect(await mint({ kind: "nonsense" })).toBe("externalPlugins[0].kind");
    expect(await mint({ kind: "oracle" })).toBe("externalPlugins[0]");
    const identity = { kind: "agentIdentity", uri: "x" };
    expect(await mint({ ...identity, authority: "x" })).toBe("externalPlugins[0].authority");
    expect(await mint({ ...identity, lifecycleChecks: { sell: ["listen"] } })).toBe(
      "externalPlugins[0].lifecycleChecks.sell",
    );
    expect(await mint({ ...identity, lifecycleChecks: { burn: ["see"] } })).toBe(
      "externalPlugins[0].lifecycleChecks.burn",
    );
  });
});

describe("freezing by the permanent delegate", () => {
  const by = "permanentDelegate" as const;
  const plugins = [{ kind: "permanentFreezeDelegate", frozen: false }] as const;

  test("of an asset freezes it, and outlives a transfer", async () => {
    await using chain = await createTestChain();
    const frozen = async () => (await chain.client.getAsset(asset.id)).ownership.frozen;
    const asset = await chain.mint({ kind: "core", plugins });
    await asset.freeze({ by });
    expect(await frozen()).toBe(true);
    expect(await refusedProperty(asset.transfer(chain.wallet("bob")))).toBe("id");
    await asset.thaw();
    expect(await frozen()).toBe(true);
    await asset.thaw({ by });
    expect(await frozen()).toBe(false);
    await asset.transfer(chain.wallet("bob"));
  });

  test("of a collection freezes its members, compressed ones too", async () => {
    await using chain = await createTestChain();
    const collection = await chain.collection({ name: "Frozen", plugins });
    const members = [
      await chain.mint({ kind: "core", collection }),
      await chain.mint({ kind: "compressed-v2", collection }),
    ];
    const other = await chain.mint({ kind: "core", collection, plugins });
    const frozenIds = async () => {
      const { items } = await chain.client.searchAssets({ frozen: true });
      return items.map(({ id }) => id).toSorted();
    };
    await collection.freeze({ by });
    expect(await frozenIds()).toEqual([collection.id, ...members.map(({ id }) => id)].toSorted());
    for (const member of members)
      expect(await refusedProperty(member.transfer(chain.wallet("bob")))).toBe("id");
    await other.transfer(chain.wallet("bob"));
    await collection.thaw({ by });
    expect(await frozenIds()).toEqual([]);
  });

  test("of a collection freezes a single leaf", async () => {
    await using chain = await createTestChain();
    const collection = await chain.collection({ name: "Leaves", plugins });
    const leaf = await chain.mint({ kind: "compressed-v2", collection });
    await leaf.freeze({ by });
    expect((await chain.client.getAsset(leaf.id)).ownership.frozen).toBe(true);
    await leaf.thaw();
    expect((await chain.client.getAsset(leaf.id)).ownership.frozen).toBe(true);
    await leaf.thaw({ by });
    expect((await chain.client.getAsset(leaf.id)).ownership.frozen).toBe(false);
  });

  test("is refused where there is none", async () => {
    await using chain = await createTestChain();
    for (const kind of ["core", "compressed-v2", "nft", "token-2022"] as const) {
      const asset = await chain.mint({ kind });
      expect(await refusedProperty(asset.freeze({ by }))).toBe("by");
    }
  });
});
