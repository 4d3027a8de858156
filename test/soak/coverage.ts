import { calledIn, type DecidedBlock, deployedIn, revertedIn } from '@prime/audit';
import type { ActionPayload, ActionResult, ActionValue, RefusalCode } from '@prime/codec';

/**
 * What a run has to have met: numbers that are read from the decided blocks, each with the least that counts. A shape that a client meant to
 * make and the network cut into small blocks is not met.
 */
interface Goal {
  readonly name: string;
  /** Least of the measure in one block for the block to count. */
  readonly least: number;
  readonly measure: (seen: SeenBlock) => number;
}

/** A block with what is asked of it most. */
interface SeenBlock {
  readonly block: DecidedBlock;
  readonly events: readonly string[];
  /** Values of the actions that succeeded, those in batches too. */
  readonly values: readonly ActionValue[];
  readonly refusals: ReadonlyMap<string, number>;
  /** Successful actions by type. */
  readonly types: ReadonlyMap<string, number>;
  readonly payloads: readonly ActionPayload[];
}

const most = (numbers: readonly number[]): number => Math.max(0, ...numbers);
const valuesOf = <Type extends ActionValue['type']>(
  { values }: SeenBlock,
  type: Type,
): readonly Extract<ActionValue, { readonly type: Type }>[] =>
  values.filter((value): value is Extract<ActionValue, { readonly type: Type }> => value.type === type);

const cancelledAtOnce = (seen: SeenBlock): number =>
  most(valuesOf(seen, 'cancelAll').map(({ orderIds }) => orderIds.length));
const makersOfOne = (seen: SeenBlock): number => most(valuesOf(seen, 'order').map(({ trades }) => trades.length));
const eventsThat =
  (words: string) =>
  ({ events }: SeenBlock): number =>
    events.filter((event) => event.includes(words)).length;
const dequeued =
  (direction: string) =>
  (seen: SeenBlock): number =>
    most(valuesOf(seen, 'dequeued').map((value) => (value.direction === direction ? value.processed.length : 0)));
const orders = ({ payloads }: SeenBlock): Extract<ActionPayload, { type: 'order' }>[] =>
  payloads.filter((payload): payload is Extract<ActionPayload, { type: 'order' }> => payload.type === 'order');
const ordersThat =
  (holds: (order: Extract<ActionPayload, { type: 'order' }>) => boolean) =>
  (seen: SeenBlock): number =>
    orders(seen).filter(holds).length;
const writesOf =
  (type: string) =>
  ({ block }: SeenBlock): number =>
    block.writes.filter(({ payload }) => payload.type === type).length;
const signedByOther = ({ block }: SeenBlock): number =>
  block.actions.filter(
    ({ signer, transaction }, index) =>
      transaction.signatureKind !== 'gateway' && signer !== transaction.account && block.results[index]?.ok === true,
  ).length;
const batchesWithCancelAll = ({ block }: SeenBlock): number =>
  block.actions.filter(
    ({ transaction: { payload } }) =>
      payload.type === 'batch' && payload.items.some(({ type }) => type === 'cancelAll'),
  ).length;

const isHuge = (value: bigint): boolean => value > 1n << 53n;

/** Every number of A.3 that a network can be brought to from outside. */
const sizes: readonly Goal[] = [
  { name: 'one cancelAll of 63 or 64 orders', least: 63, measure: cancelledAtOnce },
  { name: 'one cancelAll of 65 orders', least: 65, measure: cancelledAtOnce },
  { name: 'one cancelAll of 257 orders', least: 257, measure: cancelledAtOnce },
  { name: 'one cancelAll of 10 000 orders', least: 10_000, measure: cancelledAtOnce },
  { name: 'one order meets 70 makers', least: 70, measure: makersOfOne },
  { name: 'one order meets 1000 makers', least: 1000, measure: makersOfOne },
  { name: '70 orders expire in one block', least: 70, measure: eventsThat(' expired ') },
  { name: '1000 orders expire in one block', least: 1000, measure: eventsThat(' expired ') },
  { name: '300 single cancels in one block', least: 300, measure: ({ types }) => types.get('cancel') ?? 0 },
  { name: '1000 actions in one block', least: 1000, measure: ({ block }) => block.actions.length },
  { name: 'a batch that holds cancelAll', least: 1, measure: batchesWithCancelAll },
  { name: '63 withdrawals are paid in one block', least: 63, measure: dequeued('orders_to_evm') },
  { name: '1000 transfers to the EVM in one block', least: 1000, measure: dequeued('orders_to_evm') },
  { name: '1000 transfers to the book in one block', least: 1000, measure: dequeued('evm_to_orders') },
  { name: '20 orders of contracts in one block', least: 20, measure: writesOf('order') },
  { name: '100 transactions in one block', least: 100, measure: ({ block }) => block.transactions.length },
  { name: 'sizes beyond 2^53', least: 1, measure: ordersThat(({ size }) => isHuge(size)) },
];

