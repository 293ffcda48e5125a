// Off-chain JSON is of its author's making. Components need types that hold.

/** Members of an asset that come from off-chain JSON. */
interface AnyContent {
  links?: Members;
  metadata?: Members;
}

type Members = { [name: string]: unknown };

const rawContents = new WeakMap<object, unknown>();

/**
 * The content of an asset as the server sent it, with every link, description and attribute as its author wrote it.
 * Take it from an asset that a client gave, not from a copy.
 *
 * ```ts
 * const asset = await client.getAsset({ id });
 * console.log(asset.content.metadata.description, rawContent(asset));
 * ```
 */
export const rawContent = ({ content }: { readonly content: object }): unknown =>
  rawContents.get(content) ?? content;

/** The assets in a result: it is one, or a list or a page of them. */
export const normalizeAssets = (result: unknown): void => {
  const { items = [result] } = result as { readonly items?: readonly unknown[] };
  for (const asset of Array.isArray(result) ? result : items) if (isMembers(asset)) normalizeAsset(asset);
};

/**
 * Links and descriptions are text: numbers and booleans are written out, anything else is left out. Attributes are a
 * list of objects whose `trait_type` and `display_type` are text and whose value is no object; anything else is left out.
 */
export const normalizeAsset = (asset: unknown): void => {
  const { content, grouping } = asset as { content?: AnyContent; grouping?: readonly Members[] };
  if (content !== undefined) normalizeContent(content);
  for (const { collection_metadata: about } of grouping ?? [])
    if (isMembers(about)) for (const name of Object.keys(about)) about[name] = textOf(about[name]) ?? "";
};

const normalizeContent = (content: AnyContent): void => {
  const { links = {}, metadata = {} } = content;
  const raw = { ...content, links: { ...links }, metadata: { ...metadata } };
  const changes = [
    ...["image", "animation_url", "external_url"].map((name) => keep(links, name, textOf(links[name]))),
    keep(metadata, "description", textOf(metadata["description"])),
    keep(metadata, "attributes", attributesOf(metadata["attributes"])),
  ];
  if (changes.includes(true)) rawContents.set(content, raw);
};

/** Whether that changed the member. */
const keep = (members: Members, name: string, value: unknown): boolean => {
  if (members[name] === value) return false;
  if (value === undefined) delete members[name];
  else members[name] = value;
  return true;
};

/** The list itself where nothing is odd. */
const attributesOf = (value: unknown): readonly unknown[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const attributes = value.filter(isMembers).map(attributeOf);
  return attributes.length === value.length && attributes.every((one, index) => one === value[index])
    ? value
    : attributes;
};

const attributeOf = (attribute: Members): Members => {
  const shown = { ...attribute };
  const { trait_type: trait, display_type: display, value } = attribute;
  const changes = [
    keep(shown, "trait_type", textOf(trait)),
    keep(shown, "display_type", textOf(display)),
    keep(shown, "value", isScalar(value) ? value : undefined),
  ];
  return changes.includes(true) ? shown : attribute;
};

const textOf = (value: unknown): string | undefined => (isScalar(value) ? String(value) : undefined);

const isScalar = (value: unknown): value is string | number | bigint | boolean =>
  ["string", "number", "bigint", "boolean"].includes(typeof value);

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
