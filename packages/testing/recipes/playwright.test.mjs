// Playwright: each test gets a chain, and the page under test gets the URL of its server.
import { expect, test as base } from "@playwright/test";
import { createTestChain } from "@lamplight/testing";

const test = base.extend({
  // Playwright finds the fixtures that this one needs in the braces.
  // oxlint-disable-next-line no-empty-pattern
  chain: async ({}, use) => {
    const chain = await createTestChain();
    await use(chain);
    await chain.close();
  },
  endpoint: async ({ chain }, use) => {
    const { url } = await chain.listen();
    await use(url);
  },
});

/** Stands for the application: a page that shows the name of an asset. */
const showName = async ({ endpoint, id }) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAsset", params: { id } });
  const headers = { "content-type": "application/json" };
  const response = await fetch(endpoint, { method: "POST", headers, body });
  const { result } = await response.json();
  document.body.textContent = result.content.metadata.name;
};

test("the page shows what was minted", async ({ page, chain, endpoint }) => {
  const leaf = await chain.mint({ kind: "compressed", name: "Leaf" });
  await page.goto(new URL("/", endpoint).href);
  await page.evaluate(showName, { endpoint, id: leaf.id });
  await expect(page.locator("body")).toHaveText("Leaf");
});
