import { eventAccounts, type LogMatch } from '@prime/codec';
import type { EventEntry, EventMatch, LogEntry } from '@prime/rpc';

/** Whether a log passes a filter: its address is among the wanted, and each topic position accepts its topic. */
export function matchesLog(entry: Pick<LogEntry, 'address' | 'topics'>, query: LogMatch): boolean {
  if (query.addresses.length > 0 && !query.addresses.includes(entry.address)) return false;
  if (query.topics.length > entry.topics.length) return false;
  return query.topics.every((wanted, position) => {
    const topic = entry.topics[position];
    return wanted === null || wanted.length === 0 || (topic !== undefined && wanted.includes(topic));
  });
}

/** Domain and kind must be equal to the letter; with addresses the event has to name one of them, in whatever part. */
export const matchesEvent = (entry: Pick<EventEntry, 'domain' | 'kind' | 'data'>, query: EventMatch): boolean =>
  (query.domain === null || entry.domain === query.domain) &&
  (query.kind === null || entry.kind === query.kind) &&
  (query.addresses.length === 0 || eventAccounts(entry).some((account) => query.addresses.includes(account)));
