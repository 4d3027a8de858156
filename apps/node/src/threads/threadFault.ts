/** How a thread fails: an exception that nobody catches, an end of its own, or no turn of its event loop any more. */
export const threadFaults = ['throw', 'end', 'hang'] as const;

/** One of these ways to fail, as the switch of tests names it. */
export type ThreadFault = (typeof threadFaults)[number];

/** Tests only: the thread that calls this fails as threads do. */
export function failAs(how: ThreadFault): void {
  if (how === 'end') process.exit(1);
  if (how === 'throw') throw new Error('asked to fail by PRIME_THREAD_FAULT');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0);
}
