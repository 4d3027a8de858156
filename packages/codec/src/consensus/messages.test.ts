import { describe, expect, it } from '@jest/globals';
import {
  address,
  bytes,
  hash,
  height,
  log,
  marketId,
  orderId,
  proposal,
  round,
  side,
  signature,
  uint,
  uint32,
  vote,
  signedInteger,
} from '../testing/arbitraries.ts';
import { kind } from '../testing/kinds.ts';
import type { Hash, TimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import { decodeResultFrames, encodeResultFrames } from '../outcomes/resultFrames.ts';
import { bodyRoot, decodeBlock, decodeStoredBlock, encodeBlock, encodeStoredBlock } from './block.ts';
import { headerHash } from './header.ts';
import { cancelReasons } from '../actions/orderEnds.ts';
import { decodeReceipts, encodeReceipts } from '../outcomes/receipts.ts';
import type { ActionResult, Block, CommitCertificate, Evidence, Header, Receipt } from '../types.ts';
import { decodeValidatorSet, encodeValidatorSet, validatorsHash } from './validators.ts';
import { evidenceHash } from './votes.ts';

const signed = signedInteger(255);
const small = fc.uint8Array({ maxLength: 80 });

const roots = fc.record({ stateRoot: hash, receiptsRoot: hash, eventsRoot: hash, gasUsed: uint(64) });
const header: fc.Arbitrary<Header> = fc.record({
  version: uint32,
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  height,
  timestampMs: fc.maxSafeNat().map((value) => value as TimestampMs),
  parentHash: hash,
  proposer: address,
  validatorsHash: hash,
  nextValidatorsHash: hash,
  bodyRoot: hash,
  lastCommitHash: hash,
  evidenceHash: hash,
  gasLimit: uint(64),
  baseFee: uint(256),
  parentResults: roots,
});
const certificate: fc.Arbitrary<CommitCertificate> = fc.record({
  height,
  round,
  blockHash: hash,
  signatures: fc.array(fc.record({ validator: address, signature }), { maxLength: 4 }),
});
const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  fc.record({ kind: fc.constant('duplicateVote' as const), first: vote, second: vote }),
  fc.record({ kind: fc.constant('duplicateProposal' as const), first: proposal, second: proposal }),
);
const block: fc.Arbitrary<Block> = fc.record({
  header,
  transactions: fc.array(small, { maxLength: 4 }),
  actions: fc.array(small, { maxLength: 4 }),
  evidence: fc.array(evidence, { maxLength: 2 }),
  lastCommit: fc.option(certificate),
});
const validatorSet = fc.record({
  validators: fc.array(
    fc.record({
      address,
      signer: address,
      publicKey: bytes(33),
      stake: uint(256),
      power: uint(256),
      moniker: fc.string({ maxLength: 20 }),
      proposerPriority: signed,
    }),
    { maxLength: 4 },
  ),
});
const receipt: fc.Arbitrary<Receipt> = fc.record({
  transactionHash: hash,
  transactionIndex: fc.nat(),
  type: fc.nat(0x7f),
  from: address,
  to: fc.option(address),
  status: fc.constantFrom(0 as const, 1 as const),
  gasUsed: uint(64),
  cumulativeGasUsed: uint(64),
  effectiveGasPrice: uint(256),
  contractAddress: fc.option(address),
  logs: fc.array(log, { maxLength: 3 }),
  logsBloom: fc.oneof(fc.constant(new Uint8Array(256)), bytes(256)),
  output: small,
});
const trade = fc.record({
  tradeId: orderId.map(Number),
  price: uint(128),
  size: uint(128),
  makerOrderId: orderId,
  takerOrderId: orderId,
  maker: address,
  taker: address,
  side,
  fee: signed,
});
const liquidatedPosition = fc.record({
  marketId,
  size: signed,
  closed: uint(256),
  trades: fc.array(trade, { maxLength: 2 }),
  fee: uint(256),
  insurancePaid: uint(256),
  adl: fc.array(fc.record({ address, size: uint(256), value: uint(256) }), { maxLength: 2 }),
  remaining: uint(256),
});
const transferFields = { transferId: orderId.map(Number), from: address, to: address, amount: uint(256) };
const transferDirection = fc.constantFrom('orders_to_evm' as const, 'evm_to_orders' as const);
const datum = fc.oneof(fc.string({ maxLength: 20 }), fc.maxSafeInteger(), fc.constant(null));
const leafResult: fc.Arbitrary<ActionResult> = fc.oneof(
  fc.record({
    ok: fc.constant(true as const),
    value: fc.oneof(
      fc.record({
        type: fc.constant('order' as const),
        orderId,
        marketId,
        filled: uint(128),
        remaining: uint(128),
        trades: fc.array(trade, { maxLength: 3 }),
        status: fc.constantFrom(
          'open' as const,
          'filled' as const,
          'partially_filled' as const,
          'cancelled' as const,
          'killed' as const,
        ),
        decremented: uint(128),
        reason: fc.option(fc.constantFrom(...cancelReasons)),
      }),
      fc.record({ type: fc.constant('cancel' as const), orderId, remaining: uint(128) }),
      fc.record({ type: fc.constant('addMarket' as const), marketId }),
      fc.record({ type: fc.constant('deposit' as const), address, amount: uint(256), collateral: signed }),
      fc.record({ type: fc.constant('cancelAll' as const), orderIds: fc.array(orderId, { maxLength: 4 }) }),
      fc.record({
        type: fc.constant('setMargin' as const),
        marketId: fc.option(marketId),
        initialMarginBps: fc.nat(10_000),
        maintenanceMarginBps: fc.nat(10_000),
      }),
      fc.record({ type: fc.constant('done' as const) }),
      fc.record({
        type: fc.constant('liquidate' as const),
        address,
        positions: fc.array(liquidatedPosition, { maxLength: 2 }),
        cancelledOrders: fc.array(orderId, { maxLength: 3 }),
        collateral: signed,
        badDebt: uint(256),
        reward: uint(256),
      }),
      fc.record({ type: fc.constant('transferQueued' as const), ...transferFields, direction: transferDirection }),
      fc.record({
        type: fc.constant('dequeued' as const),
        direction: transferDirection,
        processed: fc.array(
          fc.record({
            ...transferFields,
            status: fc.constantFrom('completed' as const, 'failed' as const),
            reason: fc.option(fc.string({ maxLength: 60 })),
          }),
          { maxLength: 3 },
        ),
        pending: fc.nat(),
      }),
      fc.record({
        type: fc.constant('transfer' as const),
        from: address,
        to: address,
        amount: uint(256),
        collateral: signed,
      }),
    ),
  }),
  fc.record({
    ok: fc.constant(false as const),
    error: fc.record({
      code: fc.constantFrom('CLOB_UNKNOWN_MARKET', 'X'),
      message: fc.string({ maxLength: 60 }),
      // Own properties on a plain object, as code makes them.
      data: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), datum, { noNullPrototype: true, maxKeys: 4 }),
    }),
  }),
);

