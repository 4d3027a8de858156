import { callRpc, type PrimeClient } from '../../client.ts';
import { decodeDomainEvent } from '../../decode/domainEvent.ts';
import { blockParameter } from '../../decode/references.ts';
import type { DomainEvent } from '../../types/chain.ts';
import type { Address, BlockReference } from '../../types/primitives.ts';

export interface GetDomainEventsParameters {
  readonly fromBlock: BlockReference;
  readonly toBlock: BlockReference;
  readonly domain?: DomainEvent['domain'] | undefined;
  /** Such as `trade`; docs/protocol/encoding.md has them all. */
  readonly kind?: string | undefined;
  /** Events that name one of these accounts. */
  readonly address?: Address | readonly Address[] | undefined;
}
export type GetDomainEventsReturnType = readonly DomainEvent[];

/**
 * What happened in a range of blocks besides logs: order book, bridge and validators, in the order of execution.
 *
 * @throws LimitExceededError for a range with more events than one answer holds, HistoryPrunedError
 */
export async function getDomainEvents(
  client: PrimeClient,
  { fromBlock, toBlock, domain, kind, address }: GetDomainEventsParameters,
): Promise<GetDomainEventsReturnType> {
  const range = { fromBlock: blockParameter(fromBlock), toBlock: blockParameter(toBlock) };
  const events = await callRpc(client, 'prime_getDomainEvents', [{ ...range, domain, kind, address }]);
  return events.map(decodeDomainEvent);
}
