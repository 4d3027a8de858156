import { describe, expect, it } from '@jest/globals';
import { headerHash, validatorsHash } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import type { Hash, Height, TimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import { blockMs, chainId, LightChain, type Member, startMs } from '../testing/lightChain.ts';
import { LightClient, type LightStep } from './client.ts';
import { type LightBlock, type LightContext, trustBlock, verifyLightBlock } from './verify.ts';

const provider = await cryptoProvider();
const ids = (...of: readonly number[]): Member[] => of.map((id) => ({ id }));
const four = ids(1, 2, 3, 4);
const constant = new LightChain(provider, () => four);
/** One of four is replaced every ten blocks: after forty nobody of genesis is left. */
const rolling = new LightChain(provider, (height) =>
  [0, 1, 2, 3].map((place) => ({ id: place + 4 * Math.floor((Math.floor(height / 10) + 3 - place) / 4) })),
);
const old: Partial<LightContext> = { trustingPeriodMs: 1_000 };

function follow(
  chain: LightChain,
  target: number,
  serve: (height: number) => LightBlock = (height) => chain.block(height),
  changes: Partial<LightContext> = {},
): { readonly step: LightStep; readonly asked: readonly number[]; readonly client: LightClient } {
  const client = new LightClient(chain.root, target as Height, chain.context(changes));
  const asked: number[] = [];
  for (;;) {
    asked.push(client.next);
    const step = client.take(serve(client.next));
    if (step.kind !== 'more') return { step, asked, client };
  }
}

describe('light verification from genesis', () => {
  it('the validators never changed: one block is enough at any height', () => {
    const { step, asked } = follow(constant, 3_000);
    expect(asked).toEqual([3_000]);
    expect(step).toMatchObject({ kind: 'proven', power: 4n, total: 4n });
  });

  it('a third is replaced: it goes there at once, as somebody honest of genesis signed', () => {
    expect(follow(rolling, 19).asked).toEqual([19]);
    expect(follow(rolling, 19, undefined, old).asked).toEqual([19]);
    expect(follow(rolling, 29).asked).toEqual([29]);
  });

  it('all are replaced: by halves to the changes, over as few blocks as needed', () => {
    const { step, asked, client } = follow(rolling, 2_000);
    expect(step.kind).toBe('proven');
    expect(asked.length).toBeLessThan(500);
    expect(asked.length).toBeGreaterThan(50);
    const heights = client.path.map(({ header }) => header.height);
    expect(heights.at(-1)).toBe(2_000);
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    // Who keeps them can do the same without a node.
    let trusted = rolling.root;
    for (const block of client.path) {
      const verdict = verifyLightBlock(trusted, block, rolling.context());
      if (!verdict.ok) throw new Error(verdict.refusal.code);
      trusted = verdict.trust;
    }
    expect(trusted.height).toBe(2_000);
  });

  it('a root whose validators may have sold their keys: every step needs two thirds of the known power', () => {
    const young = follow(rolling, 400);
    const expired = follow(rolling, 400, undefined, old);
    expect([young.step.kind, expired.step.kind]).toEqual(['proven', 'proven']);
    expect(expired.asked.length).toBeGreaterThan(young.asked.length);
  });

  it('all change from one block to the next: the header before names them, and the next block is reached through it', () => {
    const chain = new LightChain(provider, (height) => (height < 50 ? four : ids(5, 6, 7, 8)));
    const { step, client } = follow(chain, 80);
    expect(step.kind).toBe('proven');
    expect(client.path.map(({ header }) => header.height)).toContain(49);
    expect(follow(chain, 80, undefined, old).step.kind).toBe('proven');
  });

  it('a validator with a new key counts as known only under the key that is known', () => {
    const chain = new LightChain(provider, (height) => (height < 50 ? four : four.map(({ id }) => ({ id, key: 1 }))));
    const { step, asked } = follow(chain, 80);
    expect(step.kind).toBe('proven');
    expect(asked.length).toBeGreaterThan(2);
  });

  it('random changes of members, keys and power: every height is proven', () => {
    const change = fc.record({
      height: fc.integer({ min: 2, max: 60 }),
      set: fc.uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 8 }), key: fc.nat(1), power: fc.bigInt(1n, 5n) }), {
        minLength: 1,
        maxLength: 5,
        selector: ({ id }) => id,
      }),
    });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 5 }),
        fc.integer({ min: 1, max: 64 }),
        fc.boolean(),
        (changes, target, isOld) => {
          const chain = new LightChain(
            provider,
            (height) =>
              changes
                .filter((entry) => entry.height <= height)
                .toSorted((a, b) => a.height - b.height)
                .at(-1)?.set ?? four,
          );
          const { step, asked } = follow(chain, target, undefined, isOld ? old : {});
          expect({ target, changes, kind: step.kind }).toMatchObject({ kind: 'proven' });
          expect(asked.length).toBeLessThanOrEqual(64);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('refused, and not merely not believed yet', () => {
  const context = constant.context();
  const good = constant.block(10);
  const verify = (block: LightBlock, changes: Partial<LightContext> = {}) =>
    verifyLightBlock(constant.root, block, { ...context, ...changes });

  it.each<[string, LightBlock, object]>([
    ['a header of another chain', constant.block(10, { chainId: chainId + 1 }), { code: 'otherChain' }],
    ['a block that is not above the root', constant.block(0), { code: 'otherHeight' }],
    ['time that does not grow', constant.block(10, { timestampMs: startMs as TimestampMs }), { code: 'notLater' }],
    [
      'a block of tomorrow',
      constant.block(10, { timestampMs: (startMs + 90_000_000) as TimestampMs }),
      { code: 'fromTheFuture' },
    ],
    ['a changed header', { ...good, header: { ...good.header, gasLimit: 2n } }, { code: 'otherBlock' }],
    [
      'the certificate of another block',
      { ...good, certificate: constant.block(11).certificate },
      { code: 'otherBlock' },
    ],
    [
      'the certificate of another height for this block',
      { ...good, certificate: { ...good.certificate, height: 11 as Height } },
      { code: 'otherBlock' },
    ],
    [
      'validators that are not the header’s',
      { ...good, validators: constant.set(ids(1, 2, 3, 5)) },
      { code: 'otherValidators' },
    ],
    [
      'more power for one of them',
      { ...good, validators: good.validators.map((one, index) => (index === 0 ? { ...one, power: 9n } : one)) },
      { code: 'otherValidators' },
    ],
    [
      'half of the power',
      constant.block(10, {}, ids(1, 2)),
      { code: 'certificate', refusal: { code: 'notEnoughPower' } },
    ],
    [
      'a signature that is none',
      {
        ...good,
        certificate: {
          ...good.certificate,
          signatures: good.certificate.signatures.map((one) => ({ ...one, signature: new Uint8Array(65) })),
        },
      },
      { code: 'certificate', refusal: { code: 'invalidSignature' } },
    ],
  ])('%s', (_, block, refusal) => {
    expect(verify(block)).toMatchObject({ ok: false, refusal });
  });

  it('a certificate of another network with the same chain id', () => {
    const other = verify(good, { genesisHash: `0x${'11'.repeat(32)}` as Hash });
    expect(other).toMatchObject({ ok: false, refusal: { code: 'certificate', refusal: { code: 'invalidSignature' } } });
  });

  it('a next block with other validators than the one before it names', () => {
    const forged = constant.signed(
      { ...constant.header(1), validatorsHash: validatorsHash(constant.set(ids(7))) },
      ids(7),
    );
    expect(verify(forged)).toMatchObject({ ok: false, refusal: { code: 'otherNextValidators' } });
  });

  it('a block of a set of the liar’s own: whatever true blocks are in between, it ends where the sets do not fit', () => {
    const liars = ids(90, 91, 92);
    const forge = (height: number): LightBlock =>
      constant.signed(
        {
          ...constant.header(height),
          validatorsHash: validatorsHash(constant.set(liars)),
          nextValidatorsHash: validatorsHash(constant.set(liars)),
        },
        liars,
      );
    for (const first of [1, 2, 31, 40]) {
      const serve = (height: number): LightBlock => (height >= first ? forge(height) : constant.block(height));
      const { step } = follow(constant, 40, serve);
      expect(step).toMatchObject({ kind: 'refused', height: first, refusal: { code: 'otherNextValidators' } });
    }
  });

  it('a set in which the liars took the names of the known ones, with keys of their own', () => {
    const masks = four.map(({ id }) => ({ id, key: 9 }));
    const header = { ...constant.header(20), validatorsHash: validatorsHash(constant.set(masks)) };
    const verdict = verify(constant.signed(header, masks));
    expect(verdict).toMatchObject({ ok: false, refusal: { code: 'notTrusted', power: 0n, total: 4n } });
  });

  it('a third of the known power beside the liar’s own: not enough, and with more it is, while they answer with their stake', () => {
    const sets = { third: [{ id: 1, power: 1n }], more: ids(1, 2) };
    const chain = new LightChain(provider, () => ids(1, 2, 3));
    const forge = (known: readonly Member[]): LightBlock => {
      const members = [...known, ...ids(90)];
      return chain.signed({ ...chain.header(20), validatorsHash: validatorsHash(chain.set(members)) }, members);
    };
    expect(verifyLightBlock(chain.root, forge(sets.third), chain.context())).toMatchObject({
      ok: false,
      refusal: { code: 'notTrusted', power: 1n, total: 3n, level: 'third' },
    });
    expect(verifyLightBlock(chain.root, forge(sets.more), chain.context())).toMatchObject({ ok: true });
    // Later their keys may be for sale: two thirds exactly is not enough then.
    expect(verifyLightBlock(chain.root, forge(sets.more), chain.context(old))).toMatchObject({
      ok: false,
      refusal: { code: 'notTrusted', level: 'quorum' },
    });
  });

  it('known validators in the liar’s set who did not sign: nothing of the known power is behind it', () => {
    const members = [...four, { id: 90, power: 100n }];
    const header = { ...constant.header(20), validatorsHash: validatorsHash(constant.set(members)) };
    expect(verify(constant.signed(header, members, ids(90)))).toMatchObject({
      ok: false,
      refusal: { code: 'notTrusted', power: 0n, total: 4n },
    });
  });

  it.each([
    [29_999, 'third'],
    [30_000, 'quorum'],
    [30_001, 'quorum'],
  ] as const)('after %i of 30000 ms the known validators are trusted by the level %s', (sinceMs, level) => {
    const members = [...ids(1), { id: 90, power: 9n }];
    const header = { ...constant.header(20), validatorsHash: validatorsHash(constant.set(members)) };
    const changes = { nowMs: startMs + sinceMs, trustingPeriodMs: 30_000 };
    expect(verify(constant.signed(header, members), changes)).toMatchObject({
      ok: false,
      refusal: { code: 'notTrusted', power: 1n, level },
    });
  });

  it('another height than was asked for', () => {
    const client = new LightClient(constant.root, 9 as Height, context);
    expect(client.take(good)).toMatchObject({
      kind: 'refused',
      height: 9,
      refusal: { code: 'otherHeight', height: 10 },
    });
  });
});

describe('a trusted block as the root', () => {
  it('is the one with the hash, and the way goes on from there', () => {
    const block = rolling.block(500);
    const root = trustBlock(headerHash(block.header), block)!;
    expect(root).toMatchObject({ height: 500, timestampMs: startMs + 500 * blockMs });
    const client = new LightClient(root, 519 as Height, rolling.context());
    expect(client.take(rolling.block(519))).toMatchObject({ kind: 'proven' });
    expect(trustBlock(`0x${'12'.repeat(32)}` as Hash, block)).toBeNull();
    expect(trustBlock(headerHash(block.header), { ...block, validators: constant.set(four) })).toBeNull();
  });
});
