import { decodeTriggerRecord } from '@prime/codec';
import type { Address, Height, OrderId } from '@prime/primitives';
import type { OpenOrder } from '@prime/rpc';

/** Triggers that wait, by the records that blocks wrote. */
export class WaitingTriggers {
  private readonly byId = new Map<OrderId, OpenOrder>();
  private readonly byOwner = new Map<Address, Set<OrderId>>();

  /** @param id of the key @throws CodecError when the record is malformed */
  write(id: OrderId, value: Uint8Array | null): void {
    const before = this.byId.get(id);
    if (before !== undefined) {
      this.byId.delete(id);
      const owned = this.byOwner.get(before.owner)!;
      owned.delete(id);
      if (owned.size === 0) this.byOwner.delete(before.owner);
    }
    if (value === null) return;
    const after = toOpenOrder(value);
    this.byId.set(id, after);
    const owned = this.byOwner.get(after.owner) ?? new Set<OrderId>();
    owned.add(id);
    this.byOwner.set(after.owner, owned);
  }

  /** One of them, in the form in which open orders are told. */
  get(id: OrderId): OpenOrder | undefined {
    return this.byId.get(id);
  }

  /** In no order. */
  of(owner: Address): OpenOrder[] {
    return [...(this.byOwner.get(owner) ?? [])].map((id) => this.byId.get(id)!);
  }
}

function toOpenOrder(value: Uint8Array): OpenOrder {
  const { orderId, owner, trigger, createdBlock, queued, attached } = decodeTriggerRecord(value);
  const { marketId, side, limitPrice, size, tif, reduceOnly, clientId, expiresAt } = trigger;
  const { kind, triggerPrice, position, group } = trigger;
  return {
    orderId,
    marketId,
    owner,
    side,
    price: limitPrice,
    size,
    remaining: size,
    tif,
    reduceOnly: reduceOnly || position,
    clientId,
    expiresAt,
    createdHeight: createdBlock as Height,
    trigger: {
      kind,
      triggerPrice,
      position,
      group,
      isQueued: queued !== null,
      parentOrderId: attached?.orderId ?? null,
      isAsleep: attached?.isOpen === true && size === 0n,
    },
  };
}
