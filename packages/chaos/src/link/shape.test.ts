import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import fc from 'fast-check';
import { type LinkRule, LinkShaper, plainLink } from './shape.ts';

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index % 251);
const never = (): number => 0.999_999;
const dueOf = (rule: Partial<LinkRule>, random = never, length = 100): number[] =>
  new LinkShaper(random).enter(bytes(length), 1_000, { ...plainLink, ...rule }).map(({ dueMs }) => dueMs);

describe('a link', () => {
  it('that is plain: at once, as one piece', () => {
    expect(dueOf({})).toEqual([1_000]);
  });

  it('with latency and jitter', () => {
    expect(dueOf({ latencyMs: 50 })).toEqual([1_050]);
    expect(dueOf({ latencyMs: 50, jitterMs: 40 }, () => 0.5)).toEqual([1_070]);
  });

  it('with a bandwidth: what is sent later waits for what was sent before', () => {
    const shaper = new LinkShaper(never);
    const rule = { ...plainLink, bytesPerSecond: 1_000 };
    expect([1_000, 1_010].flatMap((nowMs) => shaper.enter(bytes(100), nowMs, rule)).map(({ dueMs }) => dueMs)).toEqual([
      1_100, 1_200,
    ]);
  });

  it('that loses a piece twice: 200 and 400 ms later, and what follows does not overtake it', () => {
    const draws = [0.5, 0, 0, 0.9, 0.5, 0.9];
    const shaper = new LinkShaper(() => draws.shift() ?? 0.9);
    const rule = { ...plainLink, lossPerMille: 100 };
    expect([1_000, 1_010].flatMap((nowMs) => shaper.enter(bytes(1), nowMs, rule)).map(({ dueMs }) => dueMs)).toEqual([
      1_600, 1_600,
    ]);
  });

  it('that dribbles: small pieces, 20 ms apart', () => {
    expect(dueOf({ pieceBytes: 30 })).toEqual([1_020, 1_040, 1_060, 1_080]);
  });

  it('loses, adds and reorders no byte under any rules', () => {
    const rules = fc.record<LinkRule>({
      isCut: fc.constant(false),
      latencyMs: fc.nat(500),
      jitterMs: fc.nat(500),
      bytesPerSecond: fc.nat(10_000),
      lossPerMille: fc.nat(900),
      pieceBytes: fc.nat(50),
    });
    const inputs = fc.array(fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.nat(300), rules), { maxLength: 20 });
    fc.assert(
      fc.property(inputs, fc.integer(), (chunks, seed) => {
        const prng = createPrng(seed);
        const shaper = new LinkShaper(() => prng.next() / 2 ** 32);
        let nowMs = 0;
        const pieces = chunks.flatMap(([chunk, passedMs, rule]) => {
          nowMs += passedMs;
          const entered = shaper.enter(chunk, nowMs, rule);
          expect(entered.every(({ dueMs }) => dueMs >= nowMs)).toBe(true);
          return entered;
        });
        expect(Buffer.concat(pieces.map(({ bytes: piece }) => piece))).toEqual(
          Buffer.concat(chunks.map(([chunk]) => chunk)),
        );
        const dues = pieces.map(({ dueMs }) => dueMs);
        expect(dues).toEqual(dues.toSorted((a, b) => a - b));
      }),
    );
  });
});
