/** One parameter as the contract lists it: positional ones first, in order. */
export interface ParameterSpec {
  readonly name: string;
  readonly required: boolean;
  readonly aliases: readonly string[];
  /** Known by name, without a position. */
  readonly byNameOnly: boolean;
  /** Name of its schema, or the JSON type of one without a name. */
  readonly type: string;
  /** Known members, when the parameter is an object. */
  readonly members: readonly string[];
}
