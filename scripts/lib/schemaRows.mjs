/** Rows of reference pages, from the JSON Schema of a file that people write. */

export const cell = (text) => String(text).replaceAll('|', '\\|');
const code = (value) => `\`${cell(JSON.stringify(value))}\``;

/** What a key may hold, in words. */
function allowed(schema) {
  const { type, const: literal, enum: words, anyOf, items, minimum, exclusiveMinimum, maximum, pattern } = schema;
  if (literal !== undefined) return code(literal);
  if (words !== undefined) return words.map(code).join(', ');
  if (anyOf !== undefined) return anyOf.length > 12 ? 'see below' : anyOf.map(allowed).join(', ');
  if (type === 'array') return items.properties ? 'tables' : `list of ${allowed(items)}`;
  if (type === 'object') return 'table';
  const kind = type === 'integer' ? 'whole number' : type === 'string' ? 'text' : type;
  const from = exclusiveMinimum === undefined ? minimum : `above ${exclusiveMinimum}`;
  const range =
    from === undefined && maximum === undefined
      ? ''
      : `, ${from ?? ''}${maximum === undefined ? ' or more' : ` to ${maximum}`}`;
  return `${kind}${range}${pattern === undefined ? '' : ` like \`${cell(pattern)}\``}`;
}

/** What a table says of each key, tables of the file with their keys behind them. */
export function keyRows(schema, prefix = '') {
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const isNeeded = schema.required?.includes(name) && property.default === undefined;
    const row = {
      key: `\`${path}\``,
      allowed: allowed(property),
      fallback: isNeeded ? 'needed' : property.default === undefined ? '' : code(property.default),
      unit: property['x-unit'] ?? '',
      meaning: cell(property.description ?? ''),
    };
    if (property.type === 'object') return property.properties ? [row, ...keyRows(property, `${path}.`)] : [row];
    return property.items?.properties ? [row, ...keyRows(property.items, `${path}[].`)] : [row];
  });
}
