import { describe, expect, it } from '@jest/globals';
import { address } from '../testing/arbitraries.ts';
import { actionPayload } from '../testing/actions.ts';
import { cryptoProvider, publicKeyToAddress, recoverAddress } from '@prime/crypto';
import { type Address, bytesToHex, hexToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { concat, hashStruct, hashTypedData, keccak256 as viemKeccak } from 'viem';
import { accountsOfAction, factsOf } from './actionFacts.ts';
import { batchItemsMax } from './actionPayload.ts';
import {
  decodeNativeTransaction,
  encodeNativeTransaction,
  nativeSigningDigest,
  nativeTransactionBytesMax,
  verifyNativeTransaction,
} from './nativeTransaction.ts';
import { decodeRlp, encodeRlp, type RlpItem } from '../encoding/rlp.ts';
import { typedDataOf } from './typedData.ts';
import type { ActionPayload, NativeTransaction, UnsignedNativeTransaction, VerifiedAction } from '../types.ts';

const provider = await cryptoProvider();
const privateKey = new Uint8Array(32).fill(0x42);
const signer = publicKeyToAddress(provider.publicKey(privateKey));

const unsigned: fc.Arbitrary<UnsignedNativeTransaction> = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: fc.maxSafeNat(),
  expiresAt: fc.maxSafeNat(),
  account: address,
  payload: actionPayload,
  signatureKind: fc.constantFrom('raw' as const, 'gateway' as const, 'eip712' as const),
});
const signed = (transaction: UnsignedNativeTransaction): NativeTransaction => ({
  ...transaction,
  signature: provider.sign(nativeSigningDigest(transaction), privateKey),
});

const base: UnsignedNativeTransaction = {
  chainId: 7919,
  nonce: 1,
  expiresAt: 0,
  account: signer,
  payload: { type: 'noop' },
  signatureKind: 'raw',
};

/** The raw form after a change of its item tree. */
function tampered(change: (items: RlpItem[]) => void): Uint8Array {
  const items = [...(decodeRlp(encodeNativeTransaction(signed(base)).subarray(1)) as readonly RlpItem[])];
  change(items);
  return Uint8Array.of(0x50, ...encodeRlp(items));
}
const one = Uint8Array.of(1);

/** What viem makes of the published types, knowing nothing of our encoder. */
function viemDigest(transaction: UnsignedNativeTransaction): string {
  const { domain, primaryType, fields, message } = typedDataOf(transaction);
  return hashTypedData({ domain, primaryType, types: { [primaryType]: fields }, message } as never);
}

describe('native transactions as typed data', () => {
  it('any transaction has the digest that viem gives its types and values', () => {
    fc.assert(
      fc.property(unsigned, (fields) => {
        const transaction = { ...fields, signatureKind: 'eip712' } as const;
        expect(bytesToHex(nativeSigningDigest(transaction))).toBe(viemDigest(transaction));
      }),
      { numRuns: 300 },
    );
  });

  it('the hash of a batch is that of an array of its items’ structs', () => {
    const items: ActionPayload[] = [{ type: 'noop' }, { type: 'revokeAgent', agent: signer }];
    const transaction: UnsignedNativeTransaction = { ...base, payload: { type: 'batch', items } };
    const structs = items.map((payload) => {
      const { primaryType, fields, message } = typedDataOf({ ...base, payload });
      return hashStruct({ primaryType, types: { [primaryType]: fields }, data: message } as never);
    });
    const message = typedDataOf(transaction).message;
    expect(message).toMatchObject({ count: 2n, actionsHash: viemKeccak(concat(structs)) });
  });
});

