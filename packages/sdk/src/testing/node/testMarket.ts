import { eventsMessage } from '@prime/rpc';
import { createLedger, type Followed, type Ledger, stepLedger } from '../../streams/account/ledger.ts';
import { readEvents } from '../../streams/wire/events.ts';
import { accepted, alice, bob, cancelled, trade } from './events.ts';
import type { TestChain, TestEvent } from './testChain.ts';
import type { TestNode } from './testNode.ts';

/** A life of one account for tests: events that belong together, and what the chain has of it at each height. */

const followed: Followed = { address: alice, treasury: null };

interface Resting {
  readonly orderId: number;
  remaining: bigint;
}

/** Makes blocks in which something happens to alice. */
export class TestMarket {
  readonly chain: TestChain;
  readonly #resting: Resting[] = [];
  readonly #ledgers: Ledger[] = [createLedger(0n, 0n, [], [])];
  #nextOrder = 1;
  #nextTrade = 1;

  constructor(chain: TestChain) {
    this.chain = chain;
  }

  /** Of all blocks up to a height. */
  ledgerAt(height: number): Ledger {
    while (this.#ledgers.length <= height) {
      const block = this.chain.blocks[this.#ledgers.length]!;
      const events = block.events.length === 0 ? [] : readEvents(eventsMessage(block.record, block.events)['events']);
      const position = {
        blockNumber: BigInt(block.height),
        blockHash: block.hash as `0x${string}`,
        timeMs: block.height * 1_000,
      };
      const { ledger } = stepLedger(this.#ledgers.at(-1)!, events, position, followed);
      this.#ledgers.push({ ...ledger, blockNumber: position.blockNumber });
    }
    return this.#ledgers[height]!;
  }

  /** A block with what numbers from 0 up to 1 choose; none makes an empty one. */
  block(choices: readonly number[]): void {
    this.chain.add(choices.map((choice) => this.#happening(choice)));
  }

  #happening(choice: number): TestEvent {
    const order = this.#resting[Math.floor(choice * 1_000) % Math.max(1, this.#resting.length)];
    if (choice < 0.2) {
      // Nothing but its amount: what it makes of the collateral is told only where it is sure.
      const amount = BigInt(1 + Math.floor(choice * 1_000));
      return { kind: 'collateral_transferred', data: { from: bob, to: alice, amount } };
    }
    if (choice < 0.5 || order === undefined) return this.#place();
    if (choice < 0.6) return this.#end(order);
    const size = order.remaining < 4n ? order.remaining : 4n;
    order.remaining -= size;
    if (order.remaining === 0n) this.#resting.splice(this.#resting.indexOf(order), 1);
    return trade(this.#nextTrade++, {
      maker_order_id: order.orderId,
      size,
      price: BigInt(90 + Math.floor(choice * 20)),
    });
  }

  #place(): TestEvent {
    const orderId = this.#nextOrder++;
    this.#resting.push({ orderId, remaining: 10n });
    return accepted(orderId);
  }

  #end(order: Resting): TestEvent {
    this.#resting.splice(this.#resting.indexOf(order), 1);
    return cancelled(order.orderId, order.remaining);
  }

  /** Ids of alice's trades in blocks from one height up to another. */
  tradesBetween(from: number, to: number): number[] {
    return this.chain.blocks
      .slice(from, to + 1)
      .flatMap(({ events }) =>
        events.flatMap(({ kind, data }) => (kind === 'trade' ? [Number(data['trade_id'])] : [])),
      );
  }

  /** Lets a node answer what alice has, as of where it stands. */
  serve(node: TestNode): void {
    const hex = (value: bigint | number): string =>
      value < 0 ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
    node.methods['primeorders_getAccount'] = () => {
      const { collateral, positions } = this.ledgerAt(node.head);
      const held = [...positions.values()].map(({ marketId, size, entry }) => ({
        market_id: marketId,
        size: hex(size),
        entry: hex(entry),
        unrealized: null,
      }));
      return { address: alice, collateral: hex(collateral), positions: held };
    };
    node.methods['primeorders_getOpenOrders'] = () =>
      [...this.ledgerAt(node.head).orders.values()].map((order) => ({
        order_id: hex(order.orderId),
        market_id: order.marketId,
        owner: order.owner,
        side: order.side,
        price: hex(order.price),
        size: hex(order.size),
        filled: hex(order.filled),
        remaining: hex(order.remaining),
        tif: order.tif,
        client_id: order.clientId,
        created_block: hex(order.createdBlock),
        expires_at: hex(order.expiresAtSeconds),
      }));
  }
}
