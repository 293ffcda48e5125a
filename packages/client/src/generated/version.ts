// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.

/** Version of the contract this client was generated from. */
export const contractVersion = "0.1.0";
