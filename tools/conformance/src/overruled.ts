import type { Overruling } from "./outcome.ts";

/**
 * Cases that a decision of this project overrules: they are counted as skipped and listed with their reason, never
 * silently. They are recognized by what differs, so that further cases of the same kind are too.
 */
export const overruled: readonly Overruling[] = [
  {
    suite: "accounts",
    cases: "expected/*",
    differences: [/^\/serverMessage: expected "Invalid params: missing field `commitment`\."/],
    reason: "getTokenSupply accepts {}: a config without a commitment is no mistake",
  },
  {
    suite: "assets",
    cases: "**",
    differences: [
      /\/interface: expected "FungibleToken", got "V1_NFT"$/,
      /\/ownership\/ownership_model: expected "token", got "single"$/,
      /\/ownership\/owner: expected "", got "/,
      /\/supply: not expected, got \{"print_max_supply"/,
    ],
    reason:
      "a Token-2022 mint with supply 1 and no decimals is an NFT with one owner; the two references disagree",
  },
  {
    suite: "assets",
    cases: "**",
    differences: [/expected an error, got \{"interface":"(FungibleToken|Custom|V1_NFT)".*"json_uri":"",/],
    reason: "a mint without any metadata is an asset too: a wallet must not lose a token for want of a logo",
  },
  {
    suite: "assets",
    cases: "display-options/get_asset_with_show_collection_metadata_option",
    differences: [/\/ownership\/owner: expected "GqPnSDXwp4JFtKS7YZ2HERgBbYLKpKVYy9TpVunzLRa9", got ""$/],
    reason:
      "the only token account known is empty and so says nothing about who holds the asset: unknown owner",
  },
  {
    suite: "vectors",
    cases: "param-vectors/**",
    differences: [
      /^\/error\/code: expected -32700, got -32600$/,
      /^\/error\/message: expected "Parse error", got "Invalid request"$/,
      /^expected \{"jsonrpc":"2\.0","error":\{"code":-32700,"message":"Parse error"\},"id":null\}, got \[\{/,
      /"code":-32600,"message":"Invalid request","data":\{"reason":"a request is an object"\}/,
      /"code":-32600,"message":"Invalid request","data":\{"reason":"a batch has at least one request"\}/,
    ],
    reason:
      "JSON that is no request is an invalid request, for each entry of a batch, as JSON-RPC 2.0 defines it",
  },
  {
    suite: "vectors",
    cases: "param-vectors/**",
    differences: [
      /^\/id: expected null, got -?[0-9.eE+]+$/,
      /^\/error\/code: expected -32700, got nothing$/,
      /^\/error\/message: expected "Parse error", got nothing$/,
    ],
    reason: "any number is an id and is echoed digit for digit",
  },
  {
    suite: "vectors",
    cases: "param-vectors/**",
    differences: [/"code":-32602,"message":"Invalid params: (position [12] )?config\.commitment must be /],
    reason:
      "an unknown commitment is refused and the allowed words are named, where Agave ignores it silently",
  },
];
