import {
  type Contract,
  type ContractMethod,
  examplesOf,
  parametersOf,
  isUint64,
  referenceOf,
  type Schema,
  withoutNull,
} from "../contract-model.ts";

/** The reference of a method as Markdown, for readers without a browser. */
export const methodMarkdown = (contract: Contract, method: ContractMethod): string => {
  const parameters = parametersOf(method).map(
    ({ name, description, schema, required, byNameOnly }, index) =>
      `| \`${name}\` | ${byNameOnly ? "by name" : index + 1} | ${typeText(withoutNull(schema))} | ${required ? "yes" : "no"} | ${description} |`,
  );
  const errors = method.errors.map((one) => {
    const error = referenceOf(one)!;
    return `- ${contract.components.errors[error]!.code}: ${contract["x-errors"][error]!.meaning}`;
  });
  const example = examplesOf(method)[0]!;
  const request = {
    jsonrpc: "2.0",
    id: 1,
    method: method.name,
    params: example.params.map(({ value }) => value),
  };
  return `# ${method.name}

${method.summary}

${method.description}

## Parameters

| Name | Position | Type | Required | Description |
|---|---|---|---|---|
${parameters.join("\n")}

## Errors

${errors.join("\n")}

## Example

\`\`\`json
${JSON.stringify(request)}
\`\`\`

\`\`\`json
${JSON.stringify({ jsonrpc: "2.0", result: example.result.value, id: 1 })}
\`\`\`
`;
};

const typeText = (schema: Schema): string => {
  const words = schema["enum"] as readonly unknown[] | undefined;
  const format = isUint64(schema) ? "u64" : undefined;
  return referenceOf(schema) ?? format ?? words?.join(", ") ?? String(schema["type"] ?? "any");
};
