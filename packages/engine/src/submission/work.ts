/** What is admitted, and when a round begins with it. */
export interface Work {
  /** Something for a proposal is in the mempool. */
  admitted(): void;
  /** What was admitted is with the network, which writes it in a microtask. */
  gossiped(): void;
}

/**
 * Begins a round with what was admitted after the peers were sent it (ADR 227). To begin takes time, and the checks of the peers, one of which may be
 * the proposer, wait for nothing else.
 */
export function createWork({
  onWork,
  onFatal,
}: {
  readonly onWork: () => void;
  readonly onFatal: (error: unknown) => void;
}): Work {
  let isThere = false;
  return {
    admitted() {
      isThere = true;
    },
    gossiped() {
      if (!isThere) return;
      isThere = false;
      Promise.resolve().then(onWork).catch(onFatal);
    },
  };
}
