// The form of the try-it panel: it writes the call by name from the fields that are filled in, and fills them from a call.

/** Numbers that a double would change keep their digits, where the browser can. */
const keepDigits = (_name, value, context) =>
  typeof value === "number" && context?.source !== undefined && context.source !== String(value)
    ? JSON.rawJSON(context.source)
    : value;

const valueOf = ({ value, dataset }) => {
  const text = value.trim();
  if (dataset.kind === "json") return JSON.parse(text);
  if (dataset.kind === "pair") return text.split(/[\s,]+/);
  return dataset.kind === "integer" && /^(?:0|[1-9]\d*)$/.test(text) ? JSON.parse(text, keepDigits) : text;
};

const textOf = (value, { kind }) => {
  if (value === undefined || value === null) return "";
  if (kind === "json") return JSON.stringify(value);
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
};

const paramsOf = (request) => {
  try {
    return JSON.parse(request, keepDigits).params ?? {};
  } catch {
    return {};
  }
};

/** @returns fills the fields from the request, while the form is open */
export const startFields = (form) => {
  const holder = form.querySelector("[data-fields]");
  if (holder === null) return () => {};
  const details = holder.closest("details");
  const fields = [...holder.querySelectorAll("[data-path]")];
  const fill = () => {
    if (!details.open) return;
    const params = paramsOf(form.elements.request.value);
    for (const field of fields) {
      const [name, member] = field.dataset.path.split(".");
      field.value = textOf(member === undefined ? params[name] : params[name]?.[member], field.dataset);
    }
  };
  details.addEventListener("toggle", fill);
  holder.addEventListener("input", () => {
    const params = {};
    for (const field of fields) {
      if (field.value.trim() === "") continue;
      const [name, member] = field.dataset.path.split(".");
      if (member === undefined) params[name] = valueOf(field);
      else (params[name] ??= {})[member] = valueOf(field);
    }
    form.elements.request.value = JSON.stringify(
      { jsonrpc: "2.0", id: 1, method: holder.dataset.fields, params },
      null,
      2,
    );
  });
  return fill;
};
