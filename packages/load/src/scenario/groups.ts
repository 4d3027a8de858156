import type { KindName } from './kindTable.ts';
import type { Scenario } from './schema.ts';

/**
 * Which kinds share accounts and markets. Kinds of one group know of each other's orders; those of two groups have no account and no market in common,
 * so that a cancelAll of one shape does not end what another one has just placed.
 */
export interface Group {
  readonly name: string;
  /** Accounts of one lane: so many it needs at least, of each worker. */
  readonly laneAccounts: number;
  /** none: it trades nowhere. shared: with itself, over workers and lanes. own: each lane needs a market that nobody else trades in. */
  readonly market: 'none' | 'shared' | 'own';
  /** What its accounts have to have before it begins. */
  readonly funds: 'wei' | 'collateral';
}

const group = (
  name: string,
  market: Group['market'],
  laneAccounts = 1,
  funds: Group['funds'] = 'collateral',
): Group => ({ name, market, laneAccounts, funds });

const plain = group('plain', 'none', 1, 'wei');
const trading = group('trading', 'shared', 2);

const groupOfKind: Readonly<Record<KindName, Group>> = {
  transfer: plain,
  token_transfer: plain,
  storage_write: plain,
  swap: plain,
  deploy: plain,
  order_gtc: trading,
  order_ioc: trading,
  order_fok: trading,
  cancel: trading,
  replace: trading,
  move: trading,
  burst: group('burst', 'shared'),
  cancel_all: group('cancel_all', 'shared'),
  sweep: group('sweep', 'own', 5),
  expire: group('expire', 'shared'),
  liquidate: group('liquidate', 'own', 2),
  cascade: group('cascade', 'own', 2),
  bridge_out: group('bridge_out', 'none', 2),
  bridge_in: group('bridge_in', 'none', 2),
  agent: group('agent', 'shared'),
  contract_order: group('contract_order', 'shared'),
  contract_batch: group('contract_batch', 'shared', 1, 'wei'),
  eth_call: plain,
  eth_getTransactionReceipt: plain,
  eth_getBalance: plain,
  eth_getBlockByNumber: plain,
  eth_getTransactionCount: plain,
  eth_blockNumber: plain,
  eth_getTransactionByHash: plain,
  eth_getLogs: plain,
  eth_getCode: plain,
  primeorders_getOrderBook: plain,
  primeorders_getAccount: plain,
  noop: group('noop', 'none'),
};

/** The group that a kind belongs to. */
export const groupOf = (kind: KindName): Group => groupOfKind[kind];

/** Groups of a scenario, in the order of its mix. */
export const groupsOf = ({ mix }: Scenario): readonly Group[] => [...new Set(mix.map(({ kind }) => groupOf(kind)))];
