import { isQuorum } from '@prime/codec';
import type { NetworkNodes } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { shareOf } from '../../chain/share.ts';
import { usePace } from '../../chain/usePace.ts';
import { Badge, Card, formatDuration, formatInteger, formatPercent, Meter, Skeleton } from '../../kit/index.ts';
import { untilBlockMs } from './untilBlock.ts';

/** Which rules are in force, and which come. */
export function Rules({ known }: { readonly known: NetworkNodes | null }): JSX.Element {
  const next = known?.protocol.next ?? null;
  return (
    <Card
      title="Upgrade"
      aside={
        known !== null && (
          <Badge tone={next === null ? 'plain' : 'accent'}>{next === null ? 'none planned' : 'planned'}</Badge>
        )
      }
    >
      {known === null ? (
        <Skeleton width="100%" />
      ) : next === null ? (
        <p class="muted">
          Blocks follow version {known.protocol.version} of the rules. When a new version is agreed on, the block from
          which it holds stands here, and how much of the power is ready for it.
        </p>
      ) : (
        <Upgrade next={next} />
      )}
    </Card>
  );
}

function Upgrade({ next }: { readonly next: NonNullable<NetworkNodes['protocol']['next']> }): JSX.Element {
  const head = useNode().chain.head.value?.number ?? 0n;
  const wait = untilBlockMs(next.height, head, usePace());
  const { readyPower, totalPower } = next;
  const share = shareOf(readyPower, totalPower);
  const isEnough = isQuorum(readyPower, totalPower);
  const text = `${formatPercent(share, 0)} of the power is ready`;
  return (
    <div class="upgrade">
      <p>
        Version {next.version} from block <strong class="number">{formatInteger(next.height)}</strong> on
        {wait !== null && <span class="muted">, in about {formatDuration(wait)}</span>}.
      </p>
      <Meter share={share} tone={isEnough ? 'good' : 'warn'} label="Power that is ready" text={text} />
      <p class="muted">
        {text}
        {isEnough ? ': enough to go on.' : '; more than two thirds have to be, or blocks stop there.'}{' '}
        {next.isKnown ? 'This node goes along.' : 'This node does not know the version, and stops there.'}
      </p>
    </div>
  );
}
