import { answerJson, callCode } from "./call-code.js";
import { addressLink, h, number, sol } from "./dom.js";
import { call } from "./rpc.js";
import { valueOf } from "./value.js";

export const accountView = async (address) => {
  const answer = await call("getAccountInfo", { address, config: { encoding: "jsonParsed" } });
  if (answer.error !== null) throw answer.error;
  const account = answer.result?.value ?? null;
  const head = [h("h1", {}, "Account"), h("p", {}, h("code", {}, address))];
  if (account === null)
    return [
      ...head,
      h("p", {}, "There is no account at this address."),
      callCode(answer),
      answerJson(answer),
    ];
  const { parsed, program } = account.data;
  return [
    ...head,
    h(
      "p",
      {},
      h("a", { href: `#/wallet/${address}` }, "What this address owns"),
      " · ",
      h("a", { href: `#/asset/${address}` }, "As an asset"),
    ),
    h(
      "dl",
      { class: "facts" },
      [
        ["Balance", sol(account.lamports)],
        ["Owner program", addressLink("account", account.owner)],
        ["Size", `${number(account.space)} bytes`],
        ["Executable", account.executable ? "yes" : "no"],
        ["Answered at slot", number(answer.result.context.slot)],
      ].map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    ),
    h("h2", {}, parsed === undefined ? "Data" : `Data, parsed as ${program}`),
    parsed === undefined
      ? h(
          "pre",
          { tabindex: "0", class: "wrap" },
          h("code", {}, String(account.data[0]).slice(0, DATA_CHARS_MAX) || "empty"),
        )
      : valueOf(parsed),
    callCode(answer),
    answerJson(answer),
  ];
};

const DATA_CHARS_MAX = 4000;
