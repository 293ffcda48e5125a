import type { BorshReader } from "../borsh/borsh-reader.ts";

/** The authority that may change a plugin. */
export type PluginAuthority =
  | { readonly kind: "none" }
  | { readonly kind: "owner" }
  | { readonly kind: "updateAuthority" }
  | { readonly kind: "address"; readonly address: Uint8Array };

const fixedAuthorities: readonly PluginAuthority[] = [
  { kind: "none" },
  { kind: "owner" },
  { kind: "updateAuthority" },
];

/** An unknown kind is refused: nothing behind it can be found. */
export const readPluginAuthority = (reader: BorshReader): PluginAuthority => {
  const kind = reader.u8();
  if (kind === 3) return { kind: "address", address: reader.key() };
  return fixedAuthorities[kind] ?? reader.fail(`authority kind ${kind} is unknown`);
};
