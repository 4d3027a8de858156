import { describe, expect, it } from '@jest/globals';
import { floorDataGas, initCodeBytesMax, intrinsicGas, type MessageShape, messageGas } from './gas.ts';

/** Prices as the yellow paper (appendix G) and the EIPs have them, not as the code has. */

const plain: MessageShape = {
  data: new Uint8Array(0),
  isCreation: false,
  accessListAddresses: 0,
  accessListSlots: 0,
  authorizations: 0,
};
const gasOf = (shape: Partial<MessageShape>): bigint => intrinsicGas({ ...plain, ...shape });

describe('gas of a message', () => {
  it.each<readonly [what: string, shape: Partial<MessageShape>, gas: bigint]>([
    ['a payment', {}, 21_000n],
    ['zero bytes, 4 each', { data: new Uint8Array(3) }, 21_012n],
    ['other bytes, 16 each (EIP-2028)', { data: Uint8Array.of(1, 0, 255) }, 21_036n],
    ['a creation, 32 000 more', { isCreation: true }, 53_000n],
    ['addresses of an access list, 2400 each (EIP-2930)', { accessListAddresses: 3 }, 28_200n],
    ['slots of an access list, 1900 each (EIP-2930)', { accessListAddresses: 1, accessListSlots: 3 }, 29_100n],
    ['authorizations, 25 000 each (EIP-7702)', { authorizations: 2 }, 71_000n],
  ])('%s', (_, shape, gas) => {
    expect(gasOf(shape)).toBe(gas);
  });

  it.each([
    [1, 1],
    [31, 1],
    [32, 1],
    [33, 2],
    [64, 2],
    [65, 3],
  ])('%d bytes of init code are %d words, 2 each (EIP-3860)', (bytes, words) => {
    const data = new Uint8Array(bytes);
    expect(gasOf({ data, isCreation: true }) - gasOf({ data })).toBe(BigInt(32_000 + 2 * words));
  });

  it('may have twice as much init code as a contract has code (EIP-170, EIP-3860)', () => {
    expect(initCodeBytesMax).toBe(2 * 24_576);
  });

  it('is at least ten for a token: a zero byte is one, another four (EIP-7623)', () => {
    expect(floorDataGas(Uint8Array.of(0, 0, 7))).toBe(21_060n);
    const data = Uint8Array.of(0, 1);
    expect(messageGas({ ...plain, data })).toEqual({ intrinsic: 21_020n, floor: 21_050n });
  });
});
