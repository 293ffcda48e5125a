export { describeSearchConformance, describeStoreConformance } from "./describe-store-conformance.ts";
export type { CopySetup } from "./parts/copies.ts";
export type { CrashSetup } from "./parts/crash.ts";
export type { StoreUnderTest } from "./store-under-test.ts";
