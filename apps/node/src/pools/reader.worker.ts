import { workerData } from 'node:worker_threads';
import type { ReaderBackend } from '@prime/gateway';
import { type ErrorObject, toErrorObject } from '@prime/primitives';
import { standBack } from '../priority.ts';
import { openReader, type ReaderData } from '../readers/reader.ts';

export type ReaderMethod = keyof ReaderBackend;

/** One question for a reader; the arguments are those of the method. */
export interface ReaderTask {
  readonly method: ReaderMethod;
  readonly args: readonly unknown[];
}

/** Errors travel as data: a clone of an error would lose its code. */
export type ReaderAnswer = { readonly value: unknown } | { readonly error: ErrorObject };

standBack((workerData as ReaderData).nice);
const reader = await openReader(workerData as ReaderData);

/** Answers one question from disk. */
export async function read({ method, args }: ReaderTask): Promise<ReaderAnswer> {
  try {
    const answer = reader[method] as (...args: readonly unknown[]) => Promise<unknown>;
    return { value: await answer(...args) };
  } catch (error) {
    return { error: toErrorObject(error) };
  }
}
