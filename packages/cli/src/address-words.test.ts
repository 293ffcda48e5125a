import { programAddressTexts } from "@lamplight/codecs";
import { describe, expect, test } from "vitest";
import { parseDeclaration } from "./commands/declared-coverage.ts";
import { readRpcFlags } from "./follow-rpc-flags.ts";
import { readAddresses } from "./address-words.ts";

const { token, token2022, tokenMetadata, mplCore, bubblegum, inscriptions } = programAddressTexts;

describe("words for addresses", () => {
  test("stand for the programs, and addresses for themselves, without repeats", () => {
    const words = ["token", "token-2022", "token-metadata", "core", "bubblegum", "inscription", token];
    expect(readAddresses("--program", words)).toEqual([
      token,
      token2022,
      tokenMetadata,
      mplCore,
      bubblegum,
      inscriptions,
    ]);
    expect(readAddresses("--program")).toEqual([]);
  });

  test.each(["Token", "constructor", "", "x"])("%j is refused with the words", (word) => {
    expect(() => readAddresses("--mint", [word])).toThrow(
      `--mint takes an address in base58, or token, token-2022, token-metadata, core, bubblegum, inscription; got "${word}"`,
    );
  });

  test("are taken by what is followed, and by the coverage of a dump", () => {
    const flags = readRpcFlags("http://127.0.0.1:1", { program: ["core"], account: ["token"] }, {});
    expect(flags.targets).toMatchObject({ programs: [mplCore], accounts: [token] });
    expect(parseDeclaration(["program:core", `owner:${token}`])).toMatchObject({
      programs: [mplCore],
      owners: [token],
    });
  });
});
