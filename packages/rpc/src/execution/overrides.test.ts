import { describe, expect, it } from '@jest/globals';
import type { AccountOverride, BlockOverrides } from '@prime/codec';
import { call } from '../methods/eth/execute/call.ts';
import { estimateGas } from '../methods/eth/execute/estimateGas.ts';
import type { CallRequest } from '../ports/ports.ts';
import { sample } from '../schema/samples.ts';
import { parseParams } from '../schema/validate.ts';

const to = sample.address;
const word = `0x${'0'.repeat(63)}1`;

describe('overrides of eth_call and eth_estimateGas', () => {
  it.each([call, estimateGas])('$name: every field arrives in its working form', (definition) => {
    const [, , accounts, header] = parseParams(definition, [
      { to },
      'latest',
      {
        [to.toUpperCase().replace('0X', '0x')]: {
          nonce: '0x1',
          balance: '0x2',
          code: '0x60',
          stateDiff: { '0x1': word },
        },
      },
      { number: '0x10', time: '0x20', gasLimit: '0x30', feeRecipient: to, prevRandao: '0x5', baseFeePerGas: '0x6' },
    ]) as [CallRequest, unknown, AccountOverride[], BlockOverrides];
    expect(accounts).toEqual([
      {
        address: to,
        nonce: 1n,
        balance: 2n,
        code: Uint8Array.of(0x60),
        state: null,
        stateDiff: [{ slot: word, value: word }],
        movePrecompileTo: null,
      },
    ]);
    expect(header).toEqual({
      height: 16,
      timestampMs: 32_000,
      gasLimit: 48n,
      feeRecipient: to,
      prevRandao: `0x${'0'.repeat(63)}5`,
      baseFee: 6n,
      blobBaseFee: null,
    });
  });

  it.each([
    [{ [to]: { state: {}, stateDiff: {} } }, {}, /has both 'state' and 'stateDiff'/],
    [{ [to]: { balanc: '0x1' } }, {}, /balanc is not a known field/],
    [{ '0x12': {} }, {}, /key that is not 0x and 40 hex digits/],
    [{ [to]: { state: { foo: word } } }, {}, /key that is not 0x and 1 to 64 hex digits/],
    [{ [to]: { stateDiff: { '0x1': '0x1' } } }, {}, /must be 0x and 64 hex digits|slots and 32-byte words/],
    [{}, { timestamp: '0x1' }, /timestamp is not a known field/],
    [{}, { time: '0xfffffffffffff' }, /blockOverrides.time must be at most/],
  ])('%j %j: refused as invalid params', (accounts, header, words) => {
    expect(() => parseParams(call, [{ to }, 'latest', accounts, header])).toThrow(
      expect.objectContaining({ code: 'RPC_INVALID_PARAMS', message: expect.stringMatching(words) }),
    );
  });

  it.each(['blobs', 'blobVersionedHashes', 'maxFeePerBlobGas'])('a call object with %s: refused', (field) => {
    expect(() => parseParams(call, [{ to, [field]: '0x1' }])).toThrow(
      /blob transactions, which this chain does not have/,
    );
  });

  it('a call object takes authorizations as eth_sendTransaction does', () => {
    const wire = { chainId: '0x1eef', address: to, nonce: '0x0', yParity: '0x1', r: word, s: '0x2' };
    const [request] = parseParams(call, [{ to, authorizationList: [wire] }]) as [CallRequest];
    expect(request.authorizationList).toEqual([{ chainId: 7919n, address: to, nonce: 0n, yParity: 1n, r: 1n, s: 2n }]);
  });
});
