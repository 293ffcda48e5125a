import type { RpcError } from "@lamplight/errors";

/** A response with a finished result; members in the order Agave writes them. */
export const resultReply = (id: string, resultText: string): string =>
  `{"jsonrpc":"2.0","result":${resultText},"id":${id}}`;

/** A response with an error. */
export const errorReply = (id: string, error: RpcError): string => {
  const data = error.data === undefined ? "" : `,"data":${JSON.stringify(error.data)}`;
  return `{"jsonrpc":"2.0","error":{"code":${error.code},"message":${JSON.stringify(error.message)}${data}},"id":${id}}`;
};
