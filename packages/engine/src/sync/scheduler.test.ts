import { describe, expect, it } from '@jest/globals';
import type { StoredBlock } from '@prime/codec';
import { type Address, createPrng, type Hash, type Height, type Prng } from '@prime/primitives';
import fc from 'fast-check';
import { blocksPerRequest, type SyncEffect, SyncScheduler } from './scheduler.ts';

const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
const hashOf = (height: number, salt: number): Hash =>
  `0x${(height * 1000 + salt).toString(16).padStart(64, '0')}` as Hash;
/** Of a block only height and hash matter here: proving is done by whoever takes it. */
const blockAt = (height: number, salt = 0): StoredBlock =>
  ({ block: { header: { height } }, hash: hashOf(height, salt) }) as unknown as StoredBlock;
const range = (from: number, count: number): StoredBlock[] =>
  Array.from({ length: count }, (_, i) => blockAt(from + i));

const requests = (effects: readonly SyncEffect[]) => effects.filter((effect) => effect.kind === 'request');
const bans = (effects: readonly SyncEffect[]): string[] =>
  effects.flatMap((effect) => (effect.kind === 'ban' ? [effect.reason] : []));
const [a, b] = [addressOf(1), addressOf(2)];
const h = (height: number): Height => height as Height;

describe('ranges', () => {
  it('a peer far ahead: two ranges of 64 at once, the next one when one is answered', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    const first = requests(scheduler.onClaim(a, h(1), h(300), 0));
    expect(first).toMatchObject([
      { peer: a, from: 1, count: 64 },
      { peer: a, from: 65, count: 64 },
    ]);
    const next = requests(scheduler.onBlocks(a, first[0]!.requestId, range(1, 64), 64_000, 10));
    expect(next).toMatchObject([{ from: 129, count: 64 }]);
    expect(scheduler.ready().map(({ stored }) => stored.block.header.height)).toEqual(
      range(1, 64).map((_, i) => i + 1),
    );
  });

  it('several peers ahead: ranges go to all of them', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    const asked = [1, 2, 3].flatMap((index) => requests(scheduler.onClaim(addressOf(index), h(1), h(1000), 0)));
    expect(asked.map(({ peer, from }) => [peer, from])).toEqual([
      [addressOf(1), 1],
      [addressOf(1), 65],
      [addressOf(2), 129],
      [addressOf(2), 193],
      [addressOf(3), 257],
      [addressOf(3), 321],
    ]);
  });

  it('an answer cut short by its size: the rest is asked for', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    const [ask] = requests(scheduler.onClaim(a, h(1), h(64), 0));
    expect(requests(scheduler.onBlocks(a, ask!.requestId, range(1, 10), 1_200_000, 10))).toMatchObject([
      { from: 11, count: 54 },
    ]);
  });

  it('peers that pruned are asked for what they have, and nobody where nobody has it', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    expect(scheduler.onClaim(a, h(65), h(128), 0)).toMatchObject([{ from: 65 }]);
    expect(requests(scheduler.onClaim(b, h(1), h(64), 0))).toMatchObject([{ peer: b, from: 1, count: 64 }]);
  });

  it('never more than the window above the head', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    const asked = Array.from({ length: 30 }, (_, i) =>
      requests(scheduler.onClaim(addressOf(i), h(1), h(1e9), 0)),
    ).flat();
    expect(asked).toHaveLength(16);
    expect(Math.max(...asked.map(({ from, count }) => from + count - 1))).toBe(16 * blocksPerRequest);
  });

  it('one block ahead: asked for when the votes did not decide it within the grace', () => {
    const scheduler = new SyncScheduler(h(9), 1);
    expect(scheduler.onClaim(a, h(1), h(10), 1_000)).toEqual([]);
    expect(scheduler.wakeAtMs(1_000)).toBe(1_150);
    expect(scheduler.plan(1_149)).toEqual([]);
    expect(scheduler.plan(1_150)).toMatchObject([{ from: 10, count: 1 }]);
  });

  it('one block ahead, decided meanwhile: nothing is asked, and the next one gets its own grace', () => {
    const scheduler = new SyncScheduler(h(9), 1);
    scheduler.onClaim(a, h(1), h(10), 1_000);
    scheduler.onHead(h(10), 1_050);
    expect(scheduler.onClaim(a, h(1), h(11), 1_100)).toEqual([]);
    expect(scheduler.plan(1_200)).toEqual([]);
    expect(scheduler.plan(1_250)).toMatchObject([{ from: 11 }]);
  });
});

