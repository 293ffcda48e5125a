import { describe, expect, test } from "vitest";

import { runCommand } from "../test/run-command.ts";

describe("lamplight", () => {
  test("helps, and tells its version", async () => {
    expect(await runCommand(["--help"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("serve") as string,
    });
    expect(await runCommand([])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("serve") as string,
    });
    expect(await runCommand(["serve", "--help"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("--config") as string,
    });
    expect((await runCommand(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  test("names the nearest command", async () => {
    const { exitCode, stderr } = await runCommand(["sevre"]);
    expect(stderr).toMatch(/^lamplight: unknown command "sevre"; /u);
    expect((await runCommand(["verfy"])).stderr).toContain("did you mean verify?");
    expect(exitCode).toBe(2);
  });
});
