import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LatencyHistogram, latencyMsMax } from './histogram.ts';

const recorded = (values: readonly number[]): LatencyHistogram => {
  const histogram = new LatencyHistogram();
  for (const value of values) histogram.record(value);
  return histogram;
};
/** By the definition: the least value that so many percent do not exceed. */
const exact = (values: readonly number[], percentile: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)]!;
};
/** 1 µs…1 h, as many small as large ones. */
const latency = fc.double({ min: -3, max: Math.log10(latencyMsMax), noNaN: true }).map((power) => 10 ** power);
const latencies = fc.array(latency, { minLength: 1, maxLength: 300 });

describe('a histogram of latencies', () => {
  it('is off by half a microsecond or a thousandth, whatever is recorded', () => {
    fc.assert(
      fc.property(latencies, fc.constantFrom(50, 90, 99, 99.9, 100), (values, percentile) => {
        const wanted = exact(values, percentile);
        expect(Math.abs(recorded(values).at(percentile) - wanted)).toBeLessThanOrEqual(0.000_501 + wanted / 1000);
      }),
    );
  });

  it('merged is the one that would have been recorded together, also after a way through text', () => {
    fc.assert(
      fc.property(fc.array(latencies, { maxLength: 5 }), (parts) => {
        const merged = new LatencyHistogram();
        for (const part of parts) merged.add(LatencyHistogram.decode(recorded(part).encode()));
        const together = recorded(parts.flat());
        expect(merged.percentiles()).toEqual(together.percentiles());
        expect([...merged.values()]).toEqual([...together.values()]);
        expect(merged.encode()).toBe(together.encode());
      }),
    );
  });

  it('counts what is below nothing as nothing, what is longer than an hour as an hour, and refuses what is no number', () => {
    const { count, p50Ms, maxMs } = recorded([-5, -0.0004, 1e12]).percentiles();
    expect({ count, p50Ms }).toEqual({ count: 3, p50Ms: 0 });
    expect(maxMs / latencyMsMax).toBeCloseTo(1, 3);
    expect(() => recorded([Number.NaN])).toThrow(RangeError);
  });

  it('says nothing of nothing', () => {
    const empty = new LatencyHistogram();
    expect(empty.percentiles()).toEqual({ count: 0, meanMs: 0, p50Ms: 0, p90Ms: 0, p99Ms: 0, p999Ms: 0, maxMs: 0 });
    expect([empty.curve(), [...empty.values()]]).toEqual([[], []]);
    expect(LatencyHistogram.decode(empty.encode()).count).toBe(0);
  });

  it('forgets on demand', () => {
    const histogram = recorded([1, 2, 3]);
    histogram.reset();
    histogram.record(7);
    expect([...histogram.values()]).toEqual([[7.003, 1]]);
  });

  it('draws its curve up to what one operation of all lies above', () => {
    const curve = recorded(Array.from({ length: 1000 }, (_, index) => index + 1)).curve();
    expect(curve[0]!.percentile).toBe(0);
    expect(curve.find(({ percentile }) => percentile === 50)!.ms).toBeCloseTo(500, 0);
    expect(curve.at(-1)!.percentile).toBeGreaterThan(99.8);
    expect(curve.at(-1)!.percentile).toBeLessThan(99.9);
    expect(curve.every(({ ms }, index) => index === 0 || ms >= curve[index - 1]!.ms)).toBe(true);
  });
});

describe('decoding refuses', () => {
  const codeOf = (action: () => unknown): unknown => {
    try {
      action();
    } catch (error) {
      return (error as { readonly code?: unknown }).code;
    }
    return undefined;
  };
  const framed = (inner: Buffer, cookie = 0x1c849314): string => {
    const body = deflateSync(inner);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(cookie, 0);
    head.writeUInt32BE(body.length, 4);
    return Buffer.concat([head, body]).toString('base64');
  };
  /** Header of an encoding, with nothing or something behind it. */
  const inner = (digits: number, high: bigint, payload = Buffer.alloc(0), told = payload.length): Buffer => {
    const head = Buffer.alloc(40);
    head.writeUInt32BE(0x1c849313, 0);
    head.writeUInt32BE(told, 4);
    head.writeUInt32BE(digits, 12);
    head.writeBigUInt64BE(1n, 16);
    head.writeBigUInt64BE(high, 24);
    return Buffer.concat([head, payload]);
  };
  const hour = 3_600_000_000n;

  it.each([
    ['nothing', ''],
    ['words', 'what is this'],
    ['another encoding', framed(inner(3, hour), 0x1c849303)],
    ['what does not decompress', Buffer.from([0x1c, 0x84, 0x93, 0x14, 0, 0, 0, 2, 1, 2]).toString('base64')],
    ['what has no header', framed(Buffer.alloc(39))],
    ['another range, which could take any memory', framed(inner(3, 2n ** 52n))],
    ['other digits', framed(inner(5, hour))],
    ['what is cut off', framed(inner(3, hour, Buffer.alloc(3), 9))],
    ['what grows without end', framed(Buffer.alloc(10_000_000))],
    ['base64 that was cut off', new LatencyHistogram().encode().slice(0, -3)],
    ['counts that have no end', framed(inner(3, hour, Buffer.alloc(9, 0xff)))],
    ['what is too long', 'A'.repeat(300_000)],
  ])('%s', (_, text) => {
    expect(codeOf(() => LatencyHistogram.decode(text))).toBe('LOAD_HISTOGRAM_MALFORMED');
  });

  it('and takes the same header when it is right', () => {
    expect(LatencyHistogram.decode(framed(inner(3, hour, Buffer.from([2])))).percentiles()).toMatchObject({ count: 1 });
  });
});
