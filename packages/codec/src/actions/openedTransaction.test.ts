import { describe, expect, it } from '@jest/globals';
import { type Address, hexToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { decodeNativeTransaction, encodeNativeTransaction } from './nativeTransaction.ts';
import { openNativeTransaction } from './openedTransaction.ts';
import { actionPayload } from '../testing/actions.ts';
import type { NativeTransaction } from '../types.ts';

const base: NativeTransaction = {
  chainId: 7919,
  nonce: 1,
  expiresAt: 0,
  account: `0x${'a1'.repeat(20)}` as Address,
  payload: { type: 'noop' },
  signatureKind: 'raw',
  signature: Uint8Array.from({ length: 65 }, (_, index) => (index < 64 ? 200 - index : 1)),
};

/** With what is decoded when somebody asks. */
const fieldsOf = (opened: NativeTransaction): NativeTransaction => {
  const { chainId, nonce, expiresAt, account, payload: action, signatureKind, signature } = opened;
  return { chainId, nonce, expiresAt, account, payload: action, signatureKind, signature };
};

describe('a native transaction whose bytes were checked', () => {
  it('is opened as what it was decoded to, whatever it does', () => {
    fc.assert(
      fc.property(actionPayload, fc.constantFrom('raw', 'eip712', 'gateway'), (action, signatureKind) => {
        const raw = encodeNativeTransaction({ ...base, payload: action, signatureKind });
        expect(fieldsOf(openNativeTransaction(raw))).toEqual(decodeNativeTransaction(raw));
      }),
      { numRuns: 500 },
    );
  });

  it('is opened with short halves of a signature, and those that are nothing', () => {
    for (const [r, s] of [
      [0, 0],
      [1, 255],
      [256, 0x8000],
    ] as const) {
      const signature = new Uint8Array(65);
      const view = new DataView(signature.buffer);
      view.setUint32(28, r);
      view.setUint32(60, s);
      signature[64] = 1;
      const raw = encodeNativeTransaction({ ...base, signature });
      expect(fieldsOf(openNativeTransaction(raw))).toEqual(decodeNativeTransaction(raw));
    }
  });

  it('has the name of its signer where that is the account, and its own else', () => {
    const raw = encodeNativeTransaction(base);
    const bytes = hexToBytes(base.account);
    const name = `0x${'99'.repeat(20)}` as Address;
    expect(openNativeTransaction(raw, { address: name, bytes }).account).toBe(name);
    for (let index = 0; index < bytes.length; index++) {
      const other = bytes.slice();
      other[index]! ^= 1;
      const opened = openNativeTransaction(raw, { address: name, bytes: other });
      expect(fieldsOf(opened)).toEqual(decodeNativeTransaction(raw));
    }
    const short = openNativeTransaction(raw, { address: name, bytes: bytes.subarray(0, 19) });
    expect(short.account).toBe(base.account);
  });

  it('decodes what it does once, when somebody asks', () => {
    const batch = { type: 'batch', items: [{ type: 'noop' }, { type: 'cancelAll', marketId: null }] } as const;
    const opened = openNativeTransaction(encodeNativeTransaction({ ...base, payload: batch }));
    expect(opened.payload).toBe(opened.payload);
    expect(opened.payload).toEqual(batch);
  });
});
