import { workerData } from 'node:worker_threads';
import type { ReaderBackend } from '@prime/gateway';
import { type ErrorObject, toErrorObject } from '@prime/primitives';
import { standBack } from '../threads/priority.ts';
import { answerBatch, type BatchAnswers } from './callBatches.ts';
import { openReader, type ReaderData } from '../readers/reader.ts';

/** A question that a reader thread answers, by the name of the backend's method. */
export type ReaderMethod = keyof ReaderBackend;

/** One question for a reader; the arguments are those of the method. */
export interface ReaderTask {
  readonly method: ReaderMethod;
  readonly args: readonly unknown[];
  /** Shared; the reader sets [0] to 1 when it begins: until then its time does not run. */
  readonly begun: Int32Array;
}

/** Calls that are sent to one reader together. */
export interface CallsTask extends Pick<ReaderTask, 'begun'> {
  readonly calls: readonly (readonly unknown[])[];
  readonly claims: Int32Array;
}

/** Errors travel as data: a clone of an error would lose its code. */
export type ReaderAnswer = { readonly value: unknown } | { readonly error: ErrorObject };

const reader = await openReader(workerData as ReaderData);
// Not before: who waits for a reader to load waits long enough.
standBack((workerData as ReaderData).nice);

/** Answers one question from disk. */
export function read({ method, args, begun }: ReaderTask): Promise<ReaderAnswer> {
  Atomics.store(begun, 0, 1);
  return answerOf(method, args);
}

async function answerOf(method: ReaderMethod, args: readonly unknown[]): Promise<ReaderAnswer> {
  try {
    const answer = reader[method] as (...args: readonly unknown[]) => Promise<unknown>;
    return { value: await answer(...args) };
  } catch (error) {
    return { error: toErrorObject(error) };
  }
}

/** Answers calls in order, as far as they are not called back. */
export function readCalls({ calls, claims, begun }: CallsTask): Promise<BatchAnswers> {
  Atomics.store(begun, 0, 1);
  return answerBatch(calls, claims, (args) => answerOf('call', args));
}
