import type { JSX } from 'preact';
import { useHeld, useNode } from '../../app/context.ts';
import { PageHead } from '../../kit/index.ts';
import { presenceOf } from '../../live/presence.ts';
import { Figures } from './Figures.tsx';
import { LatestBlocks } from './LatestBlocks.tsx';
import { LatestTrades } from './LatestTrades.tsx';
import { Markets } from './Markets.tsx';
import { Validators } from './Validators.tsx';

/** The network at a glance, live. */
export function Page(): JSX.Element {
  const node = useNode();
  useHeld(node.markets, node.validators, node.trades, presenceOf(node));
  const network = node.network.value;
  return (
    <div class="stack">
      <PageHead title={network === null ? 'Overview' : network.name} kind="An exchange that is a chain" />
      <Figures />
      <div class="columns">
        <div class="stack">
          <Markets />
          <LatestBlocks />
        </div>
        <div class="stack">
          <Validators />
          <LatestTrades />
        </div>
      </div>
    </div>
  );
}
