import type { ContractDocument } from "@lamplight/contract";
import { accountMethods } from "@lamplight/errors";

import { findReplacement } from "./foreign-methods.ts";
import type { ServedContract } from "./served-contract.ts";

/** The members of a contract that refer to each other. */
interface Parts extends ContractDocument {
  readonly components: { readonly schemas: object; readonly errors: object };
}

/**
 * The DAS contract, with the account methods of the main one: DAS clients know one URL. Its package is loaded here and
 * nowhere else.
 */
export const loadDasContract = async (main: ServedContract): Promise<ServedContract> => {
  const { dasDocument, dasMethods, whyUnserved } = await import("@lamplight/das");
  return {
    path: "/das/",
    document: withAccountMethods(dasDocument as Parts, main.document as Parts),
    methods: dasMethods.and(main.methods, accountMethods),
    findReplacement: (method) => whyUnserved(method) ?? findReplacement(method),
  };
};

const withAccountMethods = (das: Parts, main: Parts): ContractDocument => ({
  ...das,
  methods: [...das.methods, ...main.methods.filter(({ name }) => accountMethods.has(name))],
  components: {
    schemas: { ...main.components.schemas, ...das.components.schemas },
    errors: { ...main.components.errors, ...das.components.errors },
  },
});
