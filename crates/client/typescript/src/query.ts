// Addresses of operations.

type Values = Record<string, unknown>;

/** Puts the parameters into the path: each is one segment, whatever it contains. */
export function fillPath(template: string, values: Values = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value !== "string" || value === "" || /^\.\.?$/.test(value)) {
      throw new TypeError(`the path parameter ${name} must be a text that is not empty`);
    }
    return encodeURIComponent(value);
  });
}

/** The query: a list repeats its name, and an object has its keys in brackets. */
export function writeQuery(values: Values = {}): string {
  const query = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) value.forEach((item) => query.append(name, String(item)));
    else if (typeof value === "object") {
      Object.entries(value).forEach(([key, item]) => add(`${name}[${key}]`, item));
    } else query.append(name, String(value));
  };
  Object.entries(values).forEach(([name, value]) => add(name, value));
  const text = query.toString();
  return text && `?${text}`;
}
