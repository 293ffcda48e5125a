import { expect, test } from "vitest";
import { brokenInvariant, definitionOf, LamplightError } from "./lamplight-error.ts";
import { toRpcError } from "./rpc-error.ts";
import { usageError } from "./usage-error.ts";

test("a broken invariant is our bug: its state is for the log, and no caller sees it", () => {
  const error = brokenInvariant("3 rows were announced, 2 arrived");
  expect(error).toBeInstanceOf(LamplightError);
  expect(error.message).toBe(
    "3 rows were announced, 2 arrived. This is a bug in Lamplight; please report it",
  );
  expect(definitionOf(error.code).family).toBe("us");
  expect(toRpcError(error)).toBeNull();
});

test("a usage error keeps its cause", () => {
  const cause = new TypeError("unknown option");
  expect(usageError("--port must be a port", cause)).toMatchObject({ code: "CLI__USAGE", cause });
  expect("cause" in usageError("--port must be a port")).toBe(false);
});
