import { describe, expect, it } from '@jest/globals';
import { decodeRlp, decodeTransaction, encodeRlp, type RlpItem } from '@prime/codec';
import { createCryptoProvider, keccakHex } from '@prime/crypto';
import { type Address, bytesToHex, concatBytes, hexToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { parseTransaction as viemParse } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { createTestAccount, type TestTransaction } from '../testing/index.ts';
import { createTransactionVerifier, transactionBytesMax, verifyTransactions } from './verify.ts';

const provider = await createCryptoProvider();
const common = createCommon(7919, createCustomCrypto(provider));
const context = { chainId: 7919, blockGasLimit: 30_000_000n, provider };
const verify = createTransactionVerifier(context);
const alice = createTestAccount('alice', common, provider);
const bob = `0x${'b0'.repeat(20)}` as Address;
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const refused = (raw: Uint8Array): string => {
  const result = verify(raw);
  if (!('failure' in result)) throw new Error(`accepted: ${result.hash}`);
  return result.failure;
};
const simple = (fields: Partial<TestTransaction> = {}): Uint8Array => alice.sign({ nonce: 0, to: bob, ...fields });
/** A legacy transaction with some of its nine fields replaced. */
const legacyWith = (replace: Readonly<Record<number, RlpItem | bigint>>): Uint8Array => {
  const items = decodeRlp(simple({ type: 0 })) as readonly RlpItem[];
  return encodeRlp(items.map((item, index) => (replace[index] ?? item) as Uint8Array));
};

describe('verifyTransaction', () => {
  it('types 0, 1, 2 and 4 signed by viem: fields, hash and sender are those that viem knows', async () => {
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
    const to = bob as unknown as `0x${string}`;
    const base = { chainId: 7919, nonce: 3, gas: 100_000n, to, value: 9n, data: '0x1234' } as const;
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 7n };
    const accessList = [{ address: to, storageKeys: [`0x${'07'.repeat(32)}`] }] as const;
    const authorization = await account.signAuthorization({ chainId: 7919, address: to, nonce: 4 });
    const signed = await Promise.all([
      account.signTransaction({ ...base, type: 'legacy', gasPrice: 10n ** 10n }),
      account.signTransaction({ ...base, type: 'eip2930', gasPrice: 10n ** 10n, accessList }),
      account.signTransaction({ ...base, type: 'eip1559', ...fees, accessList }),
      account.signTransaction({ ...base, type: 'eip7702', ...fees, authorizationList: [authorization] }),
    ]);
    for (const [index, raw] of signed.entries()) {
      const type = [0, 1, 2, 4][index]!;
      const bytes = hexToBytes(raw);
      expect(verify(bytes)).toEqual({
        raw: bytes,
        hash: keccakHex(bytes),
        type,
        sender: account.address.toLowerCase(),
        nonce: 3,
        gasLimit: 100_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: type < 2 ? 10n ** 10n : 7n,
        value: 9n,
        to: bob,
        ...(type === 4 && { authorities: [account.address.toLowerCase()] }),
      });
      const fields = decodeTransaction(bytes);
      const known = viemParse(raw);
      expect([fields.r, fields.s, fields.chainId]).toEqual([BigInt(known.r!), BigInt(known.s!), 7919n]);
      expect(fields.accessList?.length ?? null).toBe(type === 0 ? null : (known.accessList?.length ?? 0));
      expect(fields.authorizationList?.map(({ address, nonce }) => ({ address, nonce })) ?? null).toEqual(
        type === 4 ? [{ address: bob, nonce: 4n }] : null,
      );
    }
  });

  it.each([
    [
      'another chain',
      () => createTestAccount('x', createCommon(1, createCustomCrypto(provider)), provider).sign({ nonce: 0, to: bob }),
      'invalid sender: invalid chain id for signer: have 1 want 7919',
    ],
    [
      'another chain, legacy',
      () => legacyWith({ 6: 37n }),
      'invalid sender: invalid chain id for signer: have 1 want 7919',
    ],
    [
      'no replay protection',
      () => legacyWith({ 6: 27n }),
      'only replay-protected (EIP-155) transactions allowed over RPC',
    ],
    ['v without a meaning', () => legacyWith({ 6: 5n }), 'invalid sender: invalid transaction v, r, s values'],
    ['r of zero', () => legacyWith({ 7: 0n }), 'invalid sender: invalid transaction v, r, s values'],
    ['high s', () => legacyWith({ 8: order - 1n }), 'invalid sender: invalid transaction v, r, s values'],
    ['no such point', () => legacyWith({ 7: 5n }), 'invalid sender: invalid transaction v, r, s values'],
    ['blob transaction', () => concatBytes(Uint8Array.of(3), simple().subarray(1)), 'transaction type not supported'],
    ['unknown type', () => Uint8Array.of(0x7f, 0xc0), 'transaction type not supported'],
    ['nothing', () => new Uint8Array(0), 'typed transaction too short'],
    [
      'gas below intrinsic',
      () => simple({ gasLimit: 20_999n }),
      'intrinsic gas too low: gas 20999, minimum needed 21000',
    ],
    [
      'gas below the data floor',
      () => simple({ gasLimit: 25_000n, data: new Uint8Array(200).fill(1) }),
      'insufficient gas for floor data gas cost: gas 25000, minimum needed 29000',
    ],
    ['gas above the block', () => simple({ gasLimit: 30_000_001n }), 'exceeds block gas limit'],
    [
      'nonce out of reach',
      () => simple({ nonce: Number.MAX_SAFE_INTEGER + 1 }),
      'nonce too high: 9007199254740992 is above 2^53',
    ],
    [
      'empty authorization list',
      () => concatBytes(Uint8Array.of(4), encodeRlp([7919, 0, 1, 1, 100_000, bob, 0, '0x' as never, [], [], 0, 1, 1])),
      'set code tx must have at least one authorization tuple',
    ],
    [
      'oversized',
      () => new Uint8Array(transactionBytesMax + 1),
      `oversized data: transaction size ${transactionBytesMax + 1}, limit ${transactionBytesMax}`,
    ],
    [
      'tip above fee cap',
      () => concatBytes(Uint8Array.of(2), encodeRlp([7919, 0, 9, 8, 21_000, bob, 0, '0x' as never, [], 0, 1, 1])),
      'max priority fee per gas higher than max fee per gas',
    ],
    [
      'init code too large',
      () =>
        concatBytes(
          Uint8Array.of(2),
          encodeRlp([7919, 0, 8, 8, 21_000, '0x' as never, 0, new Uint8Array(49_153), [], 0, 1, 1]),
        ),
      'max initcode size exceeded: code size 49153, limit 49152',
    ],
  ])('%s: refused in go-ethereum’s words', (_name, make, words) => {
    expect(refused(make())).toBe(words);
  });

  it('takes what is just within the bounds: length, gas of a whole block, s of half the order', () => {
    const withData = (length: number): Uint8Array => simple({ data: new Uint8Array(length), gasLimit: 5_000_000n });
    const overhead = withData(131_000).length - 131_000;
    expect(transactionBytesMax).toBe(131_072);
    const [longest, longer] = [withData(131_072 - overhead), withData(131_073 - overhead)];
    expect([longest.length, longer.length]).toEqual([131_072, 131_073]);
    expect(verify(longest)).not.toHaveProperty('failure');
    expect(refused(longer)).toMatch(/^oversized data/);
    expect(verify(simple({ gasLimit: 30_000_000n }))).not.toHaveProperty('failure');
    const half = order >> 1n;
    expect(verify(legacyWith({ 8: half }))).not.toHaveProperty('failure');
    expect(refused(legacyWith({ 8: half + 1n }))).toBe('invalid sender: invalid transaction v, r, s values');
  });

  it('the parser alone throws CODEC_TRANSACTION_MALFORMED with the reason', () => {
    for (const raw of [new Uint8Array(0), Uint8Array.of(2), Uint8Array.of(3, 0xc0), Uint8Array.of(0xc1, 0x80)]) {
      const malformed = expect.objectContaining({
        code: 'CODEC_TRANSACTION_MALFORMED',
        detail: expect.objectContaining({ reason: refused(raw) }),
      });
      expect(() => decodeTransaction(raw)).toThrow(malformed);
    }
  });

  it('malformed RLP: trailing bytes, leading zeros, missing fields and lists in the wrong places are refused', () => {
    expect(refused(concatBytes(simple(), Uint8Array.of(0)))).toMatch(/^rlp: /);
    expect(refused(legacyWith({ 4: Uint8Array.of(0, 1) }))).toMatch(/leading zero/);
    expect(refused(legacyWith({ 5: [] }))).toBe('rlp: expected String for input');
    expect(refused(encodeRlp([1, 2, 3]))).toBe('rlp: a transaction of type 0 has 9 fields, got 3');
    expect(refused(legacyWith({ 3: new Uint8Array(19) }))).toBe('rlp: an address has 20 bytes, to has 19');
  });

  it('any changed byte: refused, or another sender or hash, and never an exception', () => {
    const raw = simple({ data: Uint8Array.of(1, 2, 3), gasLimit: 60_000n });
    const original = verify(raw);
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), (index, flip) => {
        const changed = Uint8Array.from(raw, (byte, place) => (place === index ? byte ^ flip : byte));
        const result = verify(changed);
        if ('failure' in result || 'failure' in original) return expect(bytesToHex(changed)).not.toBe(bytesToHex(raw));
        expect(result.hash).not.toBe(original.hash);
        return expect(result.sender).not.toBe(original.sender);
      }),
      { numRuns: 300 },
    );
  });

  it('authorities: who signed for this chain or for any; others and malformed signatures are left out', async () => {
    const [one, two, three] = ['11', '22', '33'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`));
    const contractAddress = bob as unknown as `0x${string}`;
    const good = await one!.signAuthorization({ chainId: 7919, contractAddress, nonce: 4 });
    const anywhere = await two!.signAuthorization({ chainId: 0, contractAddress, nonce: 0 });
    const elsewhere = await three!.signAuthorization({ chainId: 1, contractAddress, nonce: 0 });
    const high = { ...anywhere, s: `0x${(order - 1n).toString(16)}` as const };
    const raw = await one!.signTransaction({
      type: 'eip7702',
      chainId: 7919,
      gas: 200_000n,
      to: contractAddress,
      maxFeePerGas: 1n,
      authorizationList: [good, anywhere, elsewhere, high, good],
    });
    expect(verify(hexToBytes(raw))).toMatchObject({
      authorities: [one!.address.toLowerCase(), two!.address.toLowerCase()],
    });
  });

  it('authorities of the first 64 authorizations', async () => {
    const contractAddress = bob as unknown as `0x${string}`;
    const signers = Array.from({ length: 65 }, (_, index) =>
      privateKeyToAccount(`0x${(index + 1).toString(16).padStart(64, '0')}`),
    );
    const authorizationList = await Promise.all(
      signers.map((signer) => signer.signAuthorization({ chainId: 7919, contractAddress, nonce: 0 })),
    );
    const raw = await signers[0]!.signTransaction({
      type: 'eip7702',
      chainId: 7919,
      gas: 3_000_000n,
      to: contractAddress,
      maxFeePerGas: 1n,
      authorizationList,
    });
    const authorities = signers.slice(0, 64).map(({ address }) => address.toLowerCase());
    expect(verify(hexToBytes(raw))).toMatchObject({ authorities });
  });

  it('a batch: verdicts in the order of the transactions', () => {
    const verdicts = verifyTransactions([simple(), new Uint8Array(0), simple({ nonce: 1 })], verify);
    expect(verdicts.map((verdict) => ('failure' in verdict ? verdict.failure : verdict.nonce))).toEqual([
      0,
      'typed transaction too short',
      1,
    ]);
  });
});
