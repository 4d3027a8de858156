import { formatDuration, listNames } from '@prime/sdk/explain';
import type { NodePrices } from '../node/nodeMetrics.ts';
import { type Check, ok, warn } from './check.ts';

/** A feeder that has reported nothing for so long does not only miss a turn, s. */
const silentSecondsMax = 30;
/** Before so many minutes of a day nobody can say how it reports. */
const minutesLeast = 10;

const inWords = (seconds: number): string => formatDuration(seconds * 1_000);

/** A market with an oracle, and for how long it has had no fresh index; 0 while it has one. */
export type PricedMarket = NodePrices['markets'][number];

/** Whether validators report prices of all markets that are to have one; none where no market is. */
export function staleCheck(markets: readonly PricedMarket[]): Check[] {
  if (markets.length === 0) return [];
  const stale = markets.filter(({ staleSeconds }) => staleSeconds > 0);
  if (stale.length === 0) return [ok('prices', `${markets.length} markets have a fresh index`)];
  const told = listNames(stale.map(({ symbol, staleSeconds }) => `${symbol} for ${inWords(staleSeconds)}`));
  return [
    warn('prices', `no fresh index: ${told}`, {
      why: 'until more than two thirds of the voting power report, these markets take orders that reduce a position, and liquidate nobody',
      advice: 'look at the feeders of the validators: docs/operate/oracle.md',
    }),
  ];
}

/** Whether the validator of a node reports prices; nothing where it is none. */
export function feederCheck({ own }: NodePrices): Check[] {
  if (own === null) return [];
  const { silentSeconds, minutes, reportedMinutes } = own;
  const found = `the newest report of this validator is ${inWords(silentSeconds)} old; it reported in ${reportedMinutes} of ${minutes} minutes of this day`;
  if (silentSeconds > silentSecondsMax)
    return [
      warn('feeder', found, {
        why: 'nobody hears a price of it: with a third of the voting power silent, markets stop',
        advice: 'start prime oracle feed for it, or look at its log: docs/operate/oracle.md',
      }),
    ];
  if (minutes >= minutesLeast && 2 * reportedMinutes < minutes)
    return [
      warn('feeder', found, {
        why: 'in less than half of the minutes of a day, the chain tells everybody (oracle_missing)',
        advice: 'look at the log of its feeder for sources that fail and reports that were refused',
      }),
    ];
  return [ok('feeder', found)];
}
