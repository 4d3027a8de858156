import type { EventEntry, EventQuery, LogEntry, LogQuery } from '@prime/rpc';

/** Whether a log passes a filter: its address is among the wanted, and each topic position accepts its topic. */
export function matchesLog(
  entry: Pick<LogEntry, 'address' | 'topics'>,
  query: Pick<LogQuery, 'addresses' | 'topics'>,
): boolean {
  if (query.addresses.length > 0 && !query.addresses.includes(entry.address)) return false;
  if (query.topics.length > entry.topics.length) return false;
  return query.topics.every((wanted, position) => {
    const topic = entry.topics[position];
    return wanted === null || wanted.length === 0 || (topic !== undefined && wanted.includes(topic));
  });
}

/** Domain and kind must be equal to the letter. */
export const matchesEvent = (entry: EventEntry, query: Pick<EventQuery, 'domain' | 'kind'>): boolean =>
  (query.domain === null || entry.domain === query.domain) && (query.kind === null || entry.kind === query.kind);