describe('peers of no help', () => {
  it('no answer within 5 s: the ranges go to another peer, and the silent one is left alone', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    scheduler.onClaim(a, h(1), h(64), 0);
    expect(scheduler.onClaim(b, h(1), h(64), 100)).toEqual([]);
    // The next block is asked of a second peer before that.
    expect(scheduler.plan(1_000)).toMatchObject([{ peer: b, from: 1 }]);
    expect(scheduler.plan(5_000)).toEqual([]);
    expect(scheduler.plan(6_000)).toEqual([]);
    // Both are left alone for two seconds.
    expect(scheduler.highest(6_000)).toBe(0);
    expect(scheduler.plan(7_000)).toMatchObject([{ peer: a, from: 1 }]);
  });

  it('a slow answer: it counts, and the next range goes to another one', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    const [ask] = requests(scheduler.onClaim(a, h(1), h(64), 0));
    scheduler.onClaim(b, h(1), h(1), 0);
    scheduler.onBlocks(a, ask!.requestId, range(1, 2), 2_000, 3_000);
    expect(scheduler.ready()).toHaveLength(2);
    expect(scheduler.highest(3_001)).toBe(1);
  });

  it('no blocks where it says it has them, three times: a lie', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    let asked = requests(scheduler.onClaim(a, h(1), h(64), 0));
    const reasons: string[][] = [];
    for (let nowMs = 0; reasons.length < 3; nowMs += 300_000) {
      const effects = scheduler.onBlocks(a, asked[0]!.requestId, [], 0, nowMs);
      reasons.push(bans(effects));
      asked = requests(scheduler.plan(nowMs + 300_000));
    }
    expect(reasons).toEqual([[], [], ['claims blocks that it does not have']]);
  });

  it.each([
    ['more blocks than asked for', range(1, 65)],
    ['other heights', range(2, 3)],
    ['a gap', [blockAt(1), blockAt(3)]],
    ['the largest height there is', [blockAt(Number.MAX_SAFE_INTEGER)]],
  ])('%s: banned', (_name, blocks) => {
    const scheduler = new SyncScheduler(h(0), 1);
    const [ask] = requests(scheduler.onClaim(a, h(1), h(64), 0));
    expect(bans(scheduler.onBlocks(a, ask!.requestId, blocks, 1, 1))).toEqual([
      'sent other blocks than it was asked for',
    ]);
    expect(scheduler.ready()).toEqual([]);
  });

  it('a base above the head: banned, and not believed', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    expect(bans(scheduler.onClaim(a, h(12), h(10), 0))).toEqual(['claims a base above its head']);
    expect(scheduler.highest(1)).toBe(0);
    // Nothing stored yet.
    expect(scheduler.onClaim(b, h(1), h(0), 0)).toEqual([]);
  });

  it('a wrong block: all that came from its sender is asked of others', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    const fromA = requests(scheduler.onClaim(a, h(1), h(128), 0));
    scheduler.onBlocks(a, fromA[0]!.requestId, range(1, 64), 64_000, 1);
    scheduler.onBlocks(a, fromA[1]!.requestId, range(65, 64), 64_000, 1);
    scheduler.onClaim(b, h(1), h(128), 2);
    const effects = scheduler.rejected(a, 'wrong', 3);
    expect(effects).toMatchObject([
      { kind: 'ban', peer: a },
      { kind: 'request', peer: b, from: 1 },
      { kind: 'request', peer: b, from: 65 },
    ]);
    expect(scheduler.ready()).toEqual([]);
  });

  it('an answer to a request of another peer, or to none, is nothing', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    const [ask] = requests(scheduler.onClaim(a, h(1), h(64), 0));
    expect(scheduler.onBlocks(b, ask!.requestId, range(1, 64), 1, 1)).toEqual([]);
    expect(scheduler.onBlocks(a, 999, range(1, 64), 1, 1)).toEqual([]);
    expect(scheduler.ready()).toEqual([]);
  });
});

