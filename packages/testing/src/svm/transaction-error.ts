import type { SvmFailure } from "./lite-svm.ts";

/** As Agave writes it: `"BlockhashNotFound"`, or `{ InstructionError: [0, { Custom: 1 }] }`. */
export type TransactionErrorJson = string | number | { readonly [name: string]: unknown };

/** LiteSVM gives most errors as numbers of an enumeration. Only the debug form has Agave's names. */
export const transactionErrorOf = (failure: SvmFailure): TransactionErrorJson =>
  readDebugForm(/\berr: (.*?), meta: /su.exec(failure.toString())?.[1] ?? "Unknown");

/** Rust's debug form of an enum as the JSON of it: `A`, `A(1)`, `A(0, B(1))` and `A { field: 1 }`. */
const readDebugForm = (text: string): TransactionErrorJson => {
  if (/^\d+$/u.test(text)) return Number(text);
  if (text.startsWith('"')) return JSON.parse(text) as string;
  const [, structName, field, number] = /^(\w+) \{ (\w+): (\d+) \}$/u.exec(text) ?? [];
  if (structName !== undefined) return { [structName]: { [field!]: Number(number) } };
  const [, name, index, value] = /^(\w+)\((?:(\d+), )?(.*)\)$/su.exec(text) ?? [];
  if (name === undefined) return text;
  const inner = readDebugForm(value!);
  return { [name]: index === undefined ? inner : [Number(index), inner] };
};

/** The sentence that Agave writes for an error. */
export const transactionErrorText = (error: TransactionErrorJson): string => {
  if (typeof error !== "object") return transactionTexts[error] ?? String(error);
  const [[name, value]] = Object.entries(error) as [[string, unknown]];
  if (name === "InstructionError") {
    const [index, inner] = value as [number, TransactionErrorJson];
    return `Error processing Instruction ${index}: ${instructionErrorText(inner)}`;
  }
  const at = typeof value === "number" ? value : (value as { account_index: number }).account_index;
  switch (name) {
    case "DuplicateInstruction":
      return `Transaction contains a duplicate instruction (${at}) that is not allowed`;
    case "InsufficientFundsForRent":
      return `Transaction results in an account (${at}) with insufficient funds for rent`;
    default:
      return `Execution of the program referenced by account at index ${at} is temporarily restricted.`;
  }
};

const instructionErrorText = (error: TransactionErrorJson): string => {
  if (typeof error !== "object") return instructionTexts[error] ?? String(error);
  const [[name, value]] = Object.entries(error) as [[string, unknown]];
  return name === "Custom"
    ? `custom program error: 0x${(value as number).toString(16)}`
    : (instructionTexts[name] ?? name);
};

const transactionTexts: Readonly<Record<string, string>> = {
  AccountInUse: "Account in use",
  AccountLoadedTwice: "Account loaded twice",
  AccountNotFound: "Attempt to debit an account but found no record of a prior credit.",
  ProgramAccountNotFound: "Attempt to load a program that does not exist",
  InsufficientFundsForFee: "Insufficient funds for fee",
  InvalidAccountForFee: "This account may not be used to pay transaction fees",
  AlreadyProcessed: "This transaction has already been processed",
  BlockhashNotFound: "Blockhash not found",
  CallChainTooDeep: "Loader call chain is too deep",
  MissingSignatureForFee: "Transaction requires a fee but has no signature present",
  InvalidAccountIndex: "Transaction contains an invalid account reference",
  SignatureFailure: "Transaction did not pass signature verification",
  InvalidProgramForExecution: "This program may not be used for executing instructions",
  SanitizeFailure: "Transaction failed to sanitize accounts offsets correctly",
  UnsupportedVersion: "Transaction version is unsupported",
  InvalidWritableAccount: "Transaction loads a writable account that cannot be written",
  TooManyAccountLocks: "Transaction locked too many accounts",
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  InvalidAddressLookupTableOwner: "Transaction loads an address table account with an invalid owner",
  InvalidAddressLookupTableData: "Transaction loads an address table account with invalid data",
  InvalidAddressLookupTableIndex: "Transaction address table lookup uses an invalid index",
  InvalidRentPayingAccount: "Transaction leaves an account with a lower balance than rent-exempt minimum",
  MaxLoadedAccountsDataSizeExceeded: "Transaction exceeded max loaded accounts data size cap",
  InvalidLoadedAccountsDataSizeLimit:
    "LoadedAccountsDataSizeLimit set for transaction must be greater than 0.",
  UnbalancedTransaction: "Sum of account balances before and after transaction do not match",
};

