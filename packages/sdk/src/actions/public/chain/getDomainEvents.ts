import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeDomainEvents } from '../../../decode/domainEvent.ts';
import { blockParameter } from '../../../decode/references.ts';
import type { DomainEventFilter, DomainEventKind, DomainEventOf } from '../../../streams/domainEvents.ts';
import type { BlockReference } from '../../../types/primitives.ts';

/** A range of blocks, both ends included, and which events of it. */
export interface GetDomainEventsParameters<kind extends DomainEventKind = DomainEventKind>
  extends Omit<DomainEventFilter, 'kind'> {
  readonly fromBlock: BlockReference;
  readonly toBlock: BlockReference;
  /** Events of this kind only; their type follows from it. docs/protocol/encoding.md has all kinds. */
  readonly kind?: kind | undefined;
}
/** As streams tell them (`watchDomainEvents`). */
export type GetDomainEventsReturnType<kind extends DomainEventKind = DomainEventKind> = readonly DomainEventOf<kind>[];

/**
 * What happened in a range of blocks besides logs: order book, bridge and validators, in the order of execution.
 *
 * @throws LimitExceededError for a range with more events than one answer holds, HistoryPrunedError, AnswerUnreadableError
 */
export async function getDomainEvents<kind extends DomainEventKind = DomainEventKind>(
  client: PrimeClient,
  { fromBlock, toBlock, domain, kind, address }: GetDomainEventsParameters<kind>,
): Promise<GetDomainEventsReturnType<kind>> {
  const range = { fromBlock: blockParameter(fromBlock), toBlock: blockParameter(toBlock) };
  const events = await callRpc(client, 'prime_getDomainEvents', [{ ...range, domain, kind, address }]);
  // The node answers with events of the kind that was asked for, or of all.
  return decodeDomainEvents(events) as unknown as GetDomainEventsReturnType<kind>;
}
