import { SocketCalls } from '@prime/load';
import { RpcError, rpc, toHex as hex } from '@prime/load/rpc';
import { type Testnet, until } from '@prime/testkit';

/** What a test of traders says and hears: calls in few words, and streams by block. */

/** Market of orders that name no other. */
export const mainMarket = 1;

export { hex };
export const addressOf = (name: string): string => `0x${Buffer.from(name).toString('hex').padStart(40, '0')}`;
/** Addresses of several names, in their order. */
export const addressesOf = <const Names extends readonly string[]>(...names: Names) =>
  names.map(addressOf) as { readonly [Index in keyof Names]: string };
export const clientIdOf = (name: string): string => `0x${Buffer.from(name).toString('hex').padStart(32, '0')}`;

/** The error with which a call is refused. @throws Error when it is not */
export async function refusal(promise: Promise<unknown>): Promise<RpcError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof RpcError) return error;
  throw new Error('it was not refused', { cause: error });
}

export interface Placed {
  readonly order_id: string;
  readonly filled: string;
  readonly remaining: string;
  readonly status: string;
  readonly reason: string | null;
  readonly block_number: string;
}

interface Batched {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly block_number: string;
}

type Side = 'buy' | 'sell';

/** Fields of an order, which rests in the main market unless told otherwise. */
export const fieldsOf = (side: Side, price: number, size: number, more: object = {}): object => ({
  market_id: mainMarket,
  side,
  price: hex(price),
  size: hex(size),
  tif: 'gtc',
  ...more,
});

/** Everybody's calls to one node. */
export class Desk {
  readonly #testnet: Testnet;
  readonly #node: number;

  constructor(testnet: Testnet, node = 0) {
    this.#testnet = testnet;
    this.#node = node;
  }

  call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
    return rpc(this.#testnet.url(this.#node), method, params);
  }

  place(owner: string, side: Side, price: number, size: number, more: object = {}): Promise<Placed> {
    return this.call('primeorders_submitOrder', { owner, ...fieldsOf(side, price, size, more) });
  }

  batch(owner: string, ...items: readonly object[]): Promise<Batched> {
    return this.call('primeorders_batch', owner, items);
  }

  cancelAll(owner: string): Promise<unknown> {
    return this.call('primeorders_cancelAll', owner);
  }

  deposit(owner: string, amount: number): Promise<unknown> {
    return this.call('primeorders_depositCollateral', owner, hex(amount));
  }

  /** Something for a block to hold. */
  busy(): Promise<unknown> {
    return this.deposit(addressOf('busy'), 1);
  }

  /** @param key order id, or owner and client id */
  order(key: unknown): Promise<Readonly<Record<string, unknown>> | null> {
    return this.call('primeorders_getOrder', key);
  }

  open(owner: string): Promise<unknown[]> {
    return this.call('primeorders_getOpenOrders', owner);
  }

  async height(): Promise<number> {
    return Number(await this.call<string>('eth_blockNumber'));
  }

  /** The events of a block that tell of an order of the account that shrank. */
  async reductions(address: string, block: string): Promise<unknown[]> {
    const filter = { fromBlock: block, toBlock: block, kind: 'order_reduced', address };
    const events = await this.call<{ data: Record<string, unknown> }[]>('prime_getDomainEvents', filter);
    return events.map(({ data: { order_id, by, amount, remaining } }) => ({ order_id, by, amount, remaining }));
  }
}

/** Messages that are to get into one block, with something before them that makes the block before it. @param attempt null where they did not: it is tried again */
export async function inOneBlock<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  let found: Result | null = null;
  await until('both are in one block', async () => {
    found = await attempt();
    return found !== null;
  });
  return found!;
}

type Heard = readonly Readonly<Record<string, unknown>>[];
interface Notification {
  readonly params: {
    readonly subscription: string;
    readonly result: { readonly block_number: string } & Record<string, never>;
  };
}

/** The streams `orders` and `fills` of some accounts, by block. */
export class Updates {
  readonly #calls: SocketCalls;
  readonly #heard: ReadonlyMap<string, Heard>;

  static async open(url: string, accounts: readonly string[]): Promise<Updates> {
    const heard = new Map<string, Heard>();
    const names = new Map<string, string>();
    const onNotification = (message: Buffer): void => {
      const { subscription, result } = (JSON.parse(message.toString()) as Notification).params;
      const { block_number, ...told } = result;
      const key = `${names.get(subscription)} ${block_number}`;
      heard.set(key, told[names.get(subscription)!.split(' ')[0]!]!);
    };
    const calls = await SocketCalls.open({ url: url.replace(/^http/, 'ws'), onNotification });
    for (const kind of ['orders', 'fills'])
      for (const address of accounts)
        await calls.call(
          'prime_subscribe',
          [kind, { address }],
          (id) => void names.set(String(id), `${kind} ${address}`),
        );
    return new Updates(calls, heard);
  }

  private constructor(calls: SocketCalls, heard: ReadonlyMap<string, Heard>) {
    this.#calls = calls;
    this.#heard = heard;
  }

  /** What one stream told of a block. */
  async of(kind: 'orders' | 'fills', address: string, block: string): Promise<readonly unknown[]> {
    const key = `${kind} ${address} ${block}`;
    await until(`${kind} of block ${block}`, async () => this.#heard.has(key));
    return this.#heard.get(key)!;
  }

  close(): void {
    this.#calls.close();
  }
}

/** An update of an order, with what is not said as it is mostly. */
export const update = (owner: string, placed: Pick<Placed, 'order_id'>, more: object): object => ({
  order_id: placed.order_id,
  market_id: mainMarket,
  owner,
  price: '0x64',
  reduced: '0x0',
  decremented: '0x0',
  tif: 'gtc',
  client_id: null,
  reason: null,
  kind: 'order',
  ...more,
});
