export type * from "./generated/types.ts";
export { dasDocument } from "./das-document.ts";
export { dasMethods } from "./das-methods.ts";
export { whyUnserved } from "./unserved-methods.ts";
