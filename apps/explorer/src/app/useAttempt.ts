import { useState } from 'preact/hooks';
import { whyNot } from '../wallet/trader.ts';

/** Something that somebody asked for, and what became of it. */
export interface Attempt {
  readonly isBusy: boolean;
  /** Why the latest one failed, in words; null when it did not. */
  readonly problem: string | null;
  /** Runs it. What it throws is the problem. */
  readonly attempt: (act: () => Promise<unknown>) => void;
}

/** Does what somebody asks for, and tells how it stands. */
export function useAttempt(): Attempt {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt: Attempt['attempt'] = (act) => {
    setBusy(true);
    setProblem(null);
    act()
      .catch((error: unknown) => setProblem(whyNot(error)))
      .finally(() => setBusy(false));
  };
  return { isBusy, problem, attempt };
}
