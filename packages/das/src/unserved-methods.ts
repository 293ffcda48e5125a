const noHistory = "this server keeps no history of transactions; read it from an RPC node";

/** Methods of the DAS specification, and of those who add to it, that this contract does not have, with the reason. */
const unserved: ReadonlyMap<string, string> = new Map([
  ["getAssetSignatures", noHistory],
  ["getAssetSignaturesV2", noHistory],
  ["getSignaturesForAsset", noHistory],
]);

/** The reason why a method of DAS is not answered; undefined for every other name. */
export const whyUnserved = (method: string): string | undefined => unserved.get(method);
