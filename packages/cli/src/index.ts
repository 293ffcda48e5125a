export { addressOptions, chooseDevAddress } from "./dev/dev-address.ts";
export { createDevFolder } from "./dev/dev-folder.ts";
