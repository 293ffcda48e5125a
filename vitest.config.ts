import { defineConfig } from "vitest/config";

export default defineConfig({
  // Packages are read from their sources, so that an edit and a test have no build between them.
  resolve: { conditions: ["@lamplight/source"] },
  ssr: { resolve: { conditions: ["@lamplight/source"], externalConditions: ["@lamplight/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tools/*/src/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    execArgv: ["--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"],
  },
});
