import type { ReaderTask } from '../pools/reader.worker.ts';

/** A reader whose thread needs longer to load than a question may take. */
await new Promise((resolve) => setTimeout(resolve, 1_500));

export async function read({ method, begun }: ReaderTask): Promise<unknown> {
  Atomics.store(begun, 0, 1);
  return { value: method };
}
