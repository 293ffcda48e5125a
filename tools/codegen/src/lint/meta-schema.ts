import metaSchema from "@json-schema-tools/meta-schema";
import { OpenRPCSpecificationSchema1_3 } from "@open-rpc/spec";
import { Ajv } from "ajv";

const jsonSchemaText = "https://meta.json-schema.tools";

/** Violations of the published meta schema of OpenRPC 1.3 in a document, one sentence each. */
export const openRpcFaults = (document: unknown): readonly string[] => {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  // Referred to with and without a slash at the end.
  const { $schema: _of, $id: _id, ...jsonSchema } = metaSchema as { [keyword: string]: unknown };
  ajv.addSchema(jsonSchema, `${jsonSchemaText}/`);
  ajv.addSchema({ $ref: `${jsonSchemaText}/` }, jsonSchemaText);
  const { $schema: _language, ...openRpc } = OpenRPCSpecificationSchema1_3;
  const validate = ajv.compile(openRpc);
  return validate(document) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
};
