import { expect, it } from '@jest/globals';
import { createTxFromRLP } from '@ethereumjs/tx';
import { decodeRlp, encodeRlp, type RlpItem, type RlpValue, transactionTypeOf, transactionTypes } from '@prime/codec';
import { createCryptoProvider } from '@prime/crypto';
import { type Address, bytesEqual, bytesToAddress, bytesToHex, concatBytes } from '@prime/primitives';
import fc from 'fast-check';
import { createCommon, createCustomCrypto } from '../library/common.ts';
import { createTestAccount } from '../testing/index.ts';
import { createTransactionVerifier } from './verify.ts';

/**
 * Verdicts against the library's. Execution follows Ethereum's rules as the library has them, so what is accepted here has to be what it
 * reads from the same bytes, writes back as they were, and finds the same sender for. What is refused here and accepted there breaks one of our own rules.
 */

const chainId = 7919;
const provider = await createCryptoProvider();
const common = createCommon(chainId, createCustomCrypto(provider));
const verify = createTransactionVerifier({ chainId, blockGasLimit: 30_000_000n, provider });
const account = createTestAccount('oracle', common, provider);
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** What the library makes of bytes; null when it refuses them or would write them otherwise. */
function judgedByLibrary(raw: Uint8Array): { readonly sender: Address; readonly type: number } | null {
  try {
    const transaction = createTxFromRLP(raw, { common, freeze: false });
    if (!bytesEqual(transaction.serialize(), raw)) return null;
    return { sender: bytesToAddress(transaction.getSenderAddress().bytes), type: transaction.type };
  } catch {
    return null;
  }
}

/** Rules of the chain that are not the library's; and it takes an empty string for an empty list, which go-ethereum does not. */
const ownRules =
  /^(?:rlp: expected List for accessList|exceeds block gas limit|intrinsic gas too low|insufficient gas for floor|nonce too high|only replay-protected|oversized|transaction type not supported)/;

function expectSameVerdict(raw: Uint8Array): 'taken' | 'refused' {
  const own = verify(raw);
  const library = judgedByLibrary(raw);
  if (!('failure' in own)) {
    expect({ raw: bytesToHex(raw), library }).toEqual({
      raw: bytesToHex(raw),
      library: { sender: own.sender, type: own.type },
    });
    return 'taken';
  }
  if (library !== null)
    expect({ raw: bytesToHex(raw), failure: own.failure }).toMatchObject({ failure: expect.stringMatching(ownRules) });
  return 'refused';
}

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const to = fc.option(bytes(20).map((each) => bytesToHex(each) as string as Address));
const amount = fc.oneof(fc.constantFrom(0n, 1n, 127n, 128n, (1n << 64n) - 1n), fc.bigInt(0n, (1n << 128n) - 1n));
const data = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  // Around the lengths at which a header grows by a byte.
  fc.constantFrom(1, 55, 56, 255, 256, 65_535, 65_536).map((length) => new Uint8Array(length).fill(0x7f)),
);

const signed = fc
  .record({
    type: fc.constantFrom(0 as const, 1 as const, 2 as const),
    nonce: fc.oneof(fc.constantFrom(0, 127, 128, 255, 256), fc.maxSafeNat()),
    to,
    value: amount,
    data,
    gasLimit: fc.constantFrom(1_000_000n, 29_999_999n),
    maxFeePerGas: fc.oneof(
      fc.constantFrom(10n ** 10n, (1n << 255n) / 30_000_000n, 1n << 255n),
      fc.bigInt(10n ** 9n, 10n ** 12n),
    ),
  })
  .map((fields) => {
    try {
      return account.sign(fields);
    } catch {
      // A cost of more than 256 bits, or too long an init code: the library does not make it, and other tests do by hand.
      return account.sign({ ...fields, maxFeePerGas: 10n ** 10n, data: fields.data.subarray(0, 300) });
    }
  });

