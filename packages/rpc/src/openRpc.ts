import type { TSchema } from '@sinclair/typebox';
import { refusalNumbers } from './actionErrors.ts';
import { isContractMethod } from './contract.ts';
import type { Example, MethodDefinition, Parameter } from './define.ts';
import { type RpcErrorCode, rpcErrorNumber } from './errors.ts';
import { hintKey, nullable } from './valueTypes.ts';

/**
 * The interface as one OpenRPC document (https://spec.open-rpc.org, version 1.3.2), made from the definitions: what
 * `rpc.discover` answers and what the reference pages are rendered from.
 */
export interface OpenRpcDocument {
  readonly openrpc: '1.3.2';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly methods: readonly OpenRpcMethod[];
  /** Shapes that several methods share, by their title. */
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

type JsonSchema = Readonly<Record<string, unknown>>;

interface OpenRpcContent {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface OpenRpcMethod {
  readonly name: string;
  readonly summary: string;
  /** The namespace, and `contract` for the methods of the interface document or `extension` for the others. */
  readonly tags: readonly { readonly name: string }[];
  readonly paramStructure: 'by-position';
  readonly params: readonly OpenRpcContent[];
  readonly result: OpenRpcContent;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly examples: readonly OpenRpcExample[];
}

interface OpenRpcExample {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly value: unknown }[];
  readonly result: { readonly name: string; readonly value: unknown };
}

const description =
  'JSON-RPC 2.0 of a Prime node over HTTP POST: an Ethereum-compatible interface, native equivalents under prime_, ' +
  'the order book under primeorders_ and the bridge under primebridge_.';

/** @param version of the node software */
export function openRpcDocument(definitions: readonly MethodDefinition[], version: string): OpenRpcDocument {
  const shapes = new Map<string, JsonSchema>();
  const methods = definitions.map((definition) => describeMethod(definition, shapes));
  const schemas = Object.fromEntries([...shapes].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    openrpc: '1.3.2',
    info: { title: 'Prime JSON-RPC', version, description },
    methods,
    components: { schemas },
  };
}

function describeMethod(definition: MethodDefinition, shapes: Map<string, JsonSchema>): OpenRpcMethod {
  const { name, summary, params, result, errors, examples } = definition;
  const [namespace = name] = name.split(/[._]/);
  return {
    name,
    summary,
    tags: [{ name: namespace }, { name: isContractMethod(name) ? 'contract' : 'extension' }],
    paramStructure: 'by-position',
    params: params.map((parameter) => describeParameter(parameter, shapes)),
    result: { name: 'result', schema: publish(result, shapes) },
    errors: errors.map(describeError),
    examples: examples.map((example, index) => describeExample(definition, example, index)),
  };
}

const describeParameter = ({ name, type, required }: Parameter, shapes: Map<string, JsonSchema>): OpenRpcContent => ({
  name,
  required,
  schema: publish(required ? type.schema : nullable(type.schema), shapes),
});

/** `RPC_BLOCK_NOT_FOUND` is told as "block not found". */
function describeError(code: RpcErrorCode): { code: number; message: string } {
  if (code === 'RPC_ACTION_REFUSED')
    return {
      code: refusalNumbers.last,
      message: `refused: ${refusalNumbers.first} to ${refusalNumbers.last}, data.kind says why`,
    };
  return { code: rpcErrorNumber(code), message: code.replace(/^RPC_/, '').replaceAll('_', ' ').toLowerCase() };
}

const describeExample = (
  { name, params }: MethodDefinition,
  { params: values, result, situation }: Example,
  index: number,
): OpenRpcExample => ({
  name: situation ?? (index === 0 ? name : `${name} ${index + 1}`),
  params: values.map((value, place) => ({ name: params[place]!.name, value })),
  result: { name: 'result', value: result },
});

/**
 * A schema as readers get it: hints under the name that JSON Schema has for them, and shapes with a title as references to one
 * common place.
 */
function publish(schema: TSchema, shapes: Map<string, JsonSchema>): JsonSchema {
  const published = publishParts(schema, shapes);
  const { title } = published;
  if (typeof title !== 'string') return published;
  shapes.set(title, published);
  return { $ref: `#/components/schemas/${title}` };
}

function publishParts(schema: TSchema, shapes: Map<string, JsonSchema>): JsonSchema {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === hintKey) return ['description', value];
    if (key === 'properties' || key === 'patternProperties') return [key, publishEach(value as Schemas, shapes)];
    if (key === 'anyOf' || key === 'allOf' || key === 'oneOf')
      return [key, (value as TSchema[]).map((part) => publish(part, shapes))];
    if (key === 'items' && Array.isArray(value)) return [key, value.map((part: TSchema) => publish(part, shapes))];
    if ((key === 'items' || key === 'not') && isSchema(value)) return [key, publish(value, shapes)];
    return [key, value];
  });
  return Object.fromEntries(entries);
}

type Schemas = Readonly<Record<string, TSchema>>;
const publishEach = (schemas: Schemas, shapes: Map<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, publish(schema, shapes)]));
const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null;
