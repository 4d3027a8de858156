import type { VerifiedAction } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { refuse } from './errors.ts';

/** A validator's reports are taken this far apart, ms of when its prices were seen. */
const reportSpacingMs = 1_000;

/**
 * The newest price report of each validator. It stands for the older ones: no block carries two of one validator, and nobody wants to know what a price was.
 */
export class LatestReports {
  readonly #latest = new Map<Address, { readonly action: VerifiedAction; readonly observedAtMs: number }>();

  /**
   * The report whose place an action takes, which may be gone already; null for any other action, and for the first report.
   *
   * @throws MempoolError `MEMPOOL_REPORT_TOO_SOON`
   */
  replacedBy(action: VerifiedAction): VerifiedAction | null {
    const observedAtMs = observedAtOf(action);
    const { account } = action.transaction;
    const known = observedAtMs === null ? undefined : this.#latest.get(account);
    if (known === undefined) return null;
    if (observedAtMs! < known.observedAtMs + reportSpacingMs)
      refuse(`prices of ${account} are reported once a second: the latest ones were seen at ${known.observedAtMs}`, {
        code: 'MEMPOOL_REPORT_TOO_SOON',
        observedAtMs: observedAtMs!,
        latestMs: known.observedAtMs,
      });
    return known.action;
  }

  /** Remembers a report that was taken. */
  note(action: VerifiedAction): void {
    const observedAtMs = observedAtOf(action);
    if (observedAtMs !== null) this.#latest.set(action.transaction.account, { action, observedAtMs });
  }
}

/** When the prices of a report were seen, ms; null for any other action. */
function observedAtOf({ facts, transaction }: VerifiedAction): number | null {
  // The payload is decoded when it is asked for.
  if (facts.type !== 'oracleReport') return null;
  const { payload } = transaction;
  return payload.type === 'oracleReport' ? payload.observedAtMs : null;
}
