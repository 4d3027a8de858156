import { type Address, zeroAddress } from '@prime/primitives';
import { transferText } from './form.ts';
import type { ModelHost } from './matching.ts';
import { max, type ModelTransfer, profitOf } from './state.ts';

const escrow = `0x${'100'.padStart(40, '0')}`;

/** What moving money needs besides. */
interface BridgeHost extends ModelHost {
  free(address: string): bigint;
}

/** The rules of transfers: money is in an account, in a queue, or outside, and never in two of them. */
export class ModelBridge {
  readonly #host: BridgeHost;

  constructor(host: BridgeHost) {
    this.#host = host;
  }

  withdraw(from: Address, to: Address, amount: bigint): unknown {
    const host = this.#host;
    if (amount === 0n) return 'CLOB_BAD_AMOUNT';
    if (to === zeroAddress) return 'CLOB_BAD_RECIPIENT';
    host.settle(from, null);
    const refused = this.#refused(from, amount);
    if (refused !== null) return refused;
    const queued = host.state.transfers.reduce((sum, transfer) => sum + transfer.amount, 0n);
    if (host.state.escrow - queued < amount) return 'CLOB_INSUFFICIENT_COLLATERAL';
    host.claims.takeProfit(from, amount);
    host.undo.add(host.account(from), 'collateral', -amount);
    return this.#enqueue({ direction: 'orders_to_evm', from, to, amount });
  }

  bringIn(from: Address, to: Address, amount: bigint, funded: boolean): unknown {
    if (amount === 0n) return 'CLOB_BAD_AMOUNT';
    if (to === zeroAddress) return 'CLOB_BAD_RECIPIENT';
    if (!funded) return 'CLOB_INSUFFICIENT_FUNDS';
    this.#host.undo.add(this.#host.state, 'escrow', amount);
    return this.#enqueue({ direction: 'evm_to_orders', from, to, amount });
  }

  transfer(from: Address, to: Address, amount: bigint): unknown {
    if (amount === 0n) return 'CLOB_BAD_AMOUNT';
    if (to === escrow || to === zeroAddress) return 'CLOB_BAD_RECIPIENT';
    this.#host.settle(from, null);
    const refused = this.#refused(from, amount);
    if (refused !== null) return refused;
    this.#host.claims.takeProfit(from, amount);
    this.#host.undo.add(this.#host.account(from), 'collateral', -amount);
    this.#host.undo.add(this.#host.account(to), 'collateral', amount);
    return { type: 'transfer' };
  }

  dequeue(direction: ModelTransfer['direction'], most: number): unknown {
    const { state, events, undo } = this.#host;
    const turn = state.transfers.filter((transfer) => transfer.direction === direction).slice(0, most);
    const gone = new Set(turn);
    undo.set(
      state,
      'transfers',
      state.transfers.filter((transfer) => !gone.has(transfer)),
    );
    for (const transfer of turn) {
      const { from, to, amount } = transfer;
      const fails = to === escrow;
      // Where the money ends: at the receiver in the other domain, or back at the sender in its own.
      if ((direction === 'evm_to_orders') === fails) {
        const receiver = fails ? from : to;
        undo.add(state, 'escrow', -amount);
        undo.set(state.paid, receiver, (state.paid[receiver] ?? 0n) + amount);
      } else undo.add(this.#host.account(fails ? from : to), 'collateral', amount);
      events.push(`${fails ? 'failed' : 'completed'} ${transferText(transfer)}`);
    }
    const pending = state.transfers.filter((transfer) => transfer.direction === direction).length;
    return { type: 'dequeued', ids: turn.map(({ id }) => id), pending };
  }

  #refused(from: string, amount: bigint): string | null {
    if (amount <= this.withdrawable(from)) return null;
    const isPaidFor = this.#host.claims.unpaid(from) === 0n || amount > this.#most(from, 0n);
    return isPaidFor ? 'CLOB_INSUFFICIENT_COLLATERAL' : 'CLOB_PROFIT_UNPAID';
  }

  /** Profit that is unrealized, or that nobody paid, can not be taken out. */
  withdrawable(address: string): bigint {
    return this.#most(address, this.#host.claims.unpaid(address));
  }

  #most(address: string, unpaid: bigint): bigint {
    const { positions } = this.#host.account(address);
    let profit = 0n;
    for (const [id, position] of Object.entries(positions)) {
      const market = this.#host.state.markets[Number(id) - 1]!;
      profit += profitOf(position, market.mark ?? market.last!);
    }
    return max(0n, this.#host.free(address) - max(0n, profit + unpaid));
  }

  #enqueue(fields: Omit<ModelTransfer, 'id'>): unknown {
    const { state, events, undo } = this.#host;
    const transfer = { id: undo.next(state, 'nextTransfer'), ...fields };
    undo.set(state, 'transfers', [...state.transfers, transfer]);
    events.push(`queued ${transferText(transfer)}`);
    return { type: 'transferQueued', id: transfer.id };
  }
}