const result: fc.Arbitrary<ActionResult> = fc.oneof(
  { weight: 4, arbitrary: leafResult },
  {
    weight: 1,
    arbitrary: fc.record({
      ok: fc.constant(true as const),
      value: fc.record({ type: fc.constant('batch' as const), results: fc.array(leafResult, { maxLength: 3 }) }),
    }),
  },
);

const kinds = [
  kind('block', { arbitrary: block, encode: encodeBlock, decode: decodeBlock }),
  kind('validator set', { arbitrary: validatorSet, encode: encodeValidatorSet, decode: decodeValidatorSet }),
  kind('receipts', { arbitrary: fc.array(receipt, { maxLength: 3 }), encode: encodeReceipts, decode: decodeReceipts }),
  kind('action results', {
    arbitrary: fc.array(result, { maxLength: 4 }),
    encode: encodeResultFrames,
    decode: decodeResultFrames,
  }),
] as const;

describe('messages and storage forms', () => {
  it.each(kinds)('%s: any value survives encoding', (_name, { arbitrary, encode, decode }) => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(decode(encode(value))).toEqual(value);
      }),
    );
  });

  it.each(kinds)(
    '%s: changed or cut bytes are refused, or are themselves canonical',
    (_name, { arbitrary, encode, decode }) => {
      const change = fc.record({ place: fc.nat(), byte: fc.nat(255), cut: fc.nat(20) });
      fc.assert(
        fc.property(arbitrary, change, (value, { place, byte, cut }) => {
          const whole = encode(value);
          whole[place % whole.length] = byte;
          const mutated = cut > 15 ? whole.subarray(0, whole.length - (cut - 15)) : whole;
          let decoded: unknown;
          try {
            decoded = decode(mutated);
          } catch (error) {
            expect(String((error as { code?: string }).code)).toMatch(/^CODEC_/);
            return;
          }
          expect(encode(decoded)).toEqual(mutated);
        }),
        { numRuns: 300 },
      );
    },
  );

  it('a stored block comes back with its hash', () => {
    fc.assert(
      fc.property(block, certificate, (value, seal) => {
        const stored = decodeStoredBlock(encodeStoredBlock({ block: value, certificate: seal }));
        expect(stored).toEqual({ block: value, hash: headerHash(value.header), certificate: seal });
      }),
      { numRuns: 30 },
    );
  });

  it('every field of a header changes its hash', () => {
    fc.assert(
      fc.property(header, header, (one, other) => {
        for (const name of Object.keys(one) as (keyof Header)[]) {
          if (JSON.stringify(one[name], textOfBigint) === JSON.stringify(other[name], textOfBigint)) continue;
          expect([name, headerHash({ ...one, [name]: other[name] })]).not.toEqual([name, headerHash(one)]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('decoded bytes are copies: the input may be reused', () => {
    const value = fc.sample(block, { numRuns: 1, seed: 5 })[0]!;
    const buffer = encodeBlock({ ...value, transactions: [Uint8Array.of(1, 2, 3)] });
    const decoded = decodeBlock(buffer);
    buffer.fill(0);
    expect(decoded.transactions).toEqual([Uint8Array.of(1, 2, 3)]);
    expect(decoded.header).toEqual(value.header);
  });

  it('priorities, stakes and monikers have no part in the validators hash, keys and power have', () => {
    const set = fc.sample(validatorSet, { numRuns: 20, seed: 7 }).find(({ validators }) => validators.length > 1)!;
    const base = validatorsHash(set.validators);
    const changed = (change: object): Hash => validatorsHash(set.validators.map((entry) => ({ ...entry, ...change })));
    expect(changed({ proposerPriority: 77n, stake: 5n, moniker: 'x' })).toBe(base);
    expect(changed({ power: 5n })).not.toBe(base);
    expect(changed({ publicKey: new Uint8Array(33) })).not.toBe(base);
    expect(validatorsHash(set.validators.toReversed())).not.toBe(base);
  });

  it('a body root tells transactions from actions and keeps their order', () => {
    const [a, b] = fc.sample(hash, { numRuns: 2, seed: 3 }) as [Hash, Hash];
    const all = [
      bodyRoot([a, b], []),
      bodyRoot([b, a], []),
      bodyRoot([a], [b]),
      bodyRoot([], [a, b]),
      bodyRoot([], []),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(evidenceHash([])).not.toBe(bodyRoot([], []));
  });

  it('refuses values that it would not decode', () => {
    const good = fc.sample(header, { numRuns: 1, seed: 1 })[0]!;
    const encode =
      (change: Partial<Header>): (() => Uint8Array) =>
      () =>
        encodeBlock({ header: { ...good, ...change }, transactions: [], actions: [], evidence: [], lastCommit: null });
    for (const change of [
      { chainId: 0 },
      { gasLimit: 1n << 64n },
      { baseFee: -1n },
      { proposer: good.parentHash as never },
    ])
      expect(encode(change)).toThrow(expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }) as never);
  });
});

const textOfBigint = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
