import { usePoll } from '../app/useResource.ts';
import { type ExchangeTotals, readExchangeTotals } from '../live/exchangeTotals.ts';
import type { Resource } from '../live/poll.ts';

/** A proof is asked for: the node makes it between two blocks. */
const everyMs = 4_000;

/** What the exchange holds and owes now. */
export const useExchangeTotals = (): Resource<ExchangeTotals> =>
  usePoll('totals', ({ client }) => readExchangeTotals(client.sdk), everyMs);
