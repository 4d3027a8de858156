import { inflateSync } from 'node:zlib';
import { decodeFromCompressedBase64, encodeIntoCompressedBase64, Float64Histogram } from 'hdr-histogram-js';
import { malformedHistogram } from './errors.ts';
import type { Percentiles } from './report/runReport.ts';

/** The longest latency that is told apart: 1 h. Longer ones count as this one. */
export const latencyMsMax = 3_600_000;

const microsecondsPerMs = 1000;
const highest = latencyMsMax * microsecondsPerMs;
const significantDigits = 3;
/** Header of the V2 encoding: cookie, length, offset (4 bytes each), digits (4), lowest, highest, ratio (8 each). */
const headerBytes = 40;
const cookie = 0x1c849313;
const compressedCookie = 0x1c849314;
/** All counters at their longest form and the header: more than any histogram of this kind takes. */
const encodedBytesMax = 256 * 1024;

/** A point of the curve of all percentiles. */
export interface CurvePoint {
  /** 0…100, never 100 itself: its place on an axis of nines is nowhere. */
  readonly percentile: number;
  readonly ms: number;
}

/**
 * Latencies in counters of an HDR histogram: 1 µs apart up to 2 ms, 0.1 % apart up to 1 h. What is recorded in parts and merged is what would have been
 * recorded in one, so workers and machines record for themselves (ADR 0148).
 */
export class LatencyHistogram {
  readonly #counts: Float64Histogram;

  constructor() {
    this.#counts = new Float64Histogram(1, highest, significantDigits);
  }

  get count(): number {
    return this.#counts.totalCount;
  }

  /**
   * @param ms 0…{@link latencyMsMax}. A negative one counts as 0 (the difference of two clocks may be), a longer one as the longest.
   * @throws RangeError for what is no number
   */
  record(ms: number): void {
    if (Number.isNaN(ms)) throw new RangeError('a latency is not a number');
    this.#counts.recordValue(Math.min(highest, Math.max(0, Math.round(ms * microsecondsPerMs))));
  }

  add(other: LatencyHistogram): void {
    this.#counts.add(other.#counts);
  }

  /** Forgets all, and keeps its memory. */
  reset(): void {
    this.#counts.reset();
  }

  /**
   * The least latency that so many percent do not exceed.
   *
   * @param percentile 0…100
   * @returns ms, up to 0.1 % above what was recorded; 0 when nothing was
   */
  at(percentile: number): number {
    return this.#counts.getValueAtPercentile(percentile) / microsecondsPerMs;
  }

  percentiles(): Percentiles {
    return {
      count: this.count,
      meanMs: this.#counts.mean / microsecondsPerMs,
      p50Ms: this.at(50),
      p90Ms: this.at(90),
      p99Ms: this.at(99),
      p999Ms: this.at(99.9),
      maxMs: this.at(100),
    };
  }

  /** Points from the lowest latency on, ten for each halving of what lies above, until less than one operation lies above. */
  curve(): CurvePoint[] {
    const points: CurvePoint[] = [];
    for (let step = 0; 2 ** (step / ticksPerHalf) <= this.count; step++) {
      const percentile = 100 * (1 - 2 ** (-step / ticksPerHalf));
      points.push({ percentile, ms: this.at(percentile) });
    }
    return points;
  }

  /** Latencies in ms that were seen, ascending, each with how often. */
  *values(): Generator<readonly [ms: number, count: number]> {
    const iterator = this.#counts.recordedValuesIterator;
    iterator.reset();
    while (iterator.hasNext()) {
      const { valueIteratedTo, countAddedInThisIterationStep } = iterator.next();
      yield [valueIteratedTo / microsecondsPerMs, countAddedInThisIterationStep];
    }
  }

  /** The compressed V2 encoding of HDR histograms in base64, with values in µs: what other tools for them read. */
  encode(): string {
    return encodeIntoCompressedBase64(this.#counts);
  }

  /** @throws LoadError `LOAD_HISTOGRAM_MALFORMED` for what {@link encode} did not write */
  static decode(text: string): LatencyHistogram {
    checkEncoded(text);
    const histogram = new LatencyHistogram();
    try {
      // Counters of 64 bits are this class.
      histogram.#counts.add(decodeFromCompressedBase64(text, 64) as Float64Histogram);
    } catch (error) {
      malformedHistogram('its counts can not be read', error);
    }
    if (!Number.isSafeInteger(histogram.count)) malformedHistogram('its counts make no sum');
    return histogram;
  }
}

const ticksPerHalf = 10;

/** Makes certain that decoding takes no more memory than one histogram: the library believes any header. */
function checkEncoded(text: string): void {
  if (text.length > encodedBytesMax) malformedHistogram(`it is longer than ${encodedBytesMax} characters`);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < 8 || bytes.readUInt32BE(0) !== compressedCookie)
    malformedHistogram('it is no compressed HDR histogram');
  let inner: Buffer;
  try {
    inner = inflateSync(bytes.subarray(8, 8 + bytes.readUInt32BE(4)), { maxOutputLength: encodedBytesMax });
  } catch (error) {
    malformedHistogram('it does not decompress', error);
  }
  if (inner.length < headerBytes || inner.readUInt32BE(0) !== cookie) malformedHistogram('it has no header');
  const [digits, low, high] = [inner.readUInt32BE(12), inner.readBigUInt64BE(16), inner.readBigUInt64BE(24)];
  if (digits !== significantDigits || low !== 1n || high !== BigInt(highest))
    malformedHistogram(
      `it has ${digits} digits over ${low}…${high} µs, where ${significantDigits} over 1…${highest} are known`,
    );
  if (inner.readUInt32BE(4) !== inner.length - headerBytes) malformedHistogram('it is cut off');
}
