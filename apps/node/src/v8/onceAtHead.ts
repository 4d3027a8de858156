/** How long a node is at the head until it does what is only worth its time there, ms. */
const atHeadMs = 3_000;

/** Something that is done once, when the node has been at the head for a while. */
export interface AtHeadTask {
  /** A block was committed. @param behind decided blocks after it that are known to be missing here */
  onCommit(behind: number): void;
  /** It is not done any more. */
  close(): void;
}

/**
 * Who catches up reaches several times what its peers last told of their heads, and a node that is at the head may share its processors with
 * others that are still on their way.
 *
 * @param work done once, at most
 */
export function onceAtHead(work: () => void, delayMs: number = atHeadMs): AtHeadTask {
  let isDone = false;
  let timer: NodeJS.Timeout | null = null;
  const halt = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  return {
    onCommit(behind) {
      if (behind > 0) return halt();
      if (isDone || timer !== null) return;
      timer = setTimeout(() => {
        isDone = true;
        work();
      }, delayMs);
      timer.unref();
    },
    close() {
      isDone = true;
      halt();
    },
  };
}
