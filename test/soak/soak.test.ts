import { describe, expect, it } from '@jest/globals';
import { type Asked, Audit, type DecidedBlock, wrongAnswers } from '@prime/audit';
import { createInspectableEngine } from '@prime/clob/testing';
import {
  factsOf,
  type ActionPayload,
  type ActionResult,
  decodeEventFrames,
  defaultClobParams,
  type DomainEvent,
  type Genesis,
  type VerifiedAction,
} from '@prime/codec';
import type { Address, Hash, Height, TimestampMs } from '@prime/primitives';
import { Coverage } from './coverage.ts';
import { plannedFacts } from './decidedBlocks.ts';
import { wrongRecords } from './endStates.ts';
import type { Recording } from './streamRecorder.ts';
import { checksumOf, wantedBy, wrongStreams } from './wrongStreams.ts';
import { limitOrder } from './shapes/limitOrder.ts';

/** That the soak notices what it is there for: each comparison is shown one difference. */

const owner = `0x${'a1'.padStart(40, '0')}` as Address;
const genesis = {
  actions: 'open',
  clob: defaultClobParams,
  consensus: { precisionMs: 500 },
  validators: [],
  markets: [{ symbol: 'A/USD', tickSize: 1n, lotSize: 1n }],
} as unknown as Genesis;
const count = 65;
const order = (index: number): ActionPayload => limitOrder({ price: BigInt(100 + index) });
const deposit: ActionPayload = { type: 'deposit', amount: 10n ** 9n };
const cancelAll: ActionPayload = { type: 'cancelAll', marketId: null };

let number = 0;
const action = (payload: ActionPayload): VerifiedAction => ({
  raw: new Uint8Array(0),
  hash: `0x${(++number).toString(16).padStart(64, '0')}` as Hash,
  signer: `0x${'9a'.padStart(40, '0')}` as Address,
  facts: factsOf(payload),
  transaction: {
    chainId: 1,
    nonce: number,
    expiresAt: 0,
    account: owner,
    payload,
    signatureKind: 'gateway',
    signature: new Uint8Array(65),
  },
});

/** Blocks as a validator that is right keeps them, and its records. */
function decided(payloads: readonly (readonly ActionPayload[])[]) {
  const { engine } = createInspectableEngine({ params: genesis.clob, actionsMode: 'open' });
  const records = new Map<string, readonly [Uint8Array, Uint8Array]>();
  const keep = ({ writes }: Pick<ReturnType<typeof engine.execute>, 'writes'>): void => {
    for (const { key, value } of writes)
      if (value === null) records.delete(String(key));
      else records.set(String(key), [key, value]);
    engine.commit();
  };
  keep(engine.genesis(genesis.markets));
  const blocks = payloads.map((list, index): DecidedBlock => {
    const height = index + 1;
    const timeMs = 1_700_000_000_000 + height * 1000;
    const actions = list.map(action);
    const deposits = actions.flatMap(({ transaction }, actionIndex) =>
      transaction.payload.type === 'deposit' ? [{ actionIndex, funded: true, faucetAmount: 0n }] : [],
    );
    const at = { height: height as Height, timestampMs: timeMs as TimestampMs };
    const outcome = engine.execute({ ...at, actions, deposits });
    const hash = `0x${height.toString(16).padStart(64, '0')}` as Hash;
    const { results } = outcome;
    const events = decodeEventFrames(outcome.events);
    keep(outcome);
    const none = { proposer: owner, baseFee: 0n, transactions: [], writes: [] };
    return { height, timeMs, hash, stateRoot: hash, actions, results, events, ...none };
  });
  return { blocks, records: [...records.values()] };
}

const placed = Array.from({ length: count }, (_, index) => order(index));
const noStreams = { books: new Map(), accounts: [] };
const audited = (blocks: readonly DecidedBlock[], wanted = noStreams as Parameters<Audit['replay']>[1]) => {
  const coverage = new Coverage();
  const audit = new Audit(genesis, { see: (...seen) => coverage.see(...seen), facts: plannedFacts });
  return { audit, coverage, ...audit.replay(blocks, wanted) };
};

describe('blocks', () => {
  it('of an engine that is right agree with the model, and a cancelAll of 65 is counted', () => {
    const { blocks } = decided([[deposit], placed, [cancelAll]]);
    const { audit, coverage } = audited(blocks);
    expect(audit.faults).toEqual([]);
    const met = (name: string) => coverage.rows().find((row) => row.name === name);
    expect(met('one cancelAll of 65 orders')).toMatchObject({ blocks: 1, most: count });
    expect(met('one cancelAll of 257 orders')).toMatchObject({ blocks: 0, most: count });
  });

  it('with another result or another event are told, with their height', () => {
    const { blocks } = decided([[deposit], [order(1)]]);
    const result: ActionResult = { ok: true, value: { type: 'deposit', address: owner, amount: 1n, collateral: 7n } };
    const event = { ...blocks[1]!.events[0]!, data: { ...blocks[1]!.events[0]!.data, order_id: 8 } } as DomainEvent;
    const { audit } = audited([
      { ...blocks[0]!, results: [result] },
      { ...blocks[1]!, events: [event] },
    ]);
    expect(audit.faults).toHaveLength(2);
    expect(audit.faults[0]).toContain('block 1, action 0 (deposit');
    expect(audit.faults[1]).toContain('block 2, event 0');
  });
});

