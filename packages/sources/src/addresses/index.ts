// These check the addresses of nodes and servers, and load no network library.
export { parseServerAddress } from "../yellowstone/server-address.ts";
export { parseEndpoint, socketEndpointOf } from "../rpc/endpoint.ts";
