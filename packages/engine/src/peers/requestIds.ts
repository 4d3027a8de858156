/** Requests that a process makes in a millisecond at most, on average over its life. */
const requestsPerMs = 2 ** 10;

/**
 * The id of the first request of a process; the others follow. A peer that was held up may answer what the process before this one asked for, over the
 * connection to this one: processes of one node do not have an id in common, so that nobody takes it for an answer to a request of its own.
 *
 * @param startedMs wall clock, whole ms @returns a safe integer until the year 2248
 */
export const firstRequestId = (startedMs: number): number => startedMs * requestsPerMs;
