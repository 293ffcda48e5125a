export * from "../../../core/src/index.ts";
export { contentText } from "./content-text.ts";
export type { AssetExtras, InheritedFacts } from "./asset-extras.ts";
