/**
 * The tree in the document of a compressed asset. The last occurrence of the member counts, because off-chain JSON
 * before it may contain the same name; nothing after it comes from outside.
 */
export const treeOf = (document: string): string | null => {
  if (!document.startsWith('{"interface":"V1_NFT"')) return null;
  const start = document.lastIndexOf(',"compression":{');
  const end = document.indexOf("}", start);
  const compression = document.slice(start, end);
  if (start < 0 || !compression.includes('"compressed":true')) return null;
  return /"tree":"(\w+)"/u.exec(compression)?.[1] ?? null;
};
