import { describe, expect, it } from '@jest/globals';
import { keccakHex } from '@prime/crypto';
import { utf8ToBytes } from '@prime/primitives';
import { Ajv } from 'ajv';
import { schemasDigest, validators } from './generated/validators.js';
import { paramsSchema } from './schema/paramsSchema.ts';
import { definitions } from './registry.ts';
import { parseParams } from './schema/validate.ts';
import { hintKey } from './schema/valueTypes.ts';

const ajv = new Ajv({ strict: true, strictTuples: false, allowUnionTypes: true });
ajv.addVocabulary([hintKey]);

describe('registry', () => {
  it('holds every name once', () => {
    const names = definitions.map((definition) => definition.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has validators that were made from the schemas as they are now', () => {
    const schemas = definitions.map((definition) => ({ name: definition.name, schema: paramsSchema(definition) }));
    expect(schemasDigest).toBe(keccakHex(utf8ToBytes(JSON.stringify(schemas))));
    expect(Object.keys(validators).sort()).toEqual(definitions.map((definition) => definition.name).sort());
  });

  it('offers every method of the contract that is built under its documented name', () => {
    const sameAnswers = new Set(['prime_getTransactionByHash', 'prime_getTransactionReceipt', 'prime_getLogs']);
    const aliases = [
      'chainId',
      'blockNumber',
      'getBalance',
      'gasPrice',
      'getCode',
      'getStorageAt',
      'getTransactionCount',
    ]
      .concat([
        'call',
        'getBlockByNumber',
        'getTransactionReceipt',
        'getTransactionByHash',
        'sendTransaction',
        'getLogs',
      ])
      .map((name) => [`prime_${name}`, `eth_${name}`]);
    for (const [native, ethereum] of aliases) {
      const pair = [native, ethereum].map((name) => definitions.find((definition) => definition.name === name));
      expect([native, pair[0]?.handler]).toEqual([native, pair[1]?.handler]);
      // Only the block has a format of its own, and what follows blocks.
      expect([native, pair[0]?.format, pair[1]?.format]).toEqual([
        native,
        sameAnswers.has(native!) ? 'eth' : 'native',
        'eth',
      ]);
    }
  });

  it('leaves nothing public that the privacy fork hides, under whatever name', () => {
    const hidden =
      /^debug_|^txpool_(content|inspect)|TransactionBy|Receipt|Logs$|_newFilter$|OpenOrders|DomainEvents|BlockActions/;
    for (const { name, privacy } of definitions.filter((definition) => hidden.test(definition.name)))
      expect([name, privacy]).not.toEqual([name, 'public']);
  });

  it('marks as heavy what runs code or reads without an end in sight', () => {
    const heavy =
      /_call$|estimateGas|createAccessList|simulate|^debug_|Logs$|Receipts$|feeHistory|DomainEvents|BlockActions|txpool_(content|inspect)$/;
    for (const { name, cost } of definitions.filter((definition) => heavy.test(definition.name)))
      expect([name, cost]).toEqual([name, 'heavy']);
  });

  for (const definition of definitions) {
    it(`${definition.name} has a summary, schemas and examples that satisfy them`, () => {
      expect(definition.summary.length).toBeGreaterThan(10);
      expect(definition.examples.length).toBeGreaterThan(0);
      const isResult = ajv.compile(definition.result);
      for (const example of definition.examples) {
        expect(() => parseParams(definition, example.params)).not.toThrow();
        isResult(example.result);
        expect(isResult.errors).toBeNull();
      }
    });
  }
});
