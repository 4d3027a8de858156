/** What a scenario can be mixed of. Each kind has a size, whose meaning stands here; how it is made, in programs/. */

export interface KindWords {
  /** What is sent, and what it is there to catch. */
  readonly about: string;
  /** What its size counts; null for a kind that has none. */
  readonly size: string | null;
  /** The largest size that makes sense: what is beyond it could never be sent. */
  readonly sizeMax: number;
  /** Refusals that are no fault of the network: `data.kind` of each, and when they come. */
  readonly refusals?: { readonly kinds: readonly string[]; readonly when: string };
}

const restingOrders = 'orders that rest in each market';
const gone = { kinds: ['unknown_client_id'], when: 'the order traded before its cancel came' };
const tooMany = { kinds: ['too_many_open_orders'], when: 'above 10 000 open orders of an account' };
const slowMark = {
  kinds: ['not_liquidatable'],
  when: 'the mark price of the network moves slowly, or it liquidates by itself',
};
const fullQueue = { kinds: ['too_many_transfers'], when: 'above 100 000 transfers that wait' };

const written = {
  transfer: {
    about: 'Wei to one of many receivers: accounts that the state did not have yet.',
    size: 'receivers',
    sizeMax: 1_000_000,
  },
  token_transfer: {
    about: 'A transfer of an ERC-20 (OpenZeppelin) to one of many receivers: one log, two slots.',
    size: 'receivers',
    sizeMax: 1_000_000,
  },
  storage_write: {
    about: 'A transaction that writes storage slots which were empty.',
    size: 'slots',
    sizeMax: 1_400,
  },
  swap: {
    about: 'A swap of two tokens in a pool with a constant product, as Uniswap V2 makes them.',
    size: 'pools',
    sizeMax: 200,
  },
  deploy: {
    about: 'A new contract whose code no other one has.',
    size: 'bytes of code',
    sizeMax: 49_000,
    refusals: { kinds: ['failed'], when: 'above 24 576 bytes of code (EIP-170): the transaction fails' },
  },
  order_gtc: { about: 'An order that rests around a price that moves.', size: restingOrders, sizeMax: 1_000_000 },
  order_ioc: { about: 'An order for what rests at the best prices, now.', size: restingOrders, sizeMax: 1_000_000 },
  order_fok: { about: 'The same, all of it or nothing.', size: restingOrders, sizeMax: 1_000_000 },
  cancel: {
    about: 'The end of a resting order, by its client id.',
    size: restingOrders,
    sizeMax: 1_000_000,
    refusals: gone,
  },
  replace: {
    about: 'A batch of a cancel by client id and a new order with another price and size.',
    size: restingOrders,
    sizeMax: 1_000_000,
    refusals: gone,
  },
  move: {
    about: 'A batch of a cancel by client id and the same order at another price, on its own side of the book.',
    size: restingOrders,
    sizeMax: 1_000_000,
    refusals: gone,
  },
  burst: {
    about: 'An account that places orders one by one, without a pause, and cancels all of them at once.',
    size: 'orders',
    sizeMax: 20_000,
    refusals: tooMany,
  },
  cancel_all: {
    about: 'Orders of an account that one cancelAll ends in one block.',
    size: 'orders',
    sizeMax: 20_000,
    refusals: tooMany,
  },
  sweep: {
    about: 'One order that trades with all orders of a side of the book, and one that gives everything back.',
    size: 'orders that it meets',
    sizeMax: 30_000,
  },
  expire: {
    about: 'Orders that end in the same second, because their time is over.',
    size: 'orders of an account',
    sizeMax: 10_000,
    refusals: { kinds: ['order_expired'], when: 'the order came after its own last second' },
  },
  liquidate: {
    about: 'Orders that end in one block, because their account is liquidated.',
    size: 'orders of the account',
    sizeMax: 10_000,
    refusals: slowMark,
  },
  cascade: {
    about:
      'A price that falls by steps, and accounts with more and more leverage that are liquidated with it: by the book, by the insurance fund, by the accounts on the other side.',
    size: 'leveraged accounts',
    sizeMax: 10_000,
    refusals: slowMark,
  },
  bridge_out: {
    about: 'Transfers of collateral to the EVM that wait, and then leave the queue at once; one of them comes back.',
    size: 'transfers',
    sizeMax: 100_001,
    refusals: fullQueue,
  },
  bridge_in: {
    about: 'Transfers of wei to the order book that wait, and then leave the queue at once.',
    size: 'transfers',
    sizeMax: 100_001,
    refusals: fullQueue,
  },
  agent: {
    about: 'An account that approves agents, which trade for it, and revokes them.',
    size: 'agents',
    sizeMax: 1_025,
    refusals: {
      kinds: ['too_many_agents', 'unauthorized', 'unknown_agent'],
      when: 'above 64 agents at once or 1024 that ever were, and for what such agents send',
    },
  },
  contract_order: {
    about: 'A transaction to 0x…0100 that places an order or cancels one.',
    size: 'orders that rest, of each account',
    sizeMax: 5_000,
  },
  contract_batch: {
    about: 'A contract that places orders in one transaction, and cancels all of them in another one.',
    size: 'orders of a transaction',
    sizeMax: 1_000,
    refusals: { kinds: ['failed'], when: 'above 2000 writes of contracts in a block (`TooManyWrites`)' },
  },
  eth_call: { about: 'Balance of a token.', size: null, sizeMax: 0 },
  eth_getTransactionReceipt: { about: 'Receipt of a recent transaction.', size: null, sizeMax: 0 },
  eth_getBalance: { about: 'Balance of an account.', size: null, sizeMax: 0 },
  eth_getBlockByNumber: { about: 'One of the newest five blocks, with hashes.', size: null, sizeMax: 0 },
  eth_getTransactionCount: { about: 'Next nonce of an account.', size: null, sizeMax: 0 },
  eth_blockNumber: { about: 'Number of the newest block.', size: null, sizeMax: 0 },
  eth_getTransactionByHash: { about: 'A recent transaction.', size: null, sizeMax: 0 },
  eth_getLogs: { about: 'Logs of a token of the last blocks.', size: null, sizeMax: 0 },
  eth_getCode: { about: 'Code of a token.', size: null, sizeMax: 0 },
  primeorders_getOrderBook: { about: 'The best levels of a market.', size: null, sizeMax: 0 },
  primeorders_getAccount: { about: 'Collateral, positions and margin of an account.', size: null, sizeMax: 0 },
  noop: { about: 'An action that does nothing: a nonce, a signature, a place in a block.', size: null, sizeMax: 0 },
} as const satisfies Readonly<Record<string, KindWords>>;

export type KindName = keyof typeof written;
export const kindTable: Readonly<Record<KindName, KindWords>> = written;
export const kindNames = Object.keys(written) as readonly KindName[];