describe('native transactions', () => {
  it('any transaction survives encoding, and its signer is recovered', () => {
    fc.assert(
      fc.property(unsigned, (fields) => {
        const transaction = signed(fields);
        const raw = encodeNativeTransaction(transaction);
        expect(decodeNativeTransaction(raw)).toEqual(transaction);
        const verified = verifyNativeTransaction(raw, fields.chainId, provider) as VerifiedAction;
        expect(verified.signer).toBe(signer);
        expect(verified.transaction).toEqual(transaction);
      }),
      { numRuns: 300 },
    );
  });

  it('a changed byte makes it invalid, or another transaction that still encodes to its own bytes', () => {
    fc.assert(
      fc.property(unsigned, fc.nat(), fc.integer({ min: 1, max: 255 }), (fields, place, change) => {
        const raw = encodeNativeTransaction(signed(fields));
        raw[place % raw.length]! ^= change;
        let decoded: NativeTransaction;
        try {
          decoded = decodeNativeTransaction(raw);
        } catch (error) {
          expect(String((error as { code?: string }).code)).toMatch(/^CODEC_/);
          return;
        }
        expect(encodeNativeTransaction(decoded)).toEqual(raw);
        const verified = verifyNativeTransaction(raw, fields.chainId, provider);
        if (!('failure' in verified)) expect(verified.signer).not.toBe(signer);
      }),
      { numRuns: 500 },
    );
  });

  it('a gateway signature does not pass for the own one, nor the other way round', () => {
    const own = signed(base);
    const asGateway = encodeNativeTransaction({ ...own, signatureKind: 'gateway' });
    expect((verifyNativeTransaction(asGateway, 7919, provider) as VerifiedAction).signer).not.toBe(signer);
    const gateway = signed({ ...base, signatureKind: 'gateway' });
    const asOwn = encodeNativeTransaction({ ...gateway, signatureKind: 'raw' });
    expect((verifyNativeTransaction(asOwn, 7919, provider) as VerifiedAction).signer).not.toBe(signer);
  });

  it('a client id of zeros has no typed data: it would be signed like none', () => {
    const order = {
      type: 'order',
      marketId: 1,
      side: 'buy',
      price: 1n,
      size: 1n,
      tif: 'gtc',
      postOnly: false,
    } as const;
    const rest = {
      reduceOnly: false,
      selfTrade: 'cancel_maker',
      clientId: `0x${'00'.repeat(16)}`,
      expiresAt: 0,
    } as const;
    const payload = { ...order, ...rest } as unknown as ActionPayload;
    const transaction: NativeTransaction = { ...signed({ ...base, payload }), signatureKind: 'eip712' };
    expect(() => nativeSigningDigest(transaction)).toThrow(
      expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }) as never,
    );
    expect(verifyNativeTransaction(encodeNativeTransaction(transaction), 7919, provider)).toEqual({
      failure: 'invalid clientId: all zeros can not be signed as typed data',
    });
  });

  it('a transaction for another chain and a high s are failures, not exceptions', () => {
    const raw = encodeNativeTransaction(signed(base));
    expect(verifyNativeTransaction(raw, 1, provider)).toEqual({
      failure: 'invalid sender: invalid chain id for signer: have 7919 want 1',
    });
    const flipped = signed(base);
    flipped.signature[32] = 0xff;
    expect(verifyNativeTransaction(encodeNativeTransaction(flipped), 7919, provider)).toEqual({
      failure: 'invalid signature',
    });
    expect(verifyNativeTransaction(hexToBytes('0x02c0'), 7919, provider)).toHaveProperty('failure');
    expect(verifyNativeTransaction(new Uint8Array(0), 7919, provider)).toHaveProperty('failure');
  });

  it('refuses malformed fields one by one', () => {
    const changes: Readonly<Record<string, (items: RlpItem[]) => void>> = {
      'field too many': (items) => items.push(one),
      'field too few': (items) => items.pop(),
      'chain id 0': (items) => (items[0] = new Uint8Array(0)),
      'account of 19 bytes': (items) => (items[3] = new Uint8Array(19)),
      'action type 0': (items) => (items[4] = new Uint8Array(0)),
      'action type 18': (items) => (items[4] = Uint8Array.of(18)),
      'fields for noop': (items) => (items[5] = [one]),
      'signature kind 3': (items) => (items[6] = Uint8Array.of(3)),
      'parity 2': (items) => (items[7] = Uint8Array.of(2)),
      'r with a leading zero': (items) => (items[8] = Uint8Array.of(0, 1)),
      's of 33 bytes': (items) => (items[9] = new Uint8Array(33).fill(1)),
      'order flags 16': (items) => {
        items[4] = one;
        items[5] = [one, one, one, one, one, Uint8Array.of(16), new Uint8Array(0), one];
      },
      'batch in a batch': (items) => {
        items[4] = Uint8Array.of(5);
        items[5] = [[Uint8Array.of(5), []]];
      },
      'batch entry of three parts': (items) => {
        items[4] = Uint8Array.of(5);
        items[5] = [[Uint8Array.of(16), [], one]];
      },
      'batch too long': (items) => {
        items[4] = Uint8Array.of(5);
        items[5] = Array.from({ length: batchItemsMax + 1 }, () => [Uint8Array.of(16), []]);
      },
    };
    for (const [name, change] of Object.entries(changes))
      expect(() => {
        decodeNativeTransaction(tampered(change));
        throw new Error(`${name} was accepted`);
      }).toThrow(expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }) as never);
  });

  it('refuses to encode what it would refuse to decode', () => {
    const batch: ActionPayload = { type: 'batch', items: [{ type: 'batch', items: [] }] };
    const long: ActionPayload = {
      type: 'batch',
      items: Array.from({ length: batchItemsMax + 1 }, () => ({ type: 'noop' })),
    };
    for (const bad of [batch, long, { type: 'deposit', amount: -1n } as const])
      for (const signatureKind of ['raw', 'eip712', 'gateway'] as const)
        expect(() => nativeSigningDigest({ ...base, payload: bad, signatureKind })).toThrow(
          expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }) as never,
        );
  });

  it('refuses more than 64 KiB before it parses', () => {
    const raw = new Uint8Array(nativeTransactionBytesMax + 1);
    raw[0] = 0x50;
    expect(() => decodeNativeTransaction(raw)).toThrow(expect.objectContaining({ code: 'CODEC_TOO_LARGE' }) as never);
  });
});

