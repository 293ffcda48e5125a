import { callText, type ReferenceRequest } from "./request.ts";

const address = "11111111111111111111111111111111";
const good = callText("getAccountInfo", [address, { encoding: "base64" }]);

/** Bodies that are no call, calls with every kind of id and version, and batches. */
export const envelopeRequests = (): readonly ReferenceRequest[] =>
  [...noCalls, ...ids.map(withId), ...versions, ...batches, ...methods].map((body) => ({
    topic: "envelope",
    body,
  }));

const noCalls = [
  "",
  " ",
  "null",
  "1",
  '"x"',
  "true",
  "{}",
  "[[]]",
  "{",
  good.slice(0, -1),
  `${good} x`,
  "\u{FEFF}{}",
  '{"a":1}',
  `{"jsonrpc":"2.0","id":1}`,
];

const ids = [
  "null",
  "0",
  "1",
  "18446744073709551615",
  "18446744073709551616",
  "-1",
  "1.5",
  "1.0",
  "1e2",
  "-0",
  '""',
  '"a\\"b"',
  '"\u{1F4A1}"',
  "true",
  "[]",
  "{}",
];

const withId = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"getAccountInfo","params":["${address}",{"encoding":"base64"}]}`;

const versions = ['"2.0"', '"1.0"', '""', "null", "2", "2.0"]
  .map((version) => `{"jsonrpc":${version},"id":1,"method":"getLargestAccounts","params":[]}`)
  .concat(
    '{"id":1,"method":"getLargestAccounts","params":[]}',
    '{"jsonrpc":"2.0","method":"getAccountInfo","params":[]}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"getAccountInfo","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":[],"extra":1}',
    '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo"}',
    '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":null}',
    `{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":{"address":"${address}"}}`,
    '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":"x"}',
    '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":7}',
    ` \n\t${good}\r\n `,
  );

const batches = [
  "[]",
  `[${good}]`,
  `[${good},${good}]`,
  `[${good},1]`,
  `[${good},{}]`,
  `[${good},{"jsonrpc":"2.0","method":"getAccountInfo","params":[]}]`,
  '[{"jsonrpc":"2.0","method":"getAccountInfo","params":[]}]',
  `[${withId('"a"')},${withId("null")},${withId("3")}]`,
  `[${withId("-1")}]`,
  `[${good},${callText("nope", [])}]`,
];

const methods = ["getaccountinfo", "GetAccountInfo", "", "getAccountInfo ", "nope", "rpc"].map((method) =>
  callText(method, []),
);
