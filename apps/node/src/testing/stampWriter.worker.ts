import { parentPort, workerData } from 'node:worker_threads';
import type { Hash } from '@prime/primitives';
import { LaneWriter } from '../stages/stampRing.ts';

/** Writes stamps whose fields all follow from their number, as fast as it can. */
const { buffer, written } = workerData as { readonly buffer: SharedArrayBuffer; readonly written: number };
const writer = new LaneWriter(buffer, 'consensus');
const hash = (index: number): Hash => `0x${index.toString(16).padStart(16, '0')}${'0'.repeat(48)}` as Hash;
for (let index = 1; index <= written; index++) writer.write(0, index, hash(index), hash(index * 3), index * 5);
parentPort!.postMessage('written');
