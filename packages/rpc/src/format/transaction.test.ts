import { describe, expect, it } from '@jest/globals';
import { type SignedAuthorization, type TransactionContent, unsignedTransaction } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { hexToBytes } from '@prime/primitives';
import { parseTransaction, type TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { formatTransaction } from './transaction.ts';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' as const;
const accessList = [{ address: to, storageKeys: [`0x${'22'.repeat(32)}` as const] }];
const common = { chainId: 7919, nonce: 3, gas: 50_000n, to, value: 10n ** 18n, data: '0xabcdef' } as const;

const requests: Record<string, TransactionSerializable> = {
  legacy: { ...common, type: 'legacy', gasPrice: 5n },
  eip2930: { ...common, type: 'eip2930', gasPrice: 5n, accessList },
  eip1559: { ...common, type: 'eip1559', maxFeePerGas: 9n, maxPriorityFeePerGas: 2n, accessList },
};

async function sign(request: TransactionSerializable) {
  const raw = await account.signTransaction(request);
  return { raw: hexToBytes(raw), parsed: parseTransaction(raw), hash: keccakHex(hexToBytes(raw)) };
}

describe('formatTransaction', () => {
  for (const [type, request] of Object.entries(requests)) {
    it(`shows the fields of a ${type} transaction as viem reads them`, async () => {
      const { raw, parsed, hash } = await sign(request);
      const shown = formatTransaction(raw, hash, account.address.toLowerCase() as never, null);
      expect(shown).toMatchObject({
        hash,
        nonce: '0x3',
        gas: '0xc350',
        to,
        value: '0xde0b6b3a7640000',
        input: '0xabcdef',
        chainId: '0x1eef',
        blockHash: null,
        blockNumber: null,
        transactionIndex: null,
      });
      expect(BigInt(shown['r'] as string)).toBe(BigInt(parsed.r!));
      expect(BigInt(shown['s'] as string)).toBe(BigInt(parsed.s!));
      if (type === 'legacy') expect(BigInt(shown['v'] as string)).toBe(parsed.v);
      else expect(shown).toMatchObject({ yParity: `0x${parsed.yParity}`, accessList });
    });
  }

  it('shows the authorizations of a 7702 transaction', async () => {
    const authorization = await account.signAuthorization({ contractAddress: to, chainId: 7919, nonce: 4 });
    const { raw, hash } = await sign({
      ...requests['eip1559'],
      type: 'eip7702',
      authorizationList: [authorization],
    } as never);
    const shown = formatTransaction(raw, hash, account.address.toLowerCase() as never, null);
    expect(shown).toMatchObject({
      type: '0x4',
      authorizationList: [{ chainId: '0x1eef', nonce: '0x4', address: to, yParity: `0x${authorization.yParity}` }],
    });
  });

  it('shows what a simulation makes of a call: no signature, and authorizations that no block would take', () => {
    const huge = 2n ** 200n;
    const authorization = { chainId: huge, address: to as never, nonce: huge, yParity: 300n, r: 1n, s: 2n };
    const shownOf = (fees: TransactionContent['fees'], authorizationList: readonly SignedAuthorization[]) => {
      const content = { to: to as never, value: 0n, data: '0x' as never, gas: 21_000n, accessList: [] };
      const raw = unsignedTransaction(7919, 3n, { ...content, fees, authorizationList }).encode(null);
      return formatTransaction(raw, keccakHex(raw), account.address.toLowerCase() as never, null);
    };
    const [nonce, chainId] = [`0x${huge.toString(16)}`, `0x${huge.toString(16)}`];
    const setCode = shownOf({ kind: 'dynamic', maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }, [authorization]);
    expect(setCode).toMatchObject({
      type: '0x4',
      authorizationList: [{ chainId, address: to, nonce, yParity: '0x12c', r: '0x1', s: '0x2' }],
      v: '0x0',
      yParity: '0x0',
      r: '0x0',
      s: '0x0',
    });
    const legacy = shownOf({ kind: 'legacy', gasPrice: 1n }, []);
    expect(legacy).toMatchObject({ type: '0x0', v: '0x0', r: '0x0', s: '0x0' });
    expect(Object.keys(legacy)).not.toEqual(expect.arrayContaining(['chainId']));
  });

  it('shows the price that was paid once the block tells the base fee', async () => {
    const { raw, hash } = await sign(requests['eip1559']!);
    const place = (baseFee: bigint) => ({
      index: 0,
      record: { hash, block: { header: { baseFee, height: 1, timestampMs: 1000 } } },
    });
    const priceAt = (baseFee: bigint): unknown =>
      formatTransaction(raw, hash, account.address.toLowerCase() as never, place(baseFee) as never)['gasPrice'];
    expect([priceAt(3n), priceAt(8n)]).toEqual(['0x5', '0x9']);
  });

  it('refuses bytes that are no transaction', () => {
    for (const raw of [[], [0x05, 0xc0], [0xc0], [0x02, 0x01], [0xff, 0xff]])
      expect(() => formatTransaction(Uint8Array.from(raw), '0x' as never, '0x' as never, null)).toThrow(/malformed/i);
  });
});