/** Type 4, with authorizations that need not be good: execution ignores those, and their form counts. */
const setCode = fc
  .record({
    authorizations: fc.array(
      fc.tuple(
        fc.constantFrom(new Uint8Array(0), Uint8Array.of(0x1e, 0xef)),
        bytes(20),
        fc.constantFrom(new Uint8Array(0), Uint8Array.of(5)),
        fc.constantFrom(new Uint8Array(0), Uint8Array.of(1), Uint8Array.of(255)),
        fc.constantFrom(Uint8Array.of(9), new Uint8Array(32).fill(0x11)),
        fc.constantFrom(Uint8Array.of(9), new Uint8Array(32).fill(0x22), new Uint8Array(32).fill(0xff)),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    to: bytes(20).map((each) => bytesToHex(each) as string as Address),
  })
  .map(({ authorizations, to: target }) =>
    account.sign({ type: 4, nonce: 1, to: target, gasLimit: 500_000n, authorizations: authorizations as never }),
  );

const anyTransaction = fc.oneof({ weight: 3, arbitrary: signed }, { weight: 1, arbitrary: setCode });

const partsOf = (raw: Uint8Array): { readonly prefix: Uint8Array; readonly items: readonly RlpItem[] } => {
  const start = transactionTypeOf(raw[0]!) === transactionTypes.legacy ? 0 : 1;
  return { prefix: raw.subarray(0, start), items: decodeRlp(raw.subarray(start)) as readonly RlpItem[] };
};

it('what was signed by the rules: taken by both, with the same sender, for each type and length of header', () => {
  const verdicts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(anyTransaction, (raw) => void verdicts[expectSameVerdict(raw)]++),
    { numRuns: 200 },
  );
  expect(verdicts.taken).toBeGreaterThan(100);
});

it('any byte changed, cut or added: one verdict', () => {
  fc.assert(
    fc.property(
      anyTransaction,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      fc.constantFrom('flip', 'cut', 'add'),
      (raw, at, flip, how) => {
        const index = at % raw.length;
        if (how === 'cut') expectSameVerdict(raw.slice(0, index));
        else if (how === 'add') expectSameVerdict(concatBytes(raw, Uint8Array.of(flip)));
        else expectSameVerdict(Uint8Array.from(raw, (byte, place) => (place === index ? byte ^ flip : byte)));
      },
    ),
    { numRuns: 1_000 },
  );
});

it('any field in place of another, well-formed RLP throughout: one verdict', () => {
  const field: fc.Arbitrary<RlpValue> = fc.oneof(
    fc.constantFrom<RlpValue>(
      0,
      1,
      27,
      28,
      35,
      36,
      2 * chainId + 35,
      2 * chainId + 36,
      2 * chainId + 37,
      order >> 1n,
      (order >> 1n) + 1n,
      order - 1n,
      order,
      order + 1n,
      (1n << 256n) - 1n,
      1n << 256n,
      1n << 251n,
      (1n << 64n) - 1n,
      1n << 64n,
      Uint8Array.of(0),
      Uint8Array.of(0, 1),
      new Uint8Array(19).fill(1),
      new Uint8Array(20).fill(1),
      new Uint8Array(32).fill(1),
      new Uint8Array(33).fill(1),
      [],
      [[]],
      [[new Uint8Array(20).fill(1), []]],
      [[new Uint8Array(20).fill(1), [new Uint8Array(32).fill(2)]]],
      [[new Uint8Array(20).fill(1), [new Uint8Array(31).fill(2)]]],
      [[new Uint8Array(20).fill(1), new Uint8Array(32)]],
      [[chainId, new Uint8Array(20).fill(1), 0, 0, 1, 1]],
      [[chainId, new Uint8Array(20).fill(1), 1n << 64n, 0, 1, 1]],
      [[chainId, new Uint8Array(20).fill(1), 0, 256, 1, 1]],
    ),
    fc.uint8Array({ maxLength: 40 }),
  );
  fc.assert(
    fc.property(anyTransaction, fc.nat(), field, fc.constantFrom(0, 0, 0, -1, 1), (raw, at, value, more) => {
      const { prefix, items } = partsOf(raw);
      const index = at % items.length;
      const changed: RlpValue[] = items.map((item, place) => (place === index ? value : (item as RlpValue)));
      if (more === -1) changed.pop();
      if (more === 1) changed.push(value);
      expectSameVerdict(concatBytes(prefix, encodeRlp(changed)));
    }),
    { numRuns: 2_500 },
  );
});

it('RLP that is not canonical: refused by both, or by the library because it would write it otherwise', () => {
  /** A string in the long form, with a leading zero, or a single byte with a prefix. */
  const longForm = (value: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(0xb8, value.length), value);
  const prefixed = (value: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(0x80 + value.length), value);
  const list = (payload: Uint8Array): Uint8Array => {
    const size = payload.length;
    return size < 56
      ? concatBytes(Uint8Array.of(0xc0 + size), payload)
      : concatBytes(Uint8Array.of(0xf9, size >> 8, size & 0xff), payload);
  };
  fc.assert(
    fc.property(signed, fc.nat(), fc.constantFrom('long', 'prefix', 'zero', 'list'), (raw, at, how) => {
      const { prefix, items } = partsOf(raw);
      const index = at % items.length;
      const item = items[index]!;
      if (!ArrayBuffer.isView(item) || item.length > 55) return;
      const parts = items.map((each) => encodeRlp(each as RlpValue));
      if (how === 'long') parts[index] = longForm(item);
      else if (how === 'prefix') parts[index] = prefixed(item);
      else if (how === 'zero') parts[index] = encodeRlp(concatBytes(Uint8Array.of(0), item));
      expectSameVerdict(concatBytes(prefix, list(concatBytes(...parts))));
    }),
    { numRuns: 600 },
  );
});

it('a cost of 256 bits is taken, of one more is refused by both', () => {
  const fields = (gas: bigint, price: bigint): Uint8Array =>
    concatBytes(
      Uint8Array.of(2),
      encodeRlp([chainId, 0, 1, price, gas, new Uint8Array(20), 0, new Uint8Array(0), [], 0, 1, 1]),
    );
  const price = ((1n << 256n) - 1n) / 21_000n;
  expect([fields(21_000n, price), fields(21_000n, price + 1n)].map(expectSameVerdict)).toEqual(['taken', 'refused']);
  expect(verify(fields(21_000n, price + 1n))).toEqual({
    failure: 'insufficient funds for gas * price + value: required balance exceeds 256 bits',
  });
});
