import type { TransferDirection, TransferRecord } from '@prime/codec';
import type { Journal } from './journal.ts';

/** Transfers of one direction that wait, oldest first. */
class TransferQueue {
  readonly #items: TransferRecord[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  first(): TransferRecord | undefined {
    return this.#items[this.#head];
  }

  push(transfer: TransferRecord): void {
    this.#items.push(transfer);
  }

  pop(): void {
    this.#items.pop();
  }

  advance(): void {
    this.#head++;
  }

  retreat(): void {
    this.#head--;
  }

  /** Drops what was taken: nothing of it can come back any more. */
  compact(): void {
    if (this.#head === 0) return;
    this.#items.splice(0, this.#head);
    this.#head = 0;
  }
}

/** The bridge's two queues. A transfer in one of them is in neither domain's hands; `total` is the wei of all of them. */
export class TransferQueues {
  readonly orders_to_evm = new TransferQueue();
  readonly evm_to_orders = new TransferQueue();
  /** Waiting transfers by id, for the records. */
  readonly byId = new Map<number, TransferRecord>();
  readonly dirty = new Set<number>();
  total = 0n;
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  enqueue(transfer: TransferRecord): void {
    this.load(transfer);
    this.dirty.add(transfer.transferId);
    this.#journal.push(() => {
      this[transfer.direction].pop();
      this.#remove(transfer);
    });
  }

  /** Takes the transfer whose turn it is. */
  dequeue(direction: TransferDirection): TransferRecord | undefined {
    const transfer = this[direction].first();
    if (transfer === undefined) return undefined;
    this[direction].advance();
    this.#remove(transfer);
    this.dirty.add(transfer.transferId);
    this.#journal.push(() => {
      this[direction].retreat();
      this.#add(transfer);
    });
    return transfer;
  }

  /** Adds a stored transfer; they come in the order of their ids. */
  load(transfer: TransferRecord): void {
    this[transfer.direction].push(transfer);
    this.#add(transfer);
  }

  commit(): void {
    this.dirty.clear();
    this.orders_to_evm.compact();
    this.evm_to_orders.compact();
  }

  #add(transfer: TransferRecord): void {
    this.byId.set(transfer.transferId, transfer);
    this.total += transfer.amount;
  }

  #remove(transfer: TransferRecord): void {
    this.byId.delete(transfer.transferId);
    this.total -= transfer.amount;
  }
}
