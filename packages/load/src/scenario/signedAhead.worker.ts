import { parentPort, workerData } from 'node:worker_threads';
import { cryptoProvider } from '@prime/crypto';
import { toErrorObject } from '@prime/primitives';
import { operationsOf } from './operations.ts';
import type { AheadAnswer, AheadJob } from './signedAhead.ts';

/** Signs a chunk for each message that comes. */

const { facts, chunk, stop, ...job } = workerData as AheadJob;
const isStopped = new Int32Array(stop);
const port = parentPort!;
const say = (answer: AheadAnswer): void => port.postMessage(answer);

try {
  const provider = await cryptoProvider();
  const { nonces, ...known } = facts;
  const operations = operationsOf(job.scenario, {
    ...job,
    provider,
    facts: { ...known, nonceOf: (account) => nonces[account] ?? 0 },
  });
  port.on('message', (what: 'chunk' | 'end') => {
    if (what === 'end') port.close();
    else if (Atomics.load(isStopped, 0) === 0)
      say({ operations: Array.from({ length: chunk }, () => operations.next()) });
  });
} catch (error) {
  say({ failure: toErrorObject(error) });
  port.close();
}
