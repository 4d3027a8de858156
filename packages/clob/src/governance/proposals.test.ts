import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, type Change, proposalHash } from '@prime/codec';
import type { Address, Height } from '@prime/primitives';
import { addressOf, alice, createHarness, type Harness, order, wordsOf } from '../testing/harness.ts';
import { reporters } from '../testing/oracleStreams.ts';

/** Votes of validators, and changes that wait: clob.md, Changes of parameters. */

const [first, second, third, fourth] = reporters.reporters.map(({ validator }) => validator) as [
  Address,
  Address,
  Address,
  Address,
];
const admin = addressOf(0xad);
const maxOpenOrders = (value: number): Change => ({ parameter: 'maxOpenOrders', marketId: null, value });

const scene = (): Harness => createHarness({ params: { admin }, oracle: reporters });
const heightOf = ({ state }: Harness): number => state.height;
let nonce = 0;
const act = (harness: Harness, account: Address, payload: ActionPayload) =>
  harness.act(account, payload, { signatureKind: 'raw', nonce: harness.now() + ++nonce });
const propose = (harness: Harness, proposer: Address, change: Change, ahead: number, open = ahead) => {
  const at = heightOf(harness) + 1;
  const proposed = { change, activationHeight: (at + ahead) as Height, expiryHeight: (at + open) as Height };
  const result = act(harness, proposer, { type: 'propose', ...proposed });
  return { words: wordsOf(result), hash: proposalHash(proposer, proposed), at: at + ahead };
};
const vote = (harness: Harness, validator: Address, proposal: ReturnType<typeof propose>, yes = true): string =>
  wordsOf(act(harness, validator, { type: 'vote', proposal: proposal.hash, yes }));
const runTo = (harness: Harness, height: number): void => {
  while (heightOf(harness) < height) harness.block([]);
};

describe('a proposal', () => {
  it('passes above two thirds of the power, and is made as the first thing of its block', () => {
    const harness = scene();
    const proposal = propose(harness, first, maxOpenOrders(1), 10);
    // 31 + 27 of 100, then 78.
    expect([vote(harness, first, proposal), vote(harness, second, proposal)]).toEqual(['', '']);
    expect(harness.state.proposals.get(proposal.hash)).toMatchObject({ isPassed: false });
    expect(vote(harness, third, proposal)).toBe('');
    expect(harness.events().map(({ kind }) => kind)).toEqual(['voted', 'proposal_passed']);
    expect(vote(harness, fourth, proposal)).toBe(
      `proposal ${proposal.hash} has passed: it is made in block ${proposal.at}`,
    );
    harness.deposit(alice, 1000n);
    runTo(harness, proposal.at - 1);
    harness.restart();
    expect(harness.state.params.maxOpenOrders).toBe(100);
    const { results } = harness.block([
      { account: alice, payload: order('buy', 1n, 1n) },
      { account: alice, payload: order('buy', 1n, 1n) },
    ]);
    expect(results.map(wordsOf)).toEqual(['', 'too many open orders']);
    expect(harness.events()[0]).toMatchObject({
      kind: 'parameter_changed',
      actionIndex: null,
      data: { market_id: null, parameter: 'maxOpenOrders', new_value: '1', proposal: proposal.hash },
    });
    harness.restart();
    expect(harness.state.params.maxOpenOrders).toBe(1);
    expect(harness.state.proposals.size).toBe(0);
  });

  it('is over without enough votes, counts the latest of each, and takes none at its height of expiry', () => {
    const harness = scene();
    const proposal = propose(harness, first, maxOpenOrders(1), 12, 6);
    for (const owner of [first, second, third]) expect(vote(harness, owner, proposal, owner !== second)).toBe('');
    expect(vote(harness, first, proposal, false)).toBe('');
    expect(harness.state.proposals.get(proposal.hash)).toMatchObject({ isPassed: false });
    expect(harness.events()[0]!.data).toMatchObject({ yes_power: 22n, total_power: 100n });
    runTo(harness, proposal.at - 7);
    expect(harness.state.proposals.size).toBe(1);
    expect(vote(harness, fourth, proposal)).toBe(`no proposal ${proposal.hash} is open`);
    expect(harness.events()[0]).toMatchObject({ kind: 'proposal_ended', data: { reason: 'expired' } });
  });

  it('is refused outside of its heights, twice, and from a validator that has its share of the places', () => {
    const harness = scene();
    expect(propose(harness, first, maxOpenOrders(1), 9).words).toMatch(/^activation_height = 10: allowed is 11 to /);
    expect(propose(harness, first, maxOpenOrders(1), 10, 0).words).toMatch(/^expiry_height = 2: allowed is 3 to 12$/);
    expect(propose(harness, first, maxOpenOrders(1), 10, 11).words).toMatch(/^expiry_height = 14: /);
    const proposal = propose(harness, first, maxOpenOrders(1), 30);
    expect(propose(harness, first, maxOpenOrders(1), 29, 29).words).toBe(`proposal ${proposal.hash} is open already`);
    for (let count = 1; count < 16; count++) expect(propose(harness, first, maxOpenOrders(1), 40).words).toBe('');
    expect(propose(harness, first, maxOpenOrders(1), 40).words).toBe('too many proposals are open');
    expect(propose(harness, second, maxOpenOrders(1), 40).words).toBe('');
  });

  it('has one of 64 places', () => {
    const harness = scene();
    for (let count = 0; count < 64; count++)
      expect(propose(harness, reporters.reporters[count % 4]!.validator, maxOpenOrders(1), 100 + count).words).toBe('');
    const scheduled = act(harness, admin, { type: 'change', change: maxOpenOrders(2), atHeight: 500 });
    expect(wordsOf(scheduled)).toBe('too many proposals are open');
    expect(wordsOf(act(harness, admin, { type: 'change', change: maxOpenOrders(2), atHeight: 0 }))).toBe('');
  });

  it('that is not allowed any more when its height comes changes nothing, and says why', () => {
    const harness = scene();
    const settled: Change = { parameter: 'status', marketId: 2 as never, value: { status: 'settling', price: 7n } };
    const at = heightOf(harness) + 4;
    act(harness, admin, { type: 'change', change: settled, atHeight: at });
    act(harness, admin, { type: 'change', change: settled, atHeight: 0 });
    runTo(harness, at);
    expect(harness.events()).toMatchObject([{ kind: 'proposal_ended', data: { reason: 'market_delisted' } }]);
  });

  it('gives the admin another key, which the old one does not have any more', () => {
    const harness = scene();
    const change: Change = { parameter: 'admin', marketId: null, value: alice };
    expect(wordsOf(act(harness, admin, { type: 'change', change, atHeight: 0 }))).toBe('');
    expect(wordsOf(act(harness, admin, { type: 'change', change, atHeight: 0 }))).toBe(
      `signer ${admin} may not act for ${alice}`,
    );
    expect(wordsOf(act(harness, alice, { type: 'change', change: maxOpenOrders(3), atHeight: 0 }))).toBe('');
  });
});
