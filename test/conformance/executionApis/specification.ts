import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { root } from '../../repo/repository.ts';

interface Specification {
  readonly components: {
    readonly schemas: Record<
      string,
      { additionalProperties?: boolean; oneOf?: readonly object[]; anyOf?: readonly object[] }
    >;
  };
  readonly methods: Readonly<Record<string, { readonly result: object }>>;
}

/** A recorded request, and what kind of answer it got. */
export interface Exchange {
  readonly request: { readonly method: string; readonly params?: readonly unknown[] };
  readonly answer: 'result' | 'null' | 'error';
  readonly error?: { readonly code: number; readonly message: string };
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(root, 'test', 'conformance', 'executionApis', 'testdata', name), 'utf8'));

/** Our receipts have the fields of the interface document, too. */
const widened = ['ReceiptInfo'];

function load(): Specification {
  const specification = read('schemas.json') as Specification;
  const { schemas } = specification.components;
  for (const name of widened) delete schemas[name]!.additionalProperties;
  // An empty list is both of its alternatives, and official answers are empty lists, too.
  const { oneOf, ...results } = schemas['FilterResults']!;
  schemas['FilterResults'] = { ...results, anyOf: oneOf! };
  return specification;
}

const specification = load();
const ajv = new Ajv({ strict: false, allErrors: false });
ajv.addSchema(specification, 'spec');

/** Methods whose result has an official schema. */
export const specifiedMethods = Object.keys(specification.methods);

/** What is wrong with the result of a method; empty when nothing is. */
export function violations(method: string, result: unknown): readonly string[] {
  const schema = JSON.stringify(specification.methods[method]!.result).replaceAll('"#/', '"spec#/');
  const validate = ajv.compile(JSON.parse(schema) as object);
  validate(result);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${method}${instancePath} ${message}`);
}

/** The recorded exchanges by the file that they come from. */
export const exchanges = Object.entries(
  (read('exchanges.json') as { tests: Record<string, readonly Exchange[]> }).tests,
);
