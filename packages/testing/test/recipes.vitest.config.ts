import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Runs the Vitest recipe as a project of its own, from the sources of this repository. */
export default defineConfig({
  root: fileURLToPath(new URL("../recipes", import.meta.url)),
  resolve: { conditions: ["@lamplight/source"] },
  ssr: { resolve: { conditions: ["@lamplight/source"], externalConditions: ["@lamplight/source"] } },
  test: {
    include: ["vitest.test.ts"],
    execArgv: ["--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"],
  },
});
