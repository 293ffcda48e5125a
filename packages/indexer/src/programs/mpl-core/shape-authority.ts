import { encodeAddress, type PluginAuthority } from "@lamplight/codecs";
import type { JsonValue } from "@lamplight/core";

/** Wire names of the kinds. */
const types = {
  none: "None",
  owner: "Owner",
  updateAuthority: "UpdateAuthority",
  address: "Address",
} as const satisfies Record<PluginAuthority["kind"], string>;

export const shapeAuthority = (authority: PluginAuthority): JsonValue => ({
  type: types[authority.kind],
  address: authority.kind === "address" ? encodeAddress(authority.address) : null,
});