const kinds: readonly Goal[] = [
  ...(
    [
      'deposit',
      'order',
      'cancel',
      'cancelByClientId',
      'cancelAll',
      'modify',
      'batch',
      'withdraw',
      'transfer',
      'enqueueEvmToOrders',
      'bridgeDequeue',
      'liquidate',
      'addMarket',
      'setMargin',
      'approveAgent',
      'revokeAgent',
      'lockAccount',
      'noop',
    ] as const
  ).map((type) => ({ name: `${type} succeeds`, least: 1, measure: ({ types }: SeenBlock) => types.get(type) ?? 0 })),
  { name: 'a liquidation', least: 1, measure: eventsThat('liquidation ') },
  { name: 'deleveraging', least: 1, measure: eventsThat('deleveraged ') },
  {
    name: 'an order meets its owner: decrement',
    least: 1,
    measure: ordersThat(({ selfTrade }) => selfTrade === 'decrement'),
  },
  { name: 'an order meets its owner', least: 1, measure: eventsThat(' self_trade ') },
  { name: 'reduce-only', least: 1, measure: ordersThat(({ reduceOnly }) => reduceOnly) },
  { name: 'post-only', least: 1, measure: ordersThat(({ postOnly }) => postOnly) },
  { name: 'fill or kill that kills', least: 1, measure: eventsThat(' fok ') },
  { name: 'an order with a client id', least: 1, measure: ordersThat(({ clientId }) => clientId !== null) },
  { name: 'an action of an agent', least: 1, measure: signedByOther },
  { name: 'a contract deposits', least: 1, measure: writesOf('deposit') },
  { name: 'a contract cancels', least: 1, measure: writesOf('cancelAll') },
  { name: 'a contract is deployed', least: 1, measure: ({ block }) => deployedIn(block) },
  { name: 'a contract is called', least: 1, measure: ({ block }) => calledIn(block) },
  { name: 'a transaction fails', least: 1, measure: ({ block }) => revertedIn(block) },
];

const refusalsWanted = [
  'CLOB_TOO_MANY_OPEN_ORDERS',
  'CLOB_DUPLICATE_CLIENT_ID',
  'CLOB_INSUFFICIENT_FUNDS',
  'CLOB_INSUFFICIENT_MARGIN',
  'CLOB_INSUFFICIENT_COLLATERAL',
  'CLOB_POST_ONLY_WOULD_CROSS',
  'CLOB_REDUCE_ONLY_WOULD_INCREASE',
  'CLOB_NOT_LIQUIDATABLE',
  'CLOB_UNKNOWN_ORDER',
] as const satisfies readonly RefusalCode[];

const refused: readonly Goal[] = refusalsWanted.map((code) => ({
  name: `refused: ${code}`,
  least: 1,
  measure: ({ refusals }: SeenBlock) => refusals.get(code) ?? 0,
}));

const goals: readonly Goal[] = [...sizes, ...kinds, ...refused];

/** How often the goals were met. */
export class Coverage {
  readonly #blocks = new Map<string, number>();
  readonly #most = new Map<string, number>();

  see(block: DecidedBlock, events: readonly string[]): void {
    const seen = seenBlock(block, events);
    for (const { name, least, measure } of goals) {
      const measured = measure(seen);
      this.#most.set(name, Math.max(measured, this.#most.get(name) ?? 0));
      if (measured >= least) this.#blocks.set(name, (this.#blocks.get(name) ?? 0) + 1);
    }
  }

  /** @returns one row for each goal: in how many blocks it was met, and the most that one block had */
  rows(): { readonly name: string; readonly least: number; readonly blocks: number; readonly most: number }[] {
    return goals.map(({ name, least }) => ({
      name,
      least,
      blocks: this.#blocks.get(name) ?? 0,
      most: this.#most.get(name) ?? 0,
    }));
  }
}

function seenBlock(block: DecidedBlock, events: readonly string[]): SeenBlock {
  const values: ActionValue[] = [];
  const refusals = new Map<string, number>();
  const types = new Map<string, number>();
  const payloads: ActionPayload[] = [];
  const bump = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  const take = (payload: ActionPayload, result: ActionResult | undefined): void => {
    payloads.push(payload);
    if (result === undefined) return;
    if (!result.ok) return bump(refusals, result.error.code);
    bump(types, payload.type);
    values.push(result.value);
    const { value } = result;
    if (value.type === 'batch' && payload.type === 'batch')
      payload.items.forEach((item, index) => take(item, value.results[index]));
  };
  block.actions.forEach(({ transaction }, index) => take(transaction.payload, block.results[index]));
  return { block, events, values, refusals, types, payloads };
}
