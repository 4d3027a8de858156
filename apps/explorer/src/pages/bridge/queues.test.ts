import { describe, expect, it } from '@jest/globals';
import type { DomainEventOf, TransferDirection } from '@prime/sdk';
import { queuesOf } from './queues.ts';

const out = 'orders_to_evm';
const back = 'evm_to_orders';
const transfer = (kind: string, transferId: number, direction: TransferDirection): DomainEventOf =>
  ({ kind, blockNumber: BigInt(transferId), data: { transferId, direction, amount: 1n } }) as unknown as DomainEventOf;
const queued = (id: number, direction: TransferDirection) => transfer('transfer_queued', id, direction);
const done = (id: number, direction: TransferDirection) => transfer('transfer_completed', id, direction);
const idsOf = ({ waiting }: ReturnType<typeof queuesOf>) => [
  waiting.orders_to_evm.map(({ transferId }) => transferId),
  waiting.evm_to_orders.map(({ transferId }) => transferId),
];

describe('queues between the domains', () => {
  it('hold what was queued and is not done, first in line first', () => {
    const events = [done(1, out), queued(4, out), queued(3, back), queued(2, out), queued(1, out)];
    const queues = queuesOf(events, true);
    expect(idsOf(queues)).toEqual([[2, 4], [3]]);
    expect(queues.isWhole).toBe(true);
  });

  it('do not hold what failed', () => {
    const events = [transfer('transfer_failed', 1, out), queued(1, out)];
    expect(idsOf(queuesOf(events, true))).toEqual([[], []]);
  });

  it('are whole where everything above what is done was seen', () => {
    expect(queuesOf([done(7, back), done(6, out), queued(8, out), queued(7, back)], false).isWhole).toBe(true);
    expect(queuesOf([done(6, out), queued(8, out), queued(7, back)], false).isWhole).toBe(false);
    expect(queuesOf([queued(8, out)], false).isWhole).toBe(false);
    expect(queuesOf([], false).isWhole).toBe(false);
    expect(queuesOf([], true).isWhole).toBe(true);
  });
});
