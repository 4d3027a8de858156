// Writes src/generated/methods.ts: every method of the node as a type, from the definitions of @prime/rpc. Runs in the build between the
// compiler's work on rpc and that on the SDK. The file is kept in git, so that a change of the interface shows as a change of the SDK.
//
//   node packages/sdk/scripts/generateMethods.mjs            writes the file where it differs
//   node packages/sdk/scripts/generateMethods.mjs --check    writes nothing, and fails where it differs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { definitions, openRpcDocument } from '@prime/rpc';

const target = new URL('../src/generated/methods.ts', import.meta.url);
const { methods, components } = openRpcDocument(definitions, '');

/** Words of JSON Schema that say nothing about the type, or less than TypeScript can say. */
const silent = new Set([
  '$schema',
  'description',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minimum',
  'not',
  'pattern',
  'title',
  'x-hint',
]);
const spoken = new Set([
  '$ref',
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'items',
  'patternProperties',
  'properties',
  'required',
  'type',
]);

const indent = (text) => text.replaceAll('\n', '\n  ');
const docs = (text) => (text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`);
const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);
const shapeName = (ref) => `Rpc${ref.split('/').at(-1)}`;

/** Types joined by a sign, each once; unions and functions inside of other types stand in parentheses. */
function joined(types, sign) {
  const each = [...new Set(types)];
  return each.length === 1
    ? each[0]
    : each.map((type) => (/ [|&] /.test(topLevel(type)) ? `(${type})` : type)).join(` ${sign} `);
}
/** The text of a type without what stands in braces. */
function topLevel(type) {
  let depth = 0;
  let text = '';
  for (const character of type) {
    if ('{[(<'.includes(character)) depth++;
    else if ('}])>'.includes(character)) depth--;
    else if (depth === 0) text += character;
  }
  return text;
}

/** @param path where the schema stands, for errors */
function typeOf(schema, path) {
  for (const word of Object.keys(schema))
    if (!silent.has(word) && !spoken.has(word)) throw new Error(`${path}: the generator does not know "${word}"`);
  if (schema.$ref !== undefined) return shapeName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf, path);
  if (schema.allOf !== undefined)
    return joined(
      schema.allOf.map((part) => typeOf(part, path)),
      '&',
    );
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return arrayOf(schema, path);
    case 'object':
      return objectOf(schema, path);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`${path}: the generator does not know the type ${schema.type}`);
  }
}

function unionOf(parts, path) {
  const types = parts.map((part) => typeOf(part, path));
  // What takes any hex text takes also the narrower ones beside it.
  return joined(
    types.flatMap((type) => (type.includes('{') || type.includes('[') ? [type] : type.split(' | '))),
    '|',
  );
}

/** Hex is what starts with 0x in every form that the pattern allows. */
function stringOf({ pattern }) {
  if (pattern === undefined) return 'string';
  if (pattern.startsWith('^0x')) return 'Hex';
  return pattern.startsWith('^-?0x') ? 'SignedHex' : 'string';
}

function arrayOf({ items }, path) {
  if (items === undefined) return 'readonly unknown[]';
  if (Array.isArray(items))
    return `readonly [${items.map((item, index) => typeOf(item, `${path}/${index}`)).join(', ')}]`;
  const type = typeOf(items, `${path}[]`);
  return / [|&] /.test(topLevel(type))
    ? `readonly (${type})[]`
    : `readonly ${type.startsWith('readonly') ? `(${type})` : type}[]`;
}

function objectOf(schema, path) {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name);
    const type = typeOf(field, `${path}/${name}`);
    const nullish = isRequired
      ? type
      : joined([...(topLevel(type) === type ? type.split(' | ') : [type]), 'undefined'], '|');
    return `${docs(field.description)}readonly ${key(name)}${isRequired ? '' : '?'}: ${nullish};`;
  });
  const values = Object.values(patternProperties ?? {}).map((value) => typeOf(value, path));
  if (values.length > 0 && fields.length === 0) return `{ readonly [key: string]: ${joined(values, '|')} }`;
  if (fields.length === 0)
    return additionalProperties === false ? 'Record<string, never>' : '{ readonly [key: string]: unknown }';
  return `{\n  ${fields.map(indent).join('\n  ')}\n}`;
}

function parametersOf({ name, params }) {
  const items = params.map((parameter) => {
    const type = typeOf(parameter.schema, `${name}(${parameter.name})`);
    // rpc marks what may be left out at the end; null stands for it in the middle.
    return `${identifier(parameter.name)}${parameter.required ? '' : '?'}: ${type}`;
  });
  return items.length === 0 ? 'undefined' : `[${items.join(', ')}]`;
}
const identifier = (name) => (/^\w+$/.test(name) ? name : name.replace(/\W/g, '_'));

const shapes = Object.entries(components.schemas).map(
  ([name, schema]) =>
    `${docs(schema.description ?? `Shape "${name}" of the interface.`)}export type Rpc${name} = ${typeOf(schema, name)};`,
);
const entries = methods.map((method) => {
  const { name, summary, result } = method;
  const body = `readonly parameters: ${parametersOf(method)};\nreadonly result: ${typeOf(result.schema, `${name} result`)};`;
  return `${docs(summary)}readonly ${key(name)}: {\n  ${indent(body)}\n};`;
});
const rows = methods.map(({ name }) => `Row<'${name}'>`);

const text = `// Made by packages/sdk/scripts/generateMethods.mjs from the definitions of @prime/rpc. Do not edit: the build writes it anew.
import type { Hex } from 'viem';

/** A quantity that may be negative: \`-0x1f\`. */
export type SignedHex = Hex | \`-\${Hex}\`;

${shapes.join('\n\n')}

/** Every method of a node: its parameters by position (undefined where it takes none) and its answer, as JSON has them. */
export interface RpcMethods {
  ${entries.map(indent).join('\n  ')}
}

/** Name of a method. */
export type RpcMethodName = keyof RpcMethods;
/** Positional parameters of a method as they go over the wire: hex quantities, snake_case keys. */
export type RpcParameters<method extends RpcMethodName> = RpcMethods[method]['parameters'];
/** Result of a method as it comes over the wire: hex quantities, snake_case keys. */
export type RpcResult<method extends RpcMethodName> = RpcMethods[method]['result'];

interface Row<method extends RpcMethodName> {
  readonly Method: method;
  readonly Parameters: RpcParameters<method>;
  readonly ReturnType: RpcResult<method>;
}

/**
 * Every method for viem's \`rpcSchema\`: \`createPublicClient({ rpcSchema: rpcSchema<PrimeRpcSchema>(), … })\` types \`client.request\`.
 */
export type PrimeRpcSchema = [
  ${rows.join(',\n  ')},
];
`;

const existing = (() => {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return '';
  }
})();
if (process.argv.includes('--check')) {
  if (existing !== text) {
    process.stderr.write(
      'packages/sdk/src/generated/methods.ts is not what the definitions say: run `npm run build` and commit it\n',
    );
    process.exitCode = 1;
  } else process.stdout.write(`${methods.length} methods\n`);
} else if (existing !== text) {
  mkdirSync(new URL('.', target), { recursive: true });
  writeFileSync(target, text);
}