describe('a peer that keeps requests waiting', () => {
  type Manner = 'never' | 'slowly' | 'leaves' | 'in time';
  const manners = ['never', 'slowly', 'leaves'] as const;

  /** One range is asked of each of two peers: `b` is in time, or never answers either. @returns who is told of as a burden */
  function round(scheduler: SyncScheduler, index: number, ofA: Manner, isOtherInTime = true): Address[] {
    // So far apart that nobody is left alone any more.
    const [atMs, head] = [index * 1_000_000, index * 128];
    const effects = [a, b].flatMap((peer, i) => scheduler.onClaim(peer, h(1), h(head + 64 * (i + 1)), atMs));
    const asks = requests(effects);
    expect(asks.map(({ peer }) => peer)).toEqual([a, b]);
    const answer = (peer: Address, afterMs: number): void => {
      const { requestId, from, count } = asks.find((ask) => ask.peer === peer)!;
      effects.push(...scheduler.onBlocks(peer, requestId, range(from, count), 1_000, atMs + afterMs));
    };
    if (isOtherInTime) answer(b, 10);
    if (ofA === 'in time') answer(a, 20);
    if (ofA === 'slowly') answer(a, 3_000);
    if (ofA === 'leaves') effects.push(...scheduler.onPeerGone(a, atMs + 4_999));
    effects.push(...scheduler.plan(atMs + 5_000), ...scheduler.onPeerGone(b, atMs + 5_001));
    effects.push(...scheduler.onHead(h(head + 128), atMs + 5_002));
    return effects.flatMap((effect) => (effect.kind === 'burden' ? [effect.peer] : []));
  }

  it.each(manners)('five times, while another one is in time (%s): a burden, and left alone for longer', (manner) => {
    const scheduler = new SyncScheduler(h(0), 1);
    const told = [0, 1, 2, 3, 4].map((index) => round(scheduler, index, manner));
    expect(told).toEqual([[], [], [], [], [a]]);
    expect(requests(scheduler.onClaim(a, h(1), h(1_000), 4_034_000))).toEqual([]);
    // It begins anew after that.
    expect(round(scheduler, 5, manner)).toEqual([]);
  });

  it('requests that wait at the same time, asked at different times, are one accident', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    const burdens: Address[] = [];
    const note = (effects: readonly SyncEffect[]): readonly SyncEffect[] => {
      for (const { kind, peer } of effects) if (kind === 'burden') burdens.push(peer);
      return effects;
    };
    for (let index = 0; index < 4; index++) {
      const [atMs, head] = [index * 1_000_000, index * 192];
      const first = note(scheduler.onClaim(a, h(1), h(head + 64), atMs));
      const second = note(scheduler.onClaim(a, h(1), h(head + 128), atMs + 1_000));
      const [ofB] = requests(note(scheduler.onClaim(b, h(head + 129), h(head + 192), atMs + 1_001)));
      expect(requests([...first, ...second]).map(({ peer }) => peer)).toEqual([a, a]);
      note(scheduler.onBlocks(b, ofB!.requestId, range(head + 129, 64), 64_000, atMs + 1_010));
      for (const afterMs of [5_000, 6_000]) note(scheduler.plan(atMs + afterMs));
      note(scheduler.onPeerGone(b, atMs + 6_001));
      note(scheduler.onHead(h(head + 192), atMs + 6_002));
    }
    expect(burdens).toEqual([]);
  });

  it('no other one is in time: the own link may be the slow one', () => {
    const scheduler = new SyncScheduler(h(0), 1);
    expect(Array.from({ length: 12 }, (_, index) => round(scheduler, index, 'never', false)).flat()).toEqual([]);
  });

  it('each answer in time makes up for one that was not', () => {
    const [even, uneven] = [new SyncScheduler(h(0), 1), new SyncScheduler(h(0), 1)];
    const told = Array.from({ length: 20 }, (_, index) => [
      round(even, index, index % 2 === 0 ? 'never' : 'in time').length,
      round(uneven, index, index % 3 === 2 ? 'in time' : 'never').length,
    ]);
    expect(told.map(([ofEven]) => ofEven)).not.toContain(1);
    expect(told.findIndex(([, ofUneven]) => ofUneven === 1)).toBe(10);
  });
});