describe('records', () => {
  it('agree, and an empty one, one that is missing and one that is of another time do not', () => {
    const { blocks, records } = decided([[deposit], placed]);
    const { audit } = audited(blocks);
    expect(wrongRecords({ records }, audit.model, genesis)).toEqual([]);
    const empty = records.map(([key], index) => [key, index === 3 ? new Uint8Array(0) : records[index]![1]] as const);
    expect(wrongRecords({ records: empty }, audit.model, genesis)).toEqual(['1 records are empty']);
    const { model: earlier } = audited(blocks.slice(0, 1)).audit;
    expect(wrongRecords({ records }, earlier, genesis).join()).toContain('open orders');
  });
});

describe('answers', () => {
  const answered = (hash: string, changes: object = {}): Asked => ({
    method: 'primeorders_submitOrder',
    params: [{ owner }],
    outcome: {
      kind: 'result',
      result: { order_id: '0x1', filled: '0x0', remaining: '0x1', trades: [], status: 'open', hash, ...changes },
    },
  });

  it('agree; with another value, of no block, or given twice for one action they do not', () => {
    const { blocks } = decided([[deposit], [order(1)], [cancelAll]]);
    const { actions } = audited(blocks);
    const { hash } = blocks[1]!.actions[0]!;
    expect(wrongAnswers([answered(hash)], actions)).toEqual([]);
    expect(wrongAnswers([answered(hash, { filled: '0x1' })], actions)).toHaveLength(1);
    expect(wrongAnswers([answered(`0x${'7'.repeat(64)}`)], actions)[0]).toContain('is in no block');
    const cancelled: Asked = {
      method: 'primeorders_cancelAll',
      params: [owner],
      outcome: { kind: 'result', result: { cancelled_orders: ['0x1'], block_number: '0x3' } },
    };
    expect(wrongAnswers([cancelled], actions)).toEqual([]);
    expect(wrongAnswers([cancelled, cancelled], actions)).toHaveLength(1);
  });
});

describe('streams', () => {
  const level = (price: number, size: number) => ({ price: `0x${price.toString(16)}`, size: `0x${size.toString(16)}` });
  const head = (height: number, stateRoot: string) =>
    ({ kind: 'newHeads', of: '', result: { number: `0x${height.toString(16)}`, stateRoot } }) as const;
  const events = (height: number, kinds: readonly string[]) => {
    const result = { block_number: `0x${height}`, events: kinds.map((kind) => ({ kind })) };
    return { kind: 'domainEvents', of: '', result } as const;
  };
  const book = (height: number, message: object) =>
    ({
      kind: 'orderBook',
      of: '1',
      result: { block_number: `0x${height}`, sequence: height, asks: [], ...message },
    }) as const;
  const [snapshot, update] = [
    book(1, { type: 'snapshot', part: 1, parts: 1, bids: [], checksum: '0x0' }),
    book(2, { type: 'update', previous_sequence: 1, bids: [level(101, 1)], checksum: checksum(101n) }),
  ];

  function checksum(price: bigint): string {
    return checksumOf({ bids: [[price, 1n]], asks: [] });
  }

  function judged(heard: Recording['heard']): string[] {
    const { blocks } = decided([[deposit], [order(1)]]);
    const recordings = [{ node: 2, after: 1, heard }];
    const { streams } = audited(blocks, wantedBy(recordings, [owner]));
    return wrongStreams(recordings, streams);
  }
  const { blocks } = decided([[deposit], [order(1)]]);
  const kinds = blocks[1]!.events.map(({ kind }) => kind);
  const root = blocks[1]!.stateRoot;
  /** With it everything of the block before has been told. */
  const next = head(3, '0x00');

  it('have the checksum of the document', () => {
    const bids = [
      [0x64n, 0xan],
      [0x65n, 3n],
    ] as const;
    expect(checksumOf({ bids, asks: [[0x66n, 5n]] })).toBe('0x5971d9f6');
  });

  it('agree when every message is there', () => {
    expect(judged([snapshot, update, events(2, kinds), head(2, root), next])).toEqual([]);
  });

  it.each([
    ['an update is missing', [snapshot, book(2, { ...update.result, previous_sequence: 0 }), events(2, kinds)]],
    [
      'a level is another one',
      [snapshot, book(2, { ...update.result, bids: [level(102, 1)], checksum: checksum(102n) }), events(2, kinds)],
    ],
    ['a checksum is wrong', [snapshot, book(2, { ...update.result, checksum: '0x1' }), events(2, kinds)]],
    ['an event is missing', [snapshot, update]],
    ['a root is another one', [snapshot, update, events(2, kinds), head(2, '0x00')]],
    ['a block is missing', [head(0, '0x00'), snapshot, update, events(2, kinds)]],
  ] as const)('do not when %s', (_why, heard) => {
    const heads = heard.some((one) => one.kind === 'newHeads' && one.result.number === '0x2') ? [] : [head(2, root)];
    expect(judged([...heard, ...heads, next]).length).toBeGreaterThan(0);
  });

  it('are not asked for the rest of the block in which the connection ended', () => {
    expect(judged([snapshot, head(2, root)])).toEqual([]);
    expect(judged([snapshot, head(2, root), next])).not.toEqual([]);
  });
});
