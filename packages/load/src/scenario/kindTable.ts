/** What a scenario can be mixed of. Each kind has a size, whose meaning stands here; how it is made, in programs/. */

/** A kind of operation in words, with the bounds of its size. */
export interface KindWords {
  /** What is sent, and what it is there to catch. */
  readonly about: string;
  /** What its size counts; null for a kind that has none. */
  readonly size: string | null;
  /** The largest size that makes sense: what is beyond it could never be sent. */
  readonly sizeMax: number;
  /** Refusals that are no fault of the network. */
  readonly refusals?: readonly IntendedRefusal[];
}

/** What a kind may be refused with, because it goes to a limit or because its steps may meet in one block. */
export interface IntendedRefusal {
  /** By the order book: `data.kind`. `failed` is a transaction that fails. */
  readonly reasons: readonly string[];
  /** At admission: code of the JSON-RPC error. */
  readonly codes: readonly number[];
  readonly when: string;
}

const refusal = (reasons: readonly string[], when: string, codes: readonly number[] = []): IntendedRefusal => ({
  reasons,
  codes,
  when,
});
/** Who may not act for the account, or has nothing. */
const unauthorized = -32001;

/** The size of what works with orders that rest. */
const resting = { size: 'orders that rest in each market', sizeMax: 1_000_000 } as const;
/** A kind without a size. */
const sizeless = { size: null, sizeMax: 0 } as const;
const gone = [refusal(['unknown_client_id'], 'the order traded before its cancel came')];
const tooMany = [refusal(['too_many_open_orders'], 'above 10 000 open orders of an account')];
/** A network that is slower than the steps of a shape. */
const late = 'what it needs was in no block yet when it came';
const liquidations = [
  refusal(['not_liquidatable'], 'the mark price of the network moves slowly, or it liquidates by itself'),
  refusal(['not_liquidatable', 'insufficient_margin', 'owns_nothing', 'reduce_only'], late, [unauthorized]),
];
const fullQueue = [refusal(['too_many_transfers'], 'above 100 000 transfers that wait')];

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
    refusals: [refusal(['failed'], 'above 24 576 bytes of code (EIP-170): the transaction fails')],
  },
  order_gtc: { about: 'An order that rests around a price that moves.', ...resting },
  order_ioc: { about: 'An order for what rests at the best prices, now.', ...resting },
  order_fok: { about: 'The same, all of it or nothing.', ...resting },
  cancel: {
    about: 'The end of a resting order, by its client id.',
    ...resting,
    refusals: gone,
  },
  replace: {
    about: 'A batch of a cancel by client id and a new order with another price and size.',
    ...resting,
    refusals: gone,
  },
  move: {
    about: 'A batch of a cancel by client id and the same order at another price, on its own side of the book.',
    ...resting,
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
    refusals: [refusal(['reduce_only'], late)],
  },
  expire: {
    about: 'Orders that end in the same second, because their time is over.',
    size: 'orders of an account',
    sizeMax: 10_000,
    refusals: [refusal(['order_expired'], 'the order came after its own last second')],
  },
  liquidate: {
    about: 'Orders that end in one block, because their account is liquidated.',
    size: 'orders of the account',
    sizeMax: 10_000,
    refusals: liquidations,
  },
  cascade: {
    about:
      'A price that falls by steps, and accounts with more and more leverage that are liquidated with it: by the book, by the insurance fund, by the accounts on the other side.',
    size: 'leveraged accounts',
    sizeMax: 10_000,
    refusals: liquidations,
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
    refusals: [
      refusal(
        ['too_many_agents', 'unauthorized', 'unknown_agent', 'unknown_client_id'],
        'above 64 agents at once or 1024 that ever were, and what such agents send',
        [unauthorized],
      ),
      refusal(['unauthorized', 'unknown_agent', 'unknown_client_id'], late, [unauthorized]),
    ],
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
    refusals: [refusal(['failed'], 'above 2000 writes of contracts in a block (`TooManyWrites`)')],
  },
  eth_call: { about: 'Balance of a token.', ...sizeless },
  eth_getTransactionReceipt: { about: 'Receipt of a recent transaction.', ...sizeless },
  eth_getBalance: { about: 'Balance of an account.', ...sizeless },
  eth_getBlockByNumber: { about: 'One of the newest five blocks, with hashes.', ...sizeless },
  eth_getTransactionCount: { about: 'Next nonce of an account.', ...sizeless },
  eth_blockNumber: { about: 'Number of the newest block.', ...sizeless },
  eth_getTransactionByHash: { about: 'A recent transaction.', ...sizeless },
  eth_getLogs: { about: 'Logs of a token of the last blocks.', ...sizeless },
  eth_getCode: { about: 'Code of a token.', ...sizeless },
  primeorders_getOrderBook: { about: 'The best levels of a market.', ...sizeless },
  primeorders_getAccount: { about: 'Collateral, positions and margin of an account.', ...sizeless },
  noop: { about: 'An action that does nothing: a nonce, a signature, a place in a block.', ...sizeless },
} as const satisfies Readonly<Record<string, KindWords>>;

/** A kind of operation, as scenario files name it. */
export type KindName = keyof typeof written;
/** What each kind sends, what its size counts, and what it may be refused with. */
export const kindTable: Readonly<Record<KindName, KindWords>> = written;
/** Keys of {@link kindTable} in their order. */
export const kindNames = Object.keys(written) as readonly KindName[];