/** How a peer of the property answers a request; null is not at all. */
type Answer = (from: number, count: number, prng: Prng) => readonly StoredBlock[] | null;
interface Kind {
  readonly answer: Answer;
  readonly claim: (head: number) => readonly [base: number, head: number];
  readonly delayMs: number;
}
const honestly: Answer = (from, count) => range(from, count);
const all = (head: number) => [1, head] as const;
const kinds: Readonly<Record<string, Kind>> = {
  honest: { answer: (from, count, prng) => range(from, 1 + prng.below(count)), claim: all, delayMs: 40 },
  pruned: { answer: honestly, claim: (head) => [Math.ceil(head / 2), head], delayMs: 40 },
  slow: { answer: honestly, claim: all, delayMs: 4_000 },
  late: { answer: honestly, claim: all, delayMs: 9_000 },
  silent: { answer: () => null, claim: (head) => [1, 2 * head], delayMs: 1 },
  empty: { answer: () => [], claim: (head) => [1, 1_000_000 + head], delayMs: 1 },
  forger: {
    answer: (from, count) => range(from, count - 1).concat(blockAt(from + count - 1, 7)),
    claim: all,
    delayMs: 1,
  },
  babbler: { answer: () => range(5, 100), claim: (head) => [1, Number.MAX_SAFE_INTEGER - head], delayMs: 1 },
  boaster: { answer: honestly, claim: (head) => [head + 9, head], delayMs: 1 },
};
const liars = new Set(['empty', 'forger', 'babbler', 'boaster']);

/** Runs a sync to its end on virtual time. */
function simulate(head: number, names: readonly string[], seed: number) {
  const prng = createPrng(seed);
  const scheduler = new SyncScheduler(h(0), 1);
  const events: { atMs: number; run: () => readonly SyncEffect[] }[] = [];
  const banned = new Set<string>();
  const burdens = new Set<string>();
  let nowMs = 0;
  let own = 0;
  const carryOut = (effects: readonly SyncEffect[]): void => {
    for (const effect of effects) {
      const index = Number(effect.peer);
      if (effect.kind !== 'request') {
        (effect.kind === 'ban' ? banned : burdens).add(names[index]!);
        continue;
      }
      const { peer, requestId, from, count } = effect;
      const { answer, delayMs } = kinds[names[index]!]!;
      if (count > blocksPerRequest || from <= own) throw new Error(`asked for ${count} from ${from} at ${own}`);
      const blocks = answer(from, count, prng);
      if (blocks !== null)
        events.push({
          atMs: nowMs + delayMs + prng.below(20),
          run: () => scheduler.onBlocks(peer, requestId, blocks, blocks.length * 1_000, nowMs),
        });
    }
  };
  const takeReady = (): void => {
    for (let ready = scheduler.ready(); ready.length > 0; ready = scheduler.ready()) {
      const heights = ready.map(({ stored }) => stored.block.header.height);
      expect(heights).toEqual(heights.map((_, i) => own + 1 + i));
      const wrong = ready.find(({ stored }) => stored.hash !== hashOf(stored.block.header.height, 0));
      own = wrong === undefined ? heights.at(-1)! : wrong.stored.block.header.height - 1;
      carryOut(scheduler.onHead(h(own), nowMs));
      if (wrong !== undefined) carryOut(scheduler.rejected(wrong.peer, 'wrong', nowMs));
    }
  };
  names.forEach((name, index) => {
    const [base, top] = kinds[name]!.claim(head);
    carryOut(scheduler.onClaim(addressOf(index), h(base), h(top), nowMs));
  });
  for (let steps = 0; own < head && steps < 100_000; steps++) {
    const wakeAtMs = scheduler.wakeAtMs(nowMs);
    if (wakeAtMs !== null) events.push({ atMs: Math.max(nowMs + 1, wakeAtMs), run: () => scheduler.plan(nowMs) });
    events.sort((x, y) => x.atMs - y.atMs);
    const event = events.shift();
    if (event === undefined) break;
    nowMs = Math.max(nowMs, event.atMs);
    carryOut(event.run());
    takeReady();
  }
  return { own, banned, burdens };
}

it('one honest peer among slow, silent and lying ones: the whole chain arrives, only liars are banned, and nobody in time is a burden', () => {
  const others = fc.array(fc.constantFrom(...Object.keys(kinds)), { maxLength: 7 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_500 }), others, fc.nat(8), fc.nat(), (head, rest, place, seed) => {
      const names = rest.toSpliced(place, 0, 'honest');
      const { own, banned, burdens } = simulate(head, names, seed);
      expect({ names, own }).toEqual({ names, own: head });
      expect([...banned].filter((name) => !liars.has(name))).toEqual([]);
      for (const name of ['honest', 'pruned']) expect(burdens).not.toContain(name);
    }),
    { numRuns: 150 },
  );
});
