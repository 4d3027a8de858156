import type { TSchema } from '@sinclair/typebox';
import { refusalNumbers } from '../errors/actionErrors.ts';
import { isContractMethod } from './contract.ts';
import type { Example, MethodDefinition, Parameter } from '../define.ts';
import { type RpcErrorCode, rpcErrorNumber } from '../errors/errors.ts';
import { meaningOf } from './meanings.ts';
import { nullable } from '../schema/valueTypes.ts';

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
  /** Meaning and unit. */
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** Method object of OpenRPC, as far as this interface uses it. */
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
    params: params.map((parameter) => describeParameter(name, parameter, shapes)),
    result: { name: 'result', schema: publish(result, { shapes, path: [name, 'result'] }) },
    errors: errors.map(describeError),
    examples: examples.map((example, index) => describeExample(definition, example, index)),
  };
}

function describeParameter(
  method: string,
  { name, type, required }: Parameter,
  shapes: Map<string, JsonSchema>,
): OpenRpcContent {
  const path = [method, name];
  const schema = publish(required ? type.schema : nullable(type.schema), { shapes, path });
  return { name, ...describedBy(path), required, schema };
}

function describedBy(path: readonly string[]): { readonly description?: string } {
  const description = meaningOf(path);
  return description === null ? {} : { description };
}

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

/** Where a schema stands: names from its method or titled shape down, and the shapes that were met so far. */
interface Place {
  readonly path: readonly string[];
  readonly shapes: Map<string, JsonSchema>;
}

/**
 * A schema as readers get it: what each field means as its description, and shapes with a title as references to one common place. What a value
 * must be, in the words of refusals, stays beside it.
 */
function publish(schema: TSchema, { shapes, path }: Place): JsonSchema {
  const { title } = schema;
  if (typeof title !== 'string') return publishParts(schema, { shapes, path });
  if (!shapes.has(title)) {
    // Taken before it is filled: shapes that hold themselves would not end.
    shapes.set(title, {});
    shapes.set(title, publishParts(schema, { shapes, path: [title] }));
  }
  return { $ref: `#/components/schemas/${title}` };
}

function publishParts(schema: TSchema, place: Place): JsonSchema {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === 'properties') return [key, publishFields(value as Schemas, place)];
    if (key === 'patternProperties') return [key, publishEach(value as Schemas, place)];
    if (key === 'anyOf' || key === 'allOf' || key === 'oneOf')
      return [key, (value as TSchema[]).map((part) => publish(part, place))];
    if (key === 'items' && Array.isArray(value)) return [key, value.map((part: TSchema) => publish(part, place))];
    if ((key === 'items' || key === 'not') && isSchema(value)) return [key, publish(value, place)];
    return [key, value];
  });
  return Object.fromEntries(entries);
}

type Schemas = Readonly<Record<string, TSchema>>;

function publishFields(schemas: Schemas, { shapes, path }: Place): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const own = [...path, name];
      return [name, { ...publish(schema, { shapes, path: own }), ...describedBy(own) }];
    }),
  );
}

const publishEach = (schemas: Schemas, place: Place): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, publish(schema, place)]));
const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null;
