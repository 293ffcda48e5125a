import { expect, test } from "vitest";

import { openKeyStore } from "./open-key-store.ts";

test.each([
  "postgress://user:secret@host/keys",
  "POSTGRES://user:secret@host/keys",
  "user:secret@host/keys",
  "sqlite:keys.json",
  "shards:keys.json",
  "file:keys.json",
])("%s is no file of keys, and no password of it is told", async (location) => {
  const error = await openKeyStore(location).then(
    () => null,
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ code: "CONFIG__INVALID" });
  expect(error!.message).toContain("must be a file, or begin with postgres://");
  expect(error!.message).not.toContain("secret");
});

test.each(["keys.json", "/etc/keys.json", "C:\\keys.json", "./keys:2027.json"])(
  "%s is a file of keys",
  async (location) => {
    expect((await openKeyStore(location)).name).toBe(location);
  },
);
