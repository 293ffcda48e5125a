// Checked by the type checker alone: both runners have the matchers, and with their parameters.
import { expect as expectOfJest } from "@jest/globals";
import type { Matchers } from "expect";
import { expect as expectOfVitest } from "vitest";
import type { TestAsset, TestChain } from "./index.ts";
import type { ChainMatchers } from "./jest.ts";
import type { ChainMatchers as ChainMatchersOfVitest } from "./vitest.ts";

declare const chain: TestChain, cat: TestAsset;

export const used = async (): Promise<void> => {
  for (const expect of [expectOfVitest, expectOfJest]) {
    await expect(cat).toBeOwnedBy(chain.wallet("bob"));
    await expect(cat).not.toBeInCollection(cat);
    await expect(chain.token(cat)).toHaveBalance("bob", 5n);
    // @ts-expect-error a wallet is missing
    await expect(cat).toBeDelegatedTo();
    // @ts-expect-error an amount is no text
    await expect(cat).toHaveBalance("bob", "5");
  }
};

export const ofJest = (matchers: Matchers<void>): ChainMatchers & ChainMatchersOfVitest => matchers;
/** The name under which @types/jest has them. */
export const ofGlobals = (matchers: jest.Matchers<void>): ChainMatchers => matchers;
