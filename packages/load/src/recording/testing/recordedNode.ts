import {
  type ActionPayload,
  type ActionResult,
  encodeActionResult,
  encodeNativeTransaction,
  nativeSigningDigest,
} from '@prime/codec';
import { cryptoProvider, keccakHex } from '@prime/crypto';
import { bytesToHex, type Hash, toMarketId } from '@prime/primitives';
import type { Call } from '../answers.ts';
import { replayAccount } from '../replay/replaySigner.ts';

const provider = await cryptoProvider();
/** Accounts that act. */
export const [alice, bob, carol] = [0, 1, 2].map((index) => replayAccount(provider, 'node', index)) as [
  Signer,
  Signer,
  Signer,
];
/** An account with its key. */
export type Signer = ReturnType<typeof replayAccount>;

const hex = (value: number): string => `0x${value.toString(16)}`;
const plain = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' } as const;
/** A limit order of market 1 that nothing else is asked of. */
export const orderOf = (
  side: 'buy' | 'sell',
  price: bigint,
  size: bigint,
  more: Partial<Extract<ActionPayload, { type: 'order' }>> = {},
) =>
  ({
    type: 'order',
    marketId: toMarketId(1),
    side,
    price,
    size,
    tif: 'gtc',
    ...plain,
    clientId: null,
    expiresAt: 0,
    ...more,
  }) as const;

/** An event of a block, in the forms of the RPC. */
export interface Event {
  readonly kind: string;
  readonly hash: string | null;
  readonly ticket?: string;
  readonly data: Record<string, unknown>;
}

/** What an order book tells, in the forms of the RPC. */
export const told = {
  accepted: (
    hash: string | null,
    id: number,
    owner: Signer,
    order: ReturnType<typeof orderOf>,
    ticket?: string,
  ): Event => ({
    kind: 'order_accepted',
    hash,
    ...(ticket !== undefined && { ticket }),
    data: {
      order_id: hex(id),
      market_id: 1,
      owner: owner.address,
      side: order.side,
      price: hex(Number(order.price)),
      size: hex(Number(order.size)),
      tif: order.tif,
      client_id: order.clientId,
      post_only: order.postOnly,
      reduce_only: order.reduceOnly,
      stp: order.selfTrade,
      expires_at: '0x0',
    },
  }),
  trade: (
    hash: string | null,
    [maker, taker]: [number, number],
    who: [Signer, Signer],
    [price, size, side]: [number, number, string],
  ): Event => ({
    kind: 'trade',
    hash,
    data: {
      trade_id: '0x1',
      market_id: 1,
      price: hex(price),
      size: hex(size),
      maker_order_id: hex(maker),
      taker_order_id: hex(taker),
      maker: who[0].address,
      taker: who[1].address,
      side,
      fees: '0x0',
    },
  }),
  cancelled: (hash: string | null, id: number, owner: Signer, remaining: number, reason: string): Event => ({
    kind: 'order_cancelled',
    hash,
    data: { order_id: hex(id), market_id: 1, owner: owner.address, remaining: hex(remaining), reason },
  }),
  reduced: (hash: string, id: number, owner: Signer, [amount, remaining]: [number, number], by: string): Event => ({
    kind: 'order_reduced',
    hash,
    data: { order_id: hex(id), market_id: 1, owner: owner.address, by, amount: hex(amount), remaining: hex(remaining) },
  }),
  rejected: (hash: string, account: Signer, reason: string): Event => ({
    kind: 'action_rejected',
    hash,
    data: { account: account.address, hash, ticket: null, reason },
  }),
};

/** A node that has the blocks that a test gives it. */
export class RecordedNode {
  readonly asked: string[] = [];
  readonly orders = new Map<number, Record<string, unknown>>();
  readonly #blocks: Record<string, unknown>[] = [];
  readonly #receipts: unknown[][] = [];
  readonly #raw = new Map<string, string>();
  readonly #outputs = new Map<string, string>();
  #nonce = 1;

  action(account: Signer, payload: ActionPayload, by = account): Hash {
    const unsigned = {
      chainId: 7919,
      nonce: this.#nonce++,
      expiresAt: 0,
      account: account.address,
      payload,
      signatureKind: 'raw',
    } as const;
    const raw = encodeNativeTransaction({
      ...unsigned,
      signature: provider.sign(nativeSigningDigest(unsigned), by.privateKey),
    });
    this.#raw.set(keccakHex(raw), bytesToHex(raw));
    return keccakHex(raw);
  }

  result(hash: string, result: ActionResult): void {
    this.#outputs.set(hash, bytesToHex(encodeActionResult(result)));
  }

  block(
    actions: readonly string[],
    events: readonly Event[],
    transactions: readonly { tx: object; receipt: object }[] = [],
  ): void {
    this.#blocks.push({
      timestamp_ms: hex(1_000_000 + 50 * this.#blocks.length),
      actions,
      transactions: transactions.map(({ tx }) => tx),
      domain_events: events.map(({ kind, hash, ticket, data }) => ({
        kind,
        transaction_hash: hash,
        ...(ticket !== undefined && { ticket }),
        data,
      })),
    });
    this.#receipts.push(transactions.map(({ receipt }) => receipt));
  }

  readonly call: Call = async (method, [first]) => {
    this.asked.push(method);
    switch (method) {
      case 'eth_chainId':
        return hex(7919);
      case 'eth_blockNumber':
        return hex(this.#blocks.length);
      case 'primeorders_getMarkets':
        return [{ market_id: 1, symbol: 'PRM/USD', tick_size: '0x1', lot_size: '0x2' }];
      case 'prime_getBlockByNumber':
        return this.#blocks[Number(first) - 1] ?? null;
      case 'eth_getBlockReceipts':
        return this.#receipts[Number(first) - 1];
      case 'eth_getTransactionByHash':
        return { input: this.#raw.get(String(first)) };
      case 'eth_getTransactionReceipt':
        return { output: this.#outputs.get(String(first)) };
      case 'primeorders_getOrder':
        return this.orders.get(Number(first)) ?? null;
      default:
        throw new Error(`asked for ${method}`);
    }
  };
}
