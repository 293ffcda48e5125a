import { encodeAddress } from "@lamplight/codecs";
import { type AddressBytes, type Asset, INHERITED_BASIS_POINTS, inheritable } from "@lamplight/core";

/** The facts that most members take from their collection. */
const facts = inheritable.authority | inheritable.royalty | inheritable.mutable;
/** Bytes of the members that every Core document has. */
const OWN_BYTES = 400;

/** Members that both kinds of Core documents have: an asset's own are empty where it takes the collection's. */
const coreDocument = (
  { interface: type, id }: Pick<Asset, "interface" | "id">,
  collection: AddressBytes,
  bytes: number,
  own: object,
): string =>
  JSON.stringify({
    interface: type,
    id: encodeAddress(id),
    pad: "x".repeat(bytes - OWN_BYTES),
    authorities: [],
    compression: { eligible: false, compressed: false },
    grouping: [{ group_key: "collection", group_value: encodeAddress(collection) }],
    royalty: {
      royalty_model: "creators",
      target: null,
      percent: 0,
      basis_points: 0,
      primary_sale_happened: false,
    },
    creators: [],
    ownership: { frozen: false, delegated: false, delegate: null, ownership_model: "single", owner: "" },
    mutable: true,
    burnt: false,
    ...own,
  });

/**
 * A Core asset that takes authority, royalty and mutability from its collection.
 *
 * @param bytes - of its document, roughly
 */
export const coreMember = (asset: Asset, collection: AddressBytes, bytes: number): Asset => {
  const member = { ...asset, interface: "MplCoreAsset", supplyMint: null } as const;
  return {
    ...member,
    authority: null,
    basisPoints: INHERITED_BASIS_POINTS,
    creators: [],
    inherits: { from: collection, facts },
    document: coreDocument(member, collection, bytes, {}),
    extras: JSON.stringify({ inherits: { from: encodeAddress(collection), facts } }),
  };
};

/** The collection of such members, with the authority and the creators of the asset that is passed. */
export const coreCollection = (asset: Asset, bytes: number): Asset => {
  const { id, authority, creators, basisPoints } = asset;
  const collection = { ...asset, interface: "MplCoreCollection", supplyMint: null } as const;
  const document = coreDocument(collection, id, bytes, {
    authorities: authority === null ? [] : [{ address: encodeAddress(authority), scopes: ["full"] }],
    royalty: {
      royalty_model: "creators",
      target: null,
      percent: basisPoints / 10_000,
      basis_points: basisPoints,
    },
    creators: creators.map(({ address, share }) => ({
      address: encodeAddress(address),
      share,
      verified: false,
    })),
  });
  return { ...collection, document };
};
