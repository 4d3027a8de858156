/** How long a process may take to end after it was asked to, ms. */
const stopTimeoutMs = 12_000;

/** A process that was asked to end. */
interface EndingProcess {
  readonly name: string;
  readonly ended: Promise<unknown>;
  readonly kill: () => void;
  readonly say: (line: string) => void;
  /** Default: 12 s. */
  readonly timeoutMs?: number;
}

/** Waits until a process has ended; one that does not is killed, and that is told: it is a fault of the process. */
export async function endedOrKilled({
  name,
  ended,
  kill,
  say,
  timeoutMs = stopTimeoutMs,
}: EndingProcess): Promise<void> {
  const killer = setTimeout(() => {
    say(`${name} did not end within ${timeoutMs / 1000} s, and was killed`);
    kill();
  }, timeoutMs);
  await ended;
  clearTimeout(killer);
}
