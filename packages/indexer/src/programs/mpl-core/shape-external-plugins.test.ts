import type { ExternalPlugin } from "@lamplight/codecs";
import { writeJson } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { shapeExternalPlugins, shapeUnknownExternalPlugins } from "./shape-external-plugins.ts";
import { PLUGIN_VALUES_MAX } from "./shape-limits.ts";

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const ones = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";

const place: Omit<ExternalPlugin, "adapter"> = {
  index: 0,
  offset: 119n,
  authority: { kind: "none" },
  lifecycleChecks: null,
  dataRange: null,
  data: null,
};

const shaped = (plugin: ExternalPlugin): unknown =>
  (JSON.parse(writeJson(shapeExternalPlugins([plugin]))) as unknown[])[0];

const appData = (schema: "binary" | "json" | "msgPack", data: Uint8Array): ExternalPlugin => ({
  ...place,
  adapter: { kind: "appData", dataAuthority: { kind: "owner" }, schema },
  dataRange: { offset: 122n, length: BigInt(data.length) },
  data,
});

const withData = (schema: "binary" | "json" | "msgPack", data: Uint8Array): string =>
  writeJson(shapeExternalPlugins([appData(schema, data)]));

/** The lengths of lists, and the types of other data. */
const kinds = (...plugins: readonly ExternalPlugin[]) =>
  (JSON.parse(writeJson(shapeExternalPlugins(plugins))) as { data: unknown }[]).map(({ data }) =>
    Array.isArray(data) ? data.length : typeof data,
  );

describe("shapeExternalPlugins", () => {
  test("keys and numbers of someone's JSON stay as they wrote them", () => {
    const data = Buffer.from('{"camelCase":{"Deep-Key":1.0},"big":18446744073709551616}');
    expect(withData("json", data)).toContain(
      '"data":{"camelCase":{"Deep-Key":1.0},"big":18446744073709551616}',
    );
  });

  test("JSON that is none stays text; MessagePack that JSON cannot say is base64", () => {
    expect(withData("json", Buffer.from("{oops"))).toContain('"data":"{oops"');
    expect(withData("json", new Uint8Array(0))).toContain('"data":""');
    expect(withData("msgPack", Uint8Array.of(0x81, 0xa5, 0x63, 0x61, 0x6d, 0x65, 0x6c, 7))).toContain(
      '"data":{"camel":7}',
    );
    expect(withData("msgPack", Uint8Array.of(0xc4, 1, 0))).toContain('"data":"xAEA"');
  });

  test("plugins share the values that are parsed; those of more stay text and bytes", () => {
    const half = PLUGIN_VALUES_MAX / 2;
    const json = (values: number) =>
      appData(
        "json",
        Buffer.from(
          `[${Array(values - 1)
            .fill(1)
            .join()}]`,
        ),
      );
    const msgPack = (values: number) =>
      appData(
        "msgPack",
        Uint8Array.of(0xdc, (values - 1) >> 8, values - 1, ...Array<number>(values - 1).fill(1)),
      );
    const binary = appData("binary", new Uint8Array(9));
    expect(kinds(json(half), binary, msgPack(half))).toEqual([half - 1, "string", half - 1]);
    expect(kinds(json(half + 1), msgPack(half + 1))).toEqual(["string", "string"]);
    expect(kinds(json(PLUGIN_VALUES_MAX), binary)).toEqual([PLUGIN_VALUES_MAX - 1, "string"]);
  });

  test("shapes a hook with all kinds of extra accounts, known and unknown checks", () => {
    const use = { isSigner: false, isWritable: true };
    expect(
      shaped({
        ...place,
        lifecycleChecks: [
          { event: 4, flags: 7 },
          { event: 0, flags: 0 },
          { event: 9, flags: 4 },
        ],
        adapter: {
          kind: "lifecycleHook",
          hookedProgram: key(1),
          extraAccounts: [
            { kind: "preconfiguredRecipient", ...use },
            {
              kind: "customPda",
              seeds: [
                { kind: "owner" },
                { kind: "address", address: key(1) },
                { kind: "bytes", bytes: Uint8Array.of(1, 255) },
              ],
              customProgram: null,
              ...use,
            },
            { kind: "address", address: key(1), ...use },
          ],
          dataAuthority: null,
          schema: "msgPack",
        },
      }),
    ).toEqual({
      type: "LifecycleHook",
      index: 0,
      offset: 119,
      authority: { type: "None", address: null },
      lifecycle_checks: { execute: ["CanListen", "CanApprove", "CanReject"] },
      unknown_lifecycle_checks: [[9, ["CanReject"]]],
      adapter_config: {
        hooked_program: ones,
        extra_accounts: [
          { preconfigured_recipient: { is_signer: false, is_writable: true } },
          {
            custom_pda: {
              seeds: ["Owner", { address: ones }, { bytes: [1, 255] }],
              custom_program_id: null,
              is_signer: false,
              is_writable: true,
            },
          },
          { address: { address: ones, is_signer: false, is_writable: true } },
        ],
        data_authority: null,
        schema: "MsgPack",
      },
    });
  });

  test("a data section of a linked hook names the hook's program", () => {
    const parent = { kind: "linkedLifecycleHook", program: key(1) } as const;
    expect(shaped({ ...place, adapter: { kind: "dataSection", parent, schema: "binary" } })).toMatchObject({
      type: "DataSection",
      adapter_config: { schema: "Binary", parent_key: { linked_lifecycle_hook: ones } },
    });
  });
});

describe("shapeUnknownExternalPlugins", () => {
  test("shows config and data as base64", () => {
    const unknown = {
      ...place,
      type: 98,
      bytes: Uint8Array.of(98, 1),
      data: Uint8Array.of(5),
      dataRange: { offset: 121n, length: 1n },
    };
    expect(JSON.parse(writeJson(shapeUnknownExternalPlugins([unknown])))).toEqual([
      {
        type: 98,
        index: 0,
        offset: 119,
        authority: { type: "None", address: null },
        unknown_adapter_config: "YgE=",
        data_offset: 121,
        data_len: 1,
        data: "BQ==",
      },
    ]);
  });
});
