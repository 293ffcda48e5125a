// How addresses of nodes and servers are read: loads no network library.
export { parseServerAddress } from "../yellowstone/server-address.ts";
export { parseEndpoint, socketEndpointOf } from "../rpc/endpoint.ts";
