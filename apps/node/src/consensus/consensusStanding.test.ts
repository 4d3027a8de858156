import { describe, expect, it } from '@jest/globals';
import type { HeightDump, NetworkStatus, Peer } from '@prime/engine';
import type { Address, Hash, Height } from '@prime/primitives';
import { consensusStanding, knownNodes } from './consensusStanding.ts';

const address = (name: string): Address => `0x${name.repeat(40)}` as Address;
const [a, b, c] = [address('a'), address('b'), address('c')];
const block = `0x${'1'.repeat(64)}` as Hash;
const set = { validators: [a, b, c].map((one) => ({ address: one, moniker: one.slice(2, 4), power: 2n })) };
const status = (more: Partial<NetworkStatus> = {}): NetworkStatus =>
  ({
    head: 6 as Height,
    height: 7 as Height,
    syncing: null,
    validators: set,
    peers: [],
    self: null,
    reachable: [],
    upgrade: { version: 1, known: 2, next: null },
    ...more,
  }) as unknown as NetworkStatus;
const times = { headMs: 10, roundMs: 20 };

const noVotes = { votes: [], power: 0n, missing: [a, b, c] };
const dump = (more: Partial<HeightDump>): HeightDump =>
  ({
    height: 7,
    round: 1,
    step: 'propose',
    started: true,
    totalPower: 6n,
    rounds: [
      { round: 0, proposer: a, proposals: [], prevotes: noVotes, precommits: noVotes },
      {
        round: 1,
        proposer: b,
        proposals: [{ blockHash: block, polRound: -1, complete: true }],
        prevotes: {
          votes: [
            { validator: a, blockHash: block },
            { validator: b, blockHash: null },
            { validator: a, blockHash: null },
          ],
          power: 4n,
          missing: [c],
        },
        precommits: noVotes,
      },
      { round: 2, proposer: c, proposals: [], prevotes: noVotes, precommits: noVotes },
    ],
    ...more,
  }) as unknown as HeightDump;

describe('what the next block waits for', () => {
  const waits = (more: Partial<HeightDump> | null, standing: Partial<NetworkStatus> = {}) =>
    consensusStanding(status(standing), more && dump(more), times).waitsFor;

  it.each([
    ['propose', 'proposal'],
    ['newRound', 'proposal'],
    ['prevote', 'prevotes'],
    ['precommit', 'precommits'],
    ['decided', 'execution'],
  ] as const)('in the step %s it is: %s', (step, wait) => {
    expect(waits({ step })).toBe(wait);
  });

  it('is work before the first round, execution between two heights, and blocks while this node lacks some', () => {
    expect(waits({ started: false })).toBe('work');
    expect(waits(null)).toBe('execution');
    const syncing = { startingBlock: 1, currentBlock: 2, highestBlock: 3 } as never;
    expect(waits({ step: 'prevote' }, { syncing })).toBe('blocks');
  });

  it('is told with the round that goes on, and not with one of which messages came early', () => {
    expect(consensusStanding(status(), dump({}), times)).toMatchObject({
      height: 7,
      sinceMs: 20,
      totalPower: 6n,
      round: { number: 1, proposer: b, hasProposal: true, precommits: { missing: [a, b, c], power: 0n } },
    });
  });

  it('counts a validator that voted twice once', () => {
    const { round } = consensusStanding(status(), dump({}), times);
    expect(round?.prevotes).toEqual({ block: [a], nil: [b], missing: [c], power: 4n });
  });

  it('has no round before the first: then the wait began with the newest block', () => {
    expect(consensusStanding(status(), dump({ started: false }), times)).toMatchObject({ round: null, sinceMs: 10 });
    expect(consensusStanding(status(), null, times)).toMatchObject({ round: null, sinceMs: 10 });
  });
});

describe('what is told of other nodes', () => {
  const sources = { head: () => 5 as Height, hidden: new Set<Address>(), isBehindSentries: false };
  const peer = (of: Address, role: Peer['role'] = 'validator'): Peer => ({
    address: of,
    role,
    protocol: { known: 2, upgrades: [] },
  });

  it('is where validators stand that are connected, and whether others are there', () => {
    const { validators } = knownNodes(status({ peers: [peer(a)], reachable: [a, b] }), sources);
    expect(validators).toEqual([
      { address: a, moniker: 'aa', power: 2n, isPresent: true, head: 5, known: 2 },
      { address: b, moniker: 'bb', power: 2n, isPresent: true, head: null, known: null },
      { address: c, moniker: 'cc', power: 2n, isPresent: false, head: null, known: null },
    ]);
  });

  it('is no address of a node that is no validator', () => {
    const { others } = knownNodes(status({ peers: [peer(address('d'), 'full'), peer(a)] }), sources);
    expect(others).toEqual([{ role: 'full', head: 5, known: 2 }]);
  });

  it('is nothing of a connection to nodes that are hidden', () => {
    const hidden = new Set([a, address('d')]);
    const shown = knownNodes(status({ peers: [peer(a), peer(address('d'), 'full')], reachable: [a] }), {
      ...sources,
      hidden,
    });
    expect(shown.validators[0]).toMatchObject({ address: a, isPresent: true, head: null, known: null });
    expect(shown.others).toEqual([]);
  });

  it('is the own head of a validator, unless it stands behind sentries', () => {
    const own = (isBehindSentries: boolean) =>
      knownNodes(status({ self: b }), { ...sources, isBehindSentries }).validators[1];
    expect(own(false)).toMatchObject({ isPresent: true, head: 6, known: 2 });
    expect(own(true)).toMatchObject({ isPresent: true, head: null, known: null });
  });
});
