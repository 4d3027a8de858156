import type { JSX } from 'preact';
import { formatInteger, formatPercent, Meter } from '../kit/index.ts';
import { shareOf } from './share.ts';

interface GasUsedProps {
  readonly used: bigint;
  readonly limit: bigint;
}

/** Gas that was used, of how much could be. */
export function GasUsed({ used, limit }: GasUsedProps): JSX.Element {
  const share = shareOf(used, limit);
  const text = `${formatInteger(used)} of ${formatInteger(limit)}`;
  return (
    <div class="gas">
      <span class="number">
        {text} <span class="faint">({formatPercent(share)})</span>
      </span>
      <Meter share={share} label="Gas used" text={text} />
    </div>
  );
}
