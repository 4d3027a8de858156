import { describe, expect, it } from '@jest/globals';
import * as metaSchemaModule from '@open-rpc/meta-schema';
import { Ajv } from 'ajv';
import { contract, contractMethods } from './contract.ts';
import { openRpcDocument } from './openRpc.ts';
import { definitions } from '../registry.ts';
import { hintKey } from '../schema/valueTypes.ts';

// The package's types describe documents, not its one export.
const { openrpcDocument: metaSchema } = metaSchemaModule as unknown as { openrpcDocument: Record<string, unknown> };
const document = openRpcDocument(definitions, '1.2.3');
const text = JSON.stringify(document);

describe('OpenRPC document', () => {
  it('is one by the standard’s own schema', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, formats: { uri: true } });
    // The standard leaves schemas to JSON Schema, whose draft 7 ajv brings along; of that it names the type of `$ref`.
    ajv.addSchema({ $id: 'https://meta.json-schema.tools', $ref: 'http://json-schema.org/draft-07/schema#' });
    const typeOfRef = '"$ref":"https://meta.json-schema.tools/#/definitions/JSONSchemaObject/properties/$ref"';
    const resolved = JSON.stringify(metaSchema).replaceAll(typeOfRef, '"type":"string"');
    const isDocument = ajv.compile({ ...JSON.parse(resolved), $schema: 'http://json-schema.org/draft-07/schema#' });
    isDocument(document);
    expect(isDocument.errors).toBeNull();
  });

  it('has every definition once, in the order of the registry, with all its parameters', () => {
    expect(document.methods.map(({ name }) => name)).toEqual(definitions.map(({ name }) => name));
    for (const [index, method] of document.methods.entries())
      expect(method.params.map(({ name }) => name)).toEqual(definitions[index]!.params.map(({ name }) => name));
  });

  it('refers only to shapes that it holds, and to each of them', () => {
    const referred = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(referred)).toEqual(new Set(Object.keys(document.components.schemas)));
  });

  it('says of every parameter and field what it means, and what a value must be beside it', () => {
    const unsaid: string[] = [];
    const look = (where: string, { description }: { readonly description?: unknown }): void => {
      const isMeaning = typeof description === 'string' && description.endsWith('.') && !description.startsWith('must');
      if (!isMeaning) unsaid.push(where);
    };
    const walk = (where: string, value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, part] of Object.entries(value)) {
        if (key === 'properties')
          for (const [name, field] of Object.entries(part as object)) look(`${where}.${name}`, field as object);
        walk(key === 'properties' || key === 'items' || key === 'anyOf' ? where : `${where}.${key}`, part);
      }
    };
    for (const { name, params, result } of document.methods) {
      for (const parameter of params) {
        look(`${name}(${parameter.name})`, parameter);
        walk(`${name}(${parameter.name})`, parameter.schema);
      }
      walk(`${name} result`, result.schema);
    }
    walk('', document.components.schemas);
    expect(unsaid).toEqual([]);
    expect(text).toContain(`"${hintKey}":"must be 0x and 40 hex digits"`);
    expect(text).not.toContain('"description":"must');
  });

  it('tells two shapes of one name apart', () => {
    const shapes = new Map<string, string>();
    for (const { result } of definitions)
      JSON.stringify(result, (_key, value: unknown) => {
        if (typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string') {
          const shape = JSON.stringify(value);
          expect([value.title, shapes.get(value.title) ?? shape]).toEqual([value.title, shape]);
          shapes.set(value.title, shape);
        }
        return value;
      });
    expect(shapes.size).toBeGreaterThan(10);
  });

  it('marks the methods of the interface document, 63 in seven namespaces', () => {
    const counts = Object.entries(contract).map(([namespace, names]) => [namespace, names.length]);
    expect(Object.fromEntries(counts)).toEqual({
      eth: 30,
      net: 3,
      web3: 1,
      txpool: 1,
      prime: 15,
      primeorders: 9,
      primebridge: 4,
    });
    expect(new Set(contractMethods).size).toBe(63);
    const marked = document.methods.filter(({ tags }) => tags.some(({ name }) => name === 'contract'));
    expect(new Set(marked.map(({ name }) => name))).toEqual(new Set(contractMethods));
  });
});
