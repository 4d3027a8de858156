import { rpc, toHex as hex } from '@prime/load/rpc';

/** A trade of an account as the chain has it. */
export interface ChainFill {
  readonly block: number;
  readonly tradeId: number;
  readonly side: 'buy' | 'sell';
  readonly size: bigint;
}

/** An account in one market after a block. */
interface BlockFacts {
  readonly block: number;
  readonly position: bigint;
  /** Sizes of what rests, by side. */
  readonly open: { readonly buy: readonly bigint[]; readonly sell: readonly bigint[] };
}

export interface AccountFacts {
  /** In the order of execution. */
  readonly fills: readonly ChainFill[];
  /** Blocks that changed something, ascending. */
  readonly blocks: readonly BlockFacts[];
  /** Up to which block. */
  readonly head: number;
}

interface WireEvent {
  readonly block_number: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Blocks that are asked for at once. */
const page = 250;

/**
 * What the chain knows of an account in a market, from the events of all blocks, and from nothing that the bot or the SDK computed.
 *
 * @param url of a node that is up
 */
export async function readFacts(url: string, address: string, marketId: number): Promise<AccountFacts> {
  const head = Number(await rpc<string>(url, 'eth_blockNumber'));
  const fills: ChainFill[] = [];
  const blocks: BlockFacts[] = [];
  const open = new Map<string, { readonly side: 'buy' | 'sell'; left: bigint }>();
  let position = 0n;
  for (let from = 1; from <= head; from += page) {
    const range = { fromBlock: hex(from), toBlock: hex(Math.min(head, from + page - 1)) };
    const events = await rpc<readonly WireEvent[]>(url, 'prime_getDomainEvents', [
      { ...range, domain: 'orders', address },
    ]);
    for (const [index, event] of events.entries()) {
      const { kind, data } = event;
      const block = Number(event.block_number);
      if (data['market_id'] === marketId) {
        for (const fill of apply(kind, data, address, open)) {
          fills.push({ block, ...fill });
          position += fill.side === 'buy' ? fill.size : -fill.size;
        }
        if (kind === 'deleveraged' || kind === 'liquidation')
          throw new Error(`${address} was liquidated in block ${block}`);
      }
      if (Number(events[index + 1]?.block_number ?? -1) === block) continue;
      for (const [id, { left }] of open) if (left === 0n) open.delete(id);
      const of = (side: 'buy' | 'sell'): bigint[] =>
        [...open.values()].filter((order) => order.side === side).map(({ left }) => left);
      blocks.push({ block, position, open: { buy: of('buy'), sell: of('sell') } });
    }
  }
  return { fills, blocks, head };
}

type Open = Map<string, { readonly side: 'buy' | 'sell'; left: bigint }>;

function apply(kind: string, data: WireEvent['data'], address: string, open: Open): Omit<ChainFill, 'block'>[] {
  const text = (name: string): string => String(data[name]);
  const side = text('side') === 'buy' ? 'buy' : 'sell';
  switch (kind) {
    case 'order_accepted':
      if (text('owner') === address) open.set(text('order_id'), { side, left: BigInt(text('size')) });
      return [];
    case 'order_cancelled':
      open.delete(text('order_id'));
      return [];
    case 'order_reduced': {
      const order = open.get(text('order_id'));
      if (order !== undefined) order.left = BigInt(text('remaining'));
      return [];
    }
    case 'trade': {
      const size = BigInt(text('size'));
      const tradeId = Number(text('trade_id'));
      const fills: Omit<ChainFill, 'block'>[] = [];
      const take = (orderId: string, own: 'buy' | 'sell'): void => {
        const order = open.get(orderId);
        if (order === undefined) throw new Error(`trade ${tradeId} of order ${orderId}, which was not accepted`);
        order.left -= size;
        fills.push({ tradeId, side: own, size });
      };
      if (text('maker') === address) take(text('maker_order_id'), side === 'buy' ? 'sell' : 'buy');
      if (text('taker') === address) take(text('taker_order_id'), side);
      return fills;
    }
    default:
      return [];
  }
}

/** Position after a block. */
export function positionAt({ blocks }: AccountFacts, block: number): bigint {
  return blocks.findLast((facts) => facts.block <= block)?.position ?? 0n;
}
