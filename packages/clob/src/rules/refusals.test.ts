import { describe, expect, it } from '@jest/globals';
import { decodeEventFrames, orderRefusals } from '@prime/codec';
import { alice, bob, createHarness, type Harness, wordsOf } from '../testing/harness.ts';
import type { RefusalCase } from '../testing/refusalCase.ts';
import { admin } from '../testing/governanceRefusalCases.ts';
import { refusalCases } from '../testing/refusalCases.ts';

describe('a refusal', () => {
  const scene = ({ prepare, params }: Partial<RefusalCase>, collateral = 1000n): Harness => {
    const own = { admin, maxOpenOrders: 3, minNotional: 16n, subAccountsMax: 2, ...params };
    const harness = createHarness({ params: own });
    harness.deposit(alice, collateral);
    harness.deposit(bob, 1000n);
    prepare?.(harness);
    return harness;
  };

  it.each(refusalCases)('of $name says: $words', (refused) => {
    const { code, words, payload, more } = refused;
    const harness = scene(refused, code === 'CLOB_POSITION_TOO_LARGE' ? 1n << 240n : undefined);
    const step = { account: alice, payload, ...more?.(harness) };
    const { results, events, writes } = harness.block([step]);
    expect(wordsOf(results[0]!)).toBe(words);
    expect(results[0]).toMatchObject({ ok: false, error: { code, data: { kind: expect.any(String) } } });
    expect(decodeEventFrames(events).map(({ kind }) => kind)).toEqual(['action_rejected']);
    expect(decodeEventFrames(events)[0]!.data).toMatchObject({ account: step.account, ticket: null });
    // Nothing changes but the replay guard.
    expect(writes.every(({ key }) => key[0] === 4 || key[0] === 6)).toBe(true);
  });

  it('exists for every code', () => {
    // What may not stand in a batch is told by the result of its item, see orders.test.ts; of a full block in blockRoom.test.ts,
    // and of who has nothing in owners.test.ts: not even its nonce is used. Those of prices from outside are in oracle.test.ts, and
    // those of votes in proposals.test.ts.
    const elsewhere = ['CLOB_NOT_AVAILABLE', 'CLOB_BLOCK_FULL', 'CLOB_OWNS_NOTHING'];
    const ofOracle = ['CLOB_ORACLE_STALE', 'CLOB_NOT_A_REPORTER', 'CLOB_BAD_REPORT'];
    const ofVotes = ['CLOB_UNKNOWN_PROPOSAL', 'CLOB_TOO_MANY_PROPOSALS'];
    const tested = new Set([...refusalCases.map(({ code }) => code), ...elsewhere, ...ofOracle, ...ofVotes]);
    expect([...tested].sort()).toEqual(Object.keys(orderRefusals).sort());
  });
});
