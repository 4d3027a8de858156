import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Address } from '@prime/primitives';
import { actionTypeCode, payloadFromRlp, payloadToRlp } from './actionPayload.ts';
import { decodeRlp, encodeRlp } from '../encoding/rlp.ts';
import { subAccountAddress, subAccountIndexMax } from './subAccounts.ts';

interface Vector {
  readonly owner: Address;
  readonly index: number;
  readonly address: string;
}
const { vectors } = JSON.parse(readFileSync(new URL('../../testdata/subAccounts.json', import.meta.url), 'utf8')) as {
  readonly vectors: readonly Vector[];
};

describe('the address of a sub-account', () => {
  it.each(vectors)('$index of $owner', ({ owner, index, address }) => {
    expect(subAccountAddress(owner, index)).toBe(address);
  });

  it.each([0, -1, 1.5, subAccountIndexMax + 1, Number.NaN])('is none for number %p', (index) => {
    expect(() => subAccountAddress(vectors[0]!.owner, index)).toThrow(
      expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }),
    );
  });
});

describe('createSubAccount', () => {
  const code = actionTypeCode.createSubAccount;
  it.each([1, 2, subAccountIndexMax - 1, subAccountIndexMax])('is encoded with number %d', (index) => {
    const fields = encodeRlp(payloadToRlp({ type: 'createSubAccount', index }));
    expect(payloadFromRlp(code, decodeRlp(fields))).toEqual({ type: 'createSubAccount', index });
  });

  it.each([0, subAccountIndexMax + 1])('has no encoding with number %d', (index) => {
    expect(() => payloadToRlp({ type: 'createSubAccount', index })).toThrow(/index/);
    expect(() => payloadFromRlp(code, decodeRlp(encodeRlp([index])))).toThrow(/index/);
  });
});
