import { describe, expect, it } from '@jest/globals';
import { LightNetwork, startMs } from '../testing/lightNetwork.ts';
import { refusal } from '../testing/lightRefusal.ts';
import { type LightBlock, type LightTrust, trustBlock, trustGenesis, verifyBlock } from './index.ts';

const network = new LightNetwork();
const nowMs = startMs + 3_000_000;
const block = network.block(5);
const root = trustGenesis(network.genesis);

describe('genesis', () => {
  it('is the one with the hash, or another network', () => {
    const { hash } = network;
    expect(trustGenesis(network.genesis, { hash })).toEqual(root);
    expect(refusal(() => trustGenesis({ ...network.genesis, networkName: 'x' }, { hash }))).toMatchObject({
      kind: 'wrong_network',
      data: { expected: hash },
    });
  });

  it.each([
    ['no validators', { validators: [] }],
    ['validators that are no list', { validators: 7 }],
    ['a negative stake', { validators: [{ ...(network.genesis.validators[0] as object), stake: '-1' }] }],
    ['a time that is none', { timestampMs: 'now' }],
    ['no order book', { clob: undefined }],
    ['an account that is none', { alloc: { '0x1': { balance: '1' } } }],
  ])('with %s', (_, changes) => {
    const malformed = { ...network.genesis, ...changes } as never;
    expect(refusal(() => trustGenesis(malformed)).kind).toBe('malformed');
    expect(refusal(() => verifyBlock(malformed, { blocks: block, nowMs })).kind).toBe('malformed');
  });

  it.each([null, undefined, 'genesis', 7])('%p is none', (value) => {
    expect(refusal(() => verifyBlock(value as never, { blocks: block, nowMs })).kind).toBe('malformed');
  });
});

describe('a block that somebody vouches for', () => {
  it('is trusted by its hash, without a look at who signed', () => {
    const unsigned = network.block(500, { signers: [] });
    const from = trustBlock(root, unsigned.commit.blockHash, unsigned);
    expect(from).toMatchObject({ blockNumber: 500, blockHash: unsigned.commit.blockHash, genesisHash: network.hash });
    expect(verifyBlock(from, { blocks: network.block(501), nowMs }).number).toBe(501n);
  });

  it('is refused with another hash, other validators, or of another chain', () => {
    const at = (trusted: LightBlock, hash = trusted.commit.blockHash) =>
      refusal(() => trustBlock(root, hash, trusted)).kind;
    expect(at(block, `0x${'12'.repeat(32)}`)).toBe('wrong_block');
    expect(at({ ...block, validators: block.validators.slice(1) })).toBe('wrong_block');
    expect(at({ ...block, commit: { ...block.commit, height: 6n } })).toBe('wrong_block');
    expect(at(new LightNetwork({ genesis: { chainId: 78 } }).block(5))).toBe('wrong_network');
  });
});

describe('a trust that was kept', () => {
  const changed: Readonly<Record<keyof LightTrust, readonly unknown[]>> = {
    format: [2, '1', null],
    chainId: ['77', -1, 1.5],
    genesisHash: ['0x12', null],
    trustingPeriodMs: ['1', -1],
    levelProofs: [1, null],
    blockNumber: [-1, 2 ** 53, '0'],
    blockHash: ['', undefined],
    timestampMs: [Number.NaN, '1'],
    validators: [
      [],
      null,
      [{}],
      [{ ...root.validators[0], power: 'x' }],
      [{ ...root.validators[0], publicKey: '0x02' }],
    ],
    nextValidatorsHash: ['0x'],
  };

  it('has all its fields in this test', () => {
    expect(Object.keys(changed).toSorted()).toEqual(Object.keys(root).toSorted());
  });

  it.each(Object.entries(changed))('is refused with another %s', (field, values) => {
    for (const value of values)
      expect(refusal(() => verifyBlock({ ...root, [field]: value } as never, { blocks: block, nowMs })).kind).toBe(
        'malformed',
      );
  });
});