const instructionTexts: Readonly<Record<string, string>> = {
  GenericError: "generic instruction error",
  InvalidArgument: "invalid program argument",
  InvalidInstructionData: "invalid instruction data",
  InvalidAccountData: "invalid account data for instruction",
  AccountDataTooSmall: "account data too small for instruction",
  InsufficientFunds: "insufficient funds for instruction",
  IncorrectProgramId: "incorrect program id for instruction",
  MissingRequiredSignature: "missing required signature for instruction",
  AccountAlreadyInitialized: "instruction requires an uninitialized account",
  UninitializedAccount: "instruction requires an initialized account",
  UnbalancedInstruction: "sum of account balances before and after instruction do not match",
  ModifiedProgramId: "instruction illegally modified the program id of an account",
  ExternalAccountLamportSpend: "instruction spent from the balance of an account it does not own",
  ExternalAccountDataModified: "instruction modified data of an account it does not own",
  ReadonlyLamportChange: "instruction changed the balance of a read-only account",
  ReadonlyDataModified: "instruction modified data of a read-only account",
  DuplicateAccountIndex: "instruction contains duplicate accounts",
  ExecutableModified: "instruction changed executable bit of an account",
  RentEpochModified: "instruction modified rent epoch of an account",
  NotEnoughAccountKeys: "insufficient account keys for instruction",
  AccountDataSizeChanged: "program other than the account's owner changed the size of the account data",
  AccountNotExecutable: "instruction expected an executable account",
  AccountBorrowFailed: "instruction tries to borrow reference for an account which is already borrowed",
  AccountBorrowOutstanding: "instruction left account with an outstanding borrowed reference",
  DuplicateAccountOutOfSync: "instruction modifications of multiply-passed account differ",
  InvalidError: "program returned invalid error code",
  ExecutableDataModified: "instruction changed executable accounts data",
  ExecutableLamportChange: "instruction changed the balance of an executable account",
  ExecutableAccountNotRentExempt: "executable accounts must be rent exempt",
  UnsupportedProgramId: "Unsupported program id",
  CallDepth: "Cross-program invocation call depth too deep",
  MissingAccount: "An account required by the instruction is missing",
  ReentrancyNotAllowed: "Cross-program invocation reentrancy not allowed for this instruction",
  MaxSeedLengthExceeded: "Length of the seed is too long for address generation",
  InvalidSeeds: "Provided seeds do not result in a valid address",
  InvalidRealloc: "Failed to reallocate account data",
  ComputationalBudgetExceeded: "Computational budget exceeded",
  PrivilegeEscalation: "Cross-program invocation with unauthorized signer or writable account",
  ProgramEnvironmentSetupFailure: "Failed to create program execution environment",
  ProgramFailedToComplete: "Program failed to complete",
  ProgramFailedToCompile: "Program failed to compile",
  Immutable: "Account is immutable",
  IncorrectAuthority: "Incorrect authority provided",
  BorshIoError: "Failed to serialize or deserialize account data",
  AccountNotRentExempt: "An account does not have enough lamports to be rent-exempt",
  InvalidAccountOwner: "Invalid account owner",
  ArithmeticOverflow: "Program arithmetic overflowed",
  UnsupportedSysvar: "Unsupported sysvar",
  IllegalOwner: "Provided owner is not allowed",
  MaxAccountsDataAllocationsExceeded:
    "Accounts data allocations exceeded the maximum allowed per transaction",
  MaxAccountsExceeded: "Max accounts exceeded",
  MaxInstructionTraceLengthExceeded: "Max instruction trace length exceeded",
  BuiltinProgramsMustConsumeComputeUnits: "Builtin programs must consume compute units",
};
