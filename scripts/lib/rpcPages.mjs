/** The pages of docs/rpc, rendered from the OpenRPC document that `rpc.discover` answers. */

const note = '<!-- Made by `npm run docs` from the definitions in `packages/rpc/src/methods`; edit them there. -->';
const json = (value) => JSON.stringify(value, null, 2);
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const namespaceOf = (method) => method.tags[0].name;
const isContract = (method) => method.tags.some((tag) => tag.name === 'contract');
const anchor = (name) => name.toLowerCase().replace(/[^\w-]/g, '');
const shapeName = (schema) => schema.$ref?.split('/').at(-1);
const link = (name) => `[${name}](shapes.md#${anchor(name)})`;

/** What a value must be, in the words of refusals. */
const hint = 'x-hint';

/** One line for a schema: what a reader needs, with links to the shapes that have a name. */
function inline(schema) {
  if (schema.$ref) return link(shapeName(schema));
  if (Object.hasOwn(schema, 'const')) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.anyOf) return inlineUnion(schema);
  if (schema.type === 'array') return `list of ${Array.isArray(schema.items) ? 'values' : inline(schema.items ?? {})}`;
  if (schema.type === 'object') return schema.properties ? 'object' : 'map';
  if (schema[hint]) return `${schema.type ?? 'any'}, ${schema[hint].replace(/^must be /, '')}`;
  return schema.type ?? 'any';
}

function inlineUnion(schema) {
  if (schema[hint]) return schema[hint].replace(/^must be /, '');
  return [...new Set(schema.anyOf.map(inline))].join(' or ');
}

/** The object inside a schema that a reader wants to see field by field: it, an item of it, or what is not null of it. */
function objectIn(schema) {
  if (schema.type === 'object' && schema.properties) return schema;
  if (schema.type === 'array' && schema.items && !Array.isArray(schema.items)) return objectIn(schema.items);
  return schema.anyOf?.map(objectIn).find(Boolean);
}

function fieldRows(schema, prefix = '') {
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : 'optional';
    const inner = field.$ref ? undefined : objectIn(field);
    const row = `| \`${prefix}${name}\` | ${cell(inline(field))} | ${optional} | ${cell(field.description)} |`;
    const list = field.type === 'array' || field.anyOf?.some((part) => part.type === 'array') ? '[]' : '';
    return inner ? [row, ...fieldRows(inner, `${prefix}${name}${list}.`)] : [row];
  });
}

const fieldTable = (schema) => {
  const object = objectIn(schema);
  return object ? ['', '| Field | Value | | Meaning |', '|---|---|---|---|', ...fieldRows(object)] : [];
};

function parameterLines(method) {
  if (method.params.length === 0) return ['', 'Parameters: none.'];
  const rows = method.params.map(
    ({ name, description, required, schema }, index) =>
      `| ${index + 1} | \`${name}\` | ${cell(inline(schema))} | ${required ? '' : 'optional'} | ${cell(description)} |`,
  );
  const lines = ['', '| | Parameter | Value | | Meaning |', '|---|---|---|---|---|', ...rows];
  for (const { name, schema } of method.params) {
    const table = fieldTable(schema);
    if (table.length > 0) lines.push('', `\`${name}\`:`, ...table);
  }
  return lines;
}

function exampleLines(method) {
  return method.examples.flatMap((example) => {
    const request = { jsonrpc: '2.0', id: 1, method: method.name, params: example.params.map(({ value }) => value) };
    const answer = { jsonrpc: '2.0', id: 1, result: example.result.value };
    const situation = example.name.startsWith(method.name)
      ? []
      : ['', `${example.name[0].toUpperCase()}${example.name.slice(1)}:`];
    return [...situation, '', '```json', JSON.stringify(request), '```', '', '```json', json(answer), '```'];
  });
}

function methodLines(method) {
  const errors = method.errors.map(({ code, message }) => `${code} ${message}`);
  return [
    '',
    `## ${method.name}`,
    '',
    `${method.summary}${isContract(method) ? '' : ' *(extension)*'}`,
    ...parameterLines(method),
    '',
    `Result: ${inline(method.result.schema)}`,
    ...(method.result.schema.$ref ? [] : fieldTable(method.result.schema)),
    ...(errors.length > 0 ? ['', `Errors: ${errors.join(' · ')}`] : []),
    ...exampleLines(method),
  ];
}

function indexPage(document, namespaces) {
  const contract = document.methods.filter(isContract).length;
  const lines = [
    '# JSON-RPC',
    '',
    note,
    '',
    document.info.description,
    '',
    `${document.methods.length} methods; ${contract} of them are the contract that clients may rely on, the others are extensions that`,
    'tools call. The same as one document: [openrpc.json](openrpc.json), or `rpc.discover` of a running node. Shapes that several methods',
    'share stand in [shapes.md](shapes.md). Errors: JSON-RPC numbers here, and every code in [../reference/errors.md](../reference/errors.md).',
  ];
  for (const namespace of namespaces) {
    const methods = document.methods.filter((method) => namespaceOf(method) === namespace);
    lines.push('', `## ${namespace}`, '', '| Method | | |', '|---|---|---|');
    for (const method of methods)
      lines.push(
        `| [${method.name}](${namespace}.md#${anchor(method.name)}) | ${cell(method.summary)} | ${isContract(method) ? 'contract' : ''} |`,
      );
  }
  return lines;
}

function shapesPage(schemas) {
  const lines = ['# Shapes', '', note];
  for (const [name, schema] of Object.entries(schemas)) {
    lines.push('', `## ${name}`, '');
    if (schema.type !== 'object') lines.push(`${schema.type}, \`${schema.pattern}\``);
    else {
      lines.push(schema.additionalProperties === true ? 'Object; more fields may come.' : 'Object.');
      lines.push(...fieldTable(schema));
    }
  }
  return lines;
}

/** @returns file contents by path from the root of the repository */
export function rpcPages(document) {
  const namespaces = [...new Set(document.methods.map(namespaceOf))];
  const pages = {
    'docs/rpc/README.md': indexPage(document, namespaces),
    'docs/rpc/shapes.md': shapesPage(document.components.schemas),
  };
  for (const namespace of namespaces) {
    const methods = document.methods.filter((method) => namespaceOf(method) === namespace);
    pages[`docs/rpc/${namespace}.md`] = [`# ${namespace}`, '', note, ...methods.flatMap(methodLines)];
  }
  const texts = Object.entries(pages).map(([path, lines]) => [path, `${lines.join('\n')}\n`]);
  return Object.fromEntries([...texts, ['docs/rpc/openrpc.json', `${json(document)}\n`]]);
}
