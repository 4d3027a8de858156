import { parentPort, workerData } from 'node:worker_threads';
import { PrimeError } from '@prime/primitives';
import { type Endpoint, openEndpoint } from '../endpoint.ts';
import type { LinkDescriptor } from '../link.ts';
import { runTraffic, type TrafficPlan } from './traffic.ts';

/** The other thread of the tests: what it does is told by its worker data. */
export type PeerJob =
  | { readonly kind: 'traffic'; readonly descriptor: LinkDescriptor; readonly plan: TrafficPlan }
  | { readonly kind: 'serve'; readonly descriptor: LinkDescriptor };

export interface PeerProtocol {
  readonly requests: {
    readonly echo: { readonly request: unknown; readonly response: unknown };
    readonly refuse: { readonly request: bigint; readonly response: null };
    readonly exit: { readonly request: number; readonly response: null };
    readonly crash: { readonly request: null; readonly response: null };
    readonly block: { readonly request: number; readonly response: null };
    readonly close: { readonly request: null; readonly response: null };
    readonly never: { readonly request: null; readonly response: null };
  };
  readonly streams: { readonly fill: Uint8Array };
}

export interface TestProtocol {
  readonly requests: Record<never, never>;
  readonly streams: { readonly count: number };
}

const lock = new Int32Array(new SharedArrayBuffer(4));

function serve(descriptor: LinkDescriptor): void {
  let filled = 0;
  const endpoint: Endpoint<TestProtocol> = openEndpoint<TestProtocol, PeerProtocol>(descriptor, {
    handlers: {
      echo: (payload) => payload,
      refuse: (amount) => {
        throw new PrimeError('refused', { code: 'TEST_REFUSED', amount });
      },
      exit: (code) => {
        // What was sent before the end must arrive.
        for (let index = 0; index < 100; index++) endpoint.send('count', index);
        process.exit(code);
      },
      crash: () => {
        setImmediate(() => {
          throw new Error('uncaught on purpose');
        });
        return new Promise<null>(() => undefined);
      },
      block: (ms) => {
        Atomics.wait(lock, 0, 0, ms);
        return null;
      },
      close: () => {
        endpoint.close();
        return null;
      },
      never: () => new Promise<null>(() => undefined),
      fill: (): void => endpoint.sendReliable('count', ++filled),
    },
  });
}

const job = workerData as PeerJob;
if (job.kind === 'serve') serve(job.descriptor);
else {
  const { result } = await runTraffic(job.descriptor, job.plan);
  parentPort?.postMessage(result);
}
