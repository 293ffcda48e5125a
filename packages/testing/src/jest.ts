import { expect } from "@jest/globals";
import { type ChainMatchers, matchers } from "./matchers.ts";

// An import of this module adds the matchers of test chains to Jest's `expect`, and to its types.
expect.extend(matchers);

declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ChainMatchers {}
}

declare global {
  // The name under which @types/jest has them.
  namespace jest {
    interface Matchers<R, T = {}> extends ChainMatchers {}
  }
}

export type { ChainMatchers };
