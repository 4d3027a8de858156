import { createPrng, isPrimeError } from '@prime/primitives';
import { openEndpoint } from '../endpoint.ts';
import type { LinkDescriptor } from '../link.ts';

/** One side of a link that sends and receives a known sequence of messages; the same code runs in both threads. */
export interface TrafficPlan {
  /** Both sides know both seeds, so that each can tell what the other one must send. */
  readonly sendSeed: number;
  readonly receiveSeed: number;
  readonly messages: number;
  readonly payloadBytesMax: number;
  /** Of a thousand messages, how many are followed by a blocking pause of 1 ms. */
  readonly pausesPerMille: number;
}

export interface TrafficResult {
  readonly received: number;
  /** First message that was not the expected one. */
  readonly failure: string | null;
}

interface Sample {
  readonly sequence: number;
  readonly big: bigint;
  readonly body: Uint8Array;
}

interface TrafficProtocol {
  readonly requests: Record<never, never>;
  readonly streams: { readonly packed: Sample; readonly raw: Uint8Array };
}

/** Yields the messages of a seed: about a third each empty, small, and of any size up to the maximum. */
function* sequenceOf({ seed, plan }: { readonly seed: number; readonly plan: TrafficPlan }) {
  const prng = createPrng(seed);
  for (let sequence = 0; sequence < plan.messages; sequence++) {
    const shape = prng.below(3);
    const length = shape === 0 ? 0 : prng.below(shape === 1 ? 200 : plan.payloadBytesMax);
    const body = new Uint8Array(length);
    for (let index = 0; index < length; index += 7) body[index] = (sequence + index) & 0xff;
    if (length > 0) body[length - 1] = prng.below(256);
    const pause = prng.below(1000) < plan.pausesPerMille;
    const big = BigInt(sequence - 5) ** 9n;
    yield {
      name: prng.below(2) === 0 ? ('raw' as const) : ('packed' as const),
      pause,
      sample: { sequence, big, body },
    };
  }
}

const pauseWord = new Int32Array(new SharedArrayBuffer(4));
const pause = (): void => void Atomics.wait(pauseWord, 0, 0, 1);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Sends and receives the whole plan, then resolves. The endpoint stays open: something may wait in its outbox. */
export async function runTraffic(
  descriptor: LinkDescriptor,
  plan: TrafficPlan,
): Promise<{ readonly result: TrafficResult; readonly close: () => void }> {
  const expected = sequenceOf({ seed: plan.receiveSeed, plan });
  let received = 0;
  let failure: string | null = null;
  let done: (() => void) | null = null;
  const complete = new Promise<void>((resolve) => {
    done = resolve;
  });
  const check = (name: 'raw' | 'packed', fits: (sample: Sample) => boolean): void => {
    const next = expected.next().value;
    if (failure === null && (next === undefined || next.name !== name || !fits(next.sample)))
      failure = `message ${received} came as ${name}, expected ${next?.name ?? 'none'} ${next?.sample.sequence ?? ''}`;
    received++;
    if (next?.pause === true) pause();
    if (received === plan.messages) done?.();
  };
  const endpoint = openEndpoint<TrafficProtocol, TrafficProtocol>(descriptor, {
    handlers: {
      raw: (body) => check('raw', (sample) => sameBytes(sample.body, body)),
      packed: ({ sequence, big, body }) =>
        check('packed', (sample) => sample.sequence === sequence && sample.big === big && sameBytes(sample.body, body)),
    },
  });
  for (const { name, pause: pauses, sample } of sequenceOf({ seed: plan.sendSeed, plan })) {
    const send = () =>
      name === 'raw' ? endpoint.sendReliable('raw', sample.body) : endpoint.sendReliable('packed', sample);
    while (!attempt(send)) await turn();
    if (pauses) pause();
    if (sample.sequence % 16 === 0) await turn();
  }
  await complete;
  return { result: { received, failure }, close: () => endpoint.close() };
}

/** @returns false when the link was full */
function attempt(send: () => void): boolean {
  try {
    send();
    return true;
  } catch (error) {
    if (isPrimeError(error) && error.code === 'BUS_FULL') return false;
    throw error;
  }
}
