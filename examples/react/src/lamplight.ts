import { createClient, perTick } from "@lamplight/client";

const asked = new URLSearchParams(location.search);

export const client = createClient({
  url: asked.get("server") ?? "http://127.0.0.1:5267",
  apiKey: asked.get("key") ?? "demo",
  // Every result is plain JSON: it can be kept in a cache, in a store or in the page.
  integers: "string",
  batching: perTick,
});
