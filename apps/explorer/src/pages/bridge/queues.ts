import type { Address, DomainEventData, DomainEventOf, TransferDirection } from '@prime/sdk';

/** A transfer that waits for its turn. */
export interface WaitingTransfer {
  readonly transferId: number;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
  /** Block in which it was queued. */
  readonly blockNumber: bigint;
}

/** Transfers that wait in both directions, as far as events tell. */
export interface Queues {
  /** First in line first. */
  readonly waiting: Readonly<Record<TransferDirection, readonly WaitingTransfer[]>>;
  /** Whether every transfer that may wait was seen: the events go back far enough. */
  readonly isWhole: boolean;
}

type TransferEvent = DomainEventOf<'transfer_queued' | 'transfer_completed' | 'transfer_failed'>;
const isTransfer = (event: DomainEventOf): event is TransferEvent => event.kind.startsWith('transfer_');

/**
 * The queues as events tell them. They are first in, first out, so that behind a transfer that is done nobody waits who came before it.
 *
 * @param events of the bridge, newest first @param reachedGenesis whether there are no older ones
 */
export function queuesOf(events: readonly DomainEventOf[], reachedGenesis: boolean): Queues {
  const queued = new Map<number, WaitingTransfer & { readonly direction: TransferDirection }>();
  const done: Record<TransferDirection, number> = { orders_to_evm: 0, evm_to_orders: 0 };
  let newest = 0;
  for (const event of events.filter(isTransfer)) {
    const { transferId, direction, from, to, amount }: DomainEventData['transfer_queued'] = event.data;
    newest = Math.max(newest, transferId);
    if (event.kind === 'transfer_queued')
      queued.set(transferId, { transferId, direction, from, to, amount, blockNumber: event.blockNumber });
    else done[direction] = Math.max(done[direction], transferId);
  }
  const of = (wanted: TransferDirection): readonly WaitingTransfer[] =>
    [...queued.values()]
      .filter(({ direction, transferId }) => direction === wanted && transferId > done[wanted])
      .toSorted((a, b) => a.transferId - b.transferId);
  // Ids are given to both directions in turn: where none is missing above what is done, nobody else can wait.
  const first = Math.min(done.orders_to_evm, done.evm_to_orders) + 1;
  let isWhole = reachedGenesis;
  if (!isWhole) {
    isWhole = newest > 0;
    for (let id = first; id <= newest && isWhole; id++) isWhole = queued.has(id);
  }
  return { waiting: { orders_to_evm: of('orders_to_evm'), evm_to_orders: of('evm_to_orders') }, isWhole };
}
