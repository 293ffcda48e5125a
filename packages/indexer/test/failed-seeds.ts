/** Seeds of `fork.chaos.test.ts` that once found a fault. They run with every test run, besides the first ones. */
export const failedForkSeeds: readonly number[] = [1023, 1050, 1360, 1381];
