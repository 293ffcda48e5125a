// A browser that is installed already; without `executablePath` Playwright starts the one that it downloaded.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testMatch: "playwright.test.mjs",
  use: {
    launchOptions: {
      executablePath: process.env.LAMPLIGHT_CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox"],
    },
  },
});