describe('the digest of bytes that were decoded', () => {
  it('is that of what they were decoded to, with a changed byte as well', () => {
    fc.assert(
      fc.property(unsigned, fc.nat(), fc.integer({ min: 1, max: 255 }), (transaction, place, by) => {
        const raw = encodeNativeTransaction(signed(transaction));
        const changed = raw.slice();
        changed[place % raw.length]! ^= by;
        for (const bytes of [raw, changed]) {
          const verified = verifyNativeTransaction(bytes, transaction.chainId, provider);
          if (bytes === raw) expect(verified).toHaveProperty('signer', signer);
          if ('failure' in verified) continue;
          const { signature, ...rest } = verified.transaction;
          expect(verified.signer).toBe(recoverAddress(provider, nativeSigningDigest(rest), signature));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('accounts that an action concerns', () => {
  const owner = `0x${'a1'.repeat(20)}` as Address;
  const agent = `0x${'a2'.repeat(20)}` as Address;
  const accountsOf = (action: ActionPayload, signatureKind: NativeTransaction['signatureKind']): readonly Address[] =>
    accountsOfAction({
      signer: agent,
      facts: factsOf(action),
      transaction: { ...signed({ ...base, payload: action }), account: owner, signatureKind },
    });

  it('are its owner, its agent and every address in it, each once', () => {
    fc.assert(
      fc.property(actionPayload, (action) => {
        const text = JSON.stringify(action, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
        const named = text.match(/(?<=")0x[0-9a-f]{40}(?=")/g) ?? [];
        const expected = new Set([owner, ...named, agent]);
        const found = accountsOf(action, 'raw');
        expect(new Set(found)).toEqual(expected);
        expect(found).toHaveLength(expected.size);
      }),
      { numRuns: 500 },
    );
  });

  it('are not the gateway that vouched for it', () => {
    expect(accountsOf({ type: 'noop' }, 'gateway')).toEqual([owner]);
    expect(accountsOf({ type: 'noop' }, 'eip712')).toEqual([owner, agent]);
  });
});
