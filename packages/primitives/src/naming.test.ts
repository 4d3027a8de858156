import { expect, it } from '@jest/globals';
import { camelCase, camelKeys } from './naming.ts';

it.each([
  ['', ''],
  ['listen', 'listen'],
  ['propose_ms', 'proposeMs'],
  ['private_peers_2_max', 'privatePeers2Max'],
])('%j is %j', (text, name) => {
  expect(camelCase(text)).toBe(name);
});

it('renames the keys of a table and nothing within', () => {
  expect(camelKeys({ size_min: { lot_size: 1 }, size: 2 })).toEqual({ sizeMin: { lot_size: 1 }, size: 2 });
});
