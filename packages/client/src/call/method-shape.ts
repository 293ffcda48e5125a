/** The facts about its parameters and results that a method needs; they are in every bundle, so there are no more. */
export interface MethodShape {
  /** Names of the parameters of a method whose first position may hold an object, to distinguish the two. */
  readonly names?: readonly string[];
  /** Member of a page that holds its items, and the parameter of the first position. */
  readonly pages?: readonly [items: string, first: string];
}
