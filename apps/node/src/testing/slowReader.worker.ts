import type { ReaderTask } from '../pools/reader.worker.ts';

/** Stands in for the readers: answers at once, fails with a coded error, or never comes back. */
export async function read({ method, args, begun }: ReaderTask): Promise<unknown> {
  Atomics.store(begun, 0, 1);
  if (args[0] === 'never') return new Promise(() => undefined);
  if (args[0] === 'fail')
    return { error: { code: 'EVM_NODE_MISSING', message: 'gone', detail: { code: 'EVM_NODE_MISSING' } } };
  return { value: `${method} ${String(args[0])}` };
}
