import {
  decodeEventFrames,
  type ActionPayload,
  leafKeyOf,
  orderPageIds,
  recordKind,
  signerNoncesMax,
} from '@prime/codec';
import { type Address, bytesToHex } from '@prime/primitives';
import { buySide, type SideIndex } from '../book/orderPool.ts';
import type { ClobOutcome } from '../ports.ts';
import { addressOf, type Harness, marketId, order, orderId, type Step } from './harness.ts';
import type { Course } from './pasts.ts';

/**
 * The sizes at which the order book does something else: where a table grows for the first time, where a structure changes its kind, where a limit of the
 * protocol ends a block's work. For each of them a shape of blocks that comes to any size, and what of a block is counted.
 * docs/testing-shapes.md tells them, and those of other packages.
 */
export interface GrowthStep {
  readonly name: string;
  /** The largest size before the step. */
  readonly at: number;
  readonly shape: Shape;
  readonly measure: (harness: Harness, outcome: ClobOutcome) => number;
  /** How far from a size a block of the shape may stay, where it counts in larger portions. */
  readonly within?: number;
  /** Size beyond which the shape does not come: it stands at a limit. */
  readonly most?: number;
}

/** Runs blocks in which so many things come, change or end at once. */
type Shape = (course: ShapeCourse, count: number) => void;

export interface ShapeCourse {
  readonly course: Course;
  block(steps: readonly Step[], atMs?: number): ClobOutcome;
  /** An account that nobody has used. */
  newAccount(): Address;
}

const shapeMarket = marketId(3);
export const [whale, other] = [addressOf(0x7ea1), addressOf(0x7ea2)] as const;
const own = { marketId: shapeMarket } as const;
const by = (account: Address, payload: ActionPayload): Step => ({ account, payload });
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const cancelAll: ActionPayload = { type: 'cancelAll', marketId: shapeMarket };
const nextId = ({ course }: ShapeCourse): number => course.harness.state.globals.nextOrderId;
/** Of a batch. */
const itemsMax = 100;
const clientIdOf = (index: number): string => `0x${index.toString(16).padStart(32, '0')}`;

/** Orders come, become smaller one by one, and go at once. */
const ordersComeAndGo: Shape = (shape, count) => {
  const first = nextId(shape);
  shape.block(times(count, (at) => by(whale, order('buy', BigInt(1 + (at % 90)), 3n, own))));
  shape.block(
    times(count, (at) =>
      by(whale, { type: 'modify', orderId: orderId(first + at), price: BigInt(1 + (at % 90)), size: 2n }),
    ),
  );
  shape.block([by(whale, cancelAll)]);
};

/** As many orders in as many levels, which are cancelled one by one, the last first. */
const levelsComeAndGo: Shape = (shape, count) => {
  const first = nextId(shape);
  shape.block(times(count, (at) => by(whale, order('buy', BigInt(1 + at), 1n, own))));
  shape.block(times(count, (at) => by(whale, { type: 'cancel', orderId: orderId(first + count - 1 - at) })));
};

/** One order takes all. */
const swept: Shape = (shape, count) => {
  shape.block(times(count, () => by(whale, order('buy', 7n, 1n, own))));
  shape.block([by(other, order('sell', 7n, BigInt(count), own))]);
};

/** An account trades with itself, in each of the ways, until nothing of its own is there. */
const ownOrdersMet: Shape = (shape, count) => {
  for (const selfTrade of ['cancel_maker', 'decrement'] as const) {
    shape.block(times(count, () => by(whale, order('buy', 7n, 1n, own))));
    shape.block([by(whale, order('sell', 7n, BigInt(count), { ...own, selfTrade, tif: 'ioc' }))]);
  }
};

/** Orders end with the time, in as many blocks as they need. */
const expired: Shape = (shape, count) => {
  const { harness } = shape.course;
  const expiresAt = Math.floor(harness.now() / 1000) + 60;
  shape.block(times(count, (at) => by(whale, order('buy', BigInt(1 + (at % 9)), 1n, { ...own, expiresAt }))));
  let atMs = (expiresAt + 1) * 1000;
  while (harness.state.expiries.size > 0) shape.block([], (atMs += 100));
};

const withClientIds: Shape = (shape, count) => {
  shape.block(times(count, (at) => by(whale, order('buy', 5n, 1n, { ...own, clientId: clientIdOf(at) }))));
  shape.block(
    times(count, (at) => by(whale, { type: 'cancelByClientId', marketId: shapeMarket, clientId: clientIdOf(at) })),
  );
};

/** The oldest order stays while so many others come and go, and then as many are older than the ring of ids. */
const oldOrders: Shape = (shape, count) => {
  shape.block([by(whale, order('buy', 2n, 1n, own))]);
  const first = nextId(shape);
  shape.block(times(count - 1, () => by(other, order('buy', 1n, 1n, own))));
  shape.block(times(count - 2, (at) => by(other, { type: 'cancel', orderId: orderId(first + at) })));
  shape.block([by(other, cancelAll), by(whale, cancelAll)]);
};

/** Two prices so many ticks apart, and one between them. */
const farPrices: Shape = (shape, count) => {
  for (const price of [1, count, Math.ceil(count / 2)])
    shape.block([by(whale, order('buy', BigInt(price), 1n, own)), by(whale, order('sell', 10_000_000n, 1n, own))]);
  shape.block([by(other, order('sell', BigInt(count), 1n, own))]);
  shape.block([by(whale, cancelAll)]);
};

const accountsCome: Shape = (shape, count) => {
  shape.block(times(count, () => by(shape.newAccount(), { type: 'deposit', amount: 5n })));
};

/** Positions of many open in one block, and are closed in one. */
const positionsOpenAndClose: Shape = (shape, count) => {
  const accounts = times(count, () => shape.newAccount());
  shape.block(accounts.map((account) => by(account, { type: 'deposit', amount: 1000n })));
  shape.block(accounts.map((account) => by(account, order('buy', 7n, 1n, own))));
  shape.block([by(other, order('sell', 7n, BigInt(count), own))]);
  shape.block(accounts.map((account) => by(account, order('sell', 7n, 1n, own))));
  shape.block([by(other, order('buy', 7n, BigInt(count), own))]);
};

/** Withdrawals wait, and leave in as few blocks as they may. */
const withdrawn: Shape = (shape, count) => {
  shape.block(times(count, () => by(whale, { type: 'withdraw', amount: 1n, to: other })));
  const { state } = shape.course.harness;
  while (state.transfers.orders_to_evm.length > 0)
    shape.block([by(other, { type: 'bridgeDequeue', direction: 'orders_to_evm', max: 1000 })]);
};

/** An account signs many actions in a block. */
const signedByOne: Shape = (shape, count) => {
  const account = shape.newAccount();
  shape.block([by(account, { type: 'deposit', amount: 5n })]);
  const { harness } = shape.course;
  const nonce = harness.now() + 100;
  shape.block(
    times(count, (at) => ({ account, payload: { type: 'noop' }, signatureKind: 'raw', nonce: nonce + at })),
    nonce,
  );
};

/** An account approves agents, and revokes them. */
const agentsApproved: Shape = (shape, count) => {
  const account = shape.newAccount();
  shape.block([by(account, { type: 'deposit', amount: 5n })]);
  const agents = times(count, () => shape.newAccount());
  shape.block(
    agents.map((agent) => by(account, { type: 'approveAgent', agent, expiry: 0, permissions: 3, name: 'bot' })),
  );
  shape.block(agents.map((agent) => by(account, { type: 'revokeAgent', agent })));
};

/** Agents come and go, until there is no room for what is kept of them. */
const agentsForgotten: Shape = (shape, count) => {
  const account = shape.newAccount();
  shape.block([by(account, { type: 'deposit', amount: 5n })]);
  for (let done = 0; done < count; done += 60) {
    const agents = times(Math.min(60, count - done), () => shape.newAccount());
    shape.block(
      agents.map((agent) => by(account, { type: 'approveAgent', agent, expiry: 0, permissions: 1, name: '' })),
    );
    shape.block(agents.map((agent) => by(account, { type: 'revokeAgent', agent })));
  }
};

const batched: Shape = (shape, count) => {
  const items = times(count, (at) => order('buy', BigInt(1 + at), 1n, own));
  const batches: Step[] = [];
  for (let at = 0; at < count; at += itemsMax)
    batches.push(by(whale, { type: 'batch', items: items.slice(at, at + itemsMax) }));
  shape.block(batches);
  shape.block([by(whale, { type: 'batch', items: [cancelAll, ...items.slice(0, 9)] })]);
  shape.block([by(whale, cancelAll)]);
};

const writesOf = (kind: string, { writes }: ClobOutcome): number =>
  writes.filter(({ key }) => recordKind(key) === kind).length;
const eventsOf = (kind: string, { events }: ClobOutcome): number =>
  decodeEventFrames(events).filter((event) => event.kind === kind).length;
const leavesIn = (keys: Iterable<Uint8Array>): number =>
  new Set(Array.from(keys, (key) => bytesToHex(leafKeyOf(key)))).size;

const openOrders = ({ state }: Harness): number => state.orders.byId.size;
const leavesOf = ({ records }: Harness, { writes }: ClobOutcome): number =>
  leavesIn([...Array.from(records.values(), ([key]) => key), ...writes.map(({ key }) => key)]);
const stored = ({ records }: Harness, { writes }: ClobOutcome): number =>
  records.size + writes.filter(({ key, value }) => value !== null && !records.has(String(key))).length;

function levelsOf({ state }: Harness): number {
  const { book } = state.market(shapeMarket)!;
  let count = 0;
  for (const side of [0, 1] as const)
    book.levels(side, () => {
      count++;
      return true;
    });
  return count;
}

/** From the worst to the best bid, both counted. */
function ticksOf({ state }: Harness): number {
  const ticks: number[] = [];
  state.market(shapeMarket)!.book.levels(buySide as SideIndex, (at) => ticks.push(Number(at)) > 0);
  return ticks.length === 0 ? 0 : ticks[0]! - ticks.at(-1)! + 1;
}

/** From the oldest order to the next id. */
function idsOf({ state }: Harness): number {
  const oldest = state.orders.byId.ids()[0];
  return oldest === undefined ? 0 : state.globals.nextOrderId - oldest;
}

const agentsOf = ({ state }: Harness, isAsked: (revoked: boolean) => boolean): number =>
  Math.max(
    0,
    ...Array.from(
      state.agents.values(),
      (agents) => [...agents.values()].filter(({ revoked }) => isAsked(revoked)).length,
    ),
  );

const bytesIn = ({ writes }: ClobOutcome): number =>
  writes.reduce((sum, { key, value }) => sum + 2 + key.length + (value?.length ?? 0), 0);

/** See recordBatch.ts, recordTrie.ts, storedRecords.ts and loading.ts. */
const stepsOfRecords: readonly GrowthStep[] = [
  { name: 'orders that a block writes', at: 64, shape: ordersComeAndGo, measure: (_, out) => writesOf('order', out) },
  {
    name: 'leaves that a block writes',
    at: 64,
    shape: accountsCome,
    measure: (_, { writes }) => leavesIn(writes.map(({ key }) => key)),
  },
  {
    name: 'bytes that a block writes',
    at: 4096,
    shape: ordersComeAndGo,
    measure: (_, out) => bytesIn(out),
    within: 80,
  },
  { name: 'leaves of the state', at: 1024, shape: accountsCome, measure: leavesOf },
  { name: 'leaves that are put together at the start', at: 4096, shape: accountsCome, measure: leavesOf },
  { name: 'records that a start reads', at: 1024, shape: ordersComeAndGo, measure: stored, within: 4 },
];

/** See orderPool.ts, orderMemory.ts, journal.ts, blockLog.ts and intStack.ts. */
const stepsOfBlocks: readonly GrowthStep[] = [
  { name: 'orders that rest', at: 1024, shape: ordersComeAndGo, measure: openOrders },
  { name: 'orders that a block changes', at: 64, shape: ordersComeAndGo, measure: ({ state }) => state.orders.changes },
  { name: 'orders that end in a block', at: 64, shape: swept, measure: ({ state }) => state.memory.count },
  { name: 'ends that a block remembers', at: 256, shape: ownOrdersMet, measure: ({ state }) => state.memory.count },
  { name: 'trades of a block', at: 64, shape: swept, measure: (_, out) => eventsOf('trade', out) },
  {
    name: 'steps of a block that can be undone',
    at: 1024,
    shape: ordersComeAndGo,
    measure: ({ state }) => state.journal.mark(),
    within: 4,
  },
  { name: 'events of a block', at: 64, shape: swept, measure: ({ state }) => state.log.eventCount, within: 2 },
  { name: 'answers of a block', at: 64, shape: ordersComeAndGo, measure: ({ state }) => state.log.answerCount },
  {
    name: 'positions that a block opens',
    at: 64,
    shape: positionsOpenAndClose,
    measure: (_, out) => eventsOf('trade', out),
  },
];

/** See book.ts, tickLadder.ts, sortedIndex.ts, orderIndex.ts and idPages.ts. */
const stepsOfBooks: readonly GrowthStep[] = [
  { name: 'levels of a book', at: 32, shape: levelsComeAndGo, measure: levelsOf },
  { name: 'ticks of a window', at: 4096, shape: farPrices, measure: ticksOf },
  { name: 'orders that expire some time', at: 256, shape: expired, measure: ({ state }) => state.expiries.size },
  { name: 'ids from the oldest order on', at: 1024, shape: oldOrders, measure: idsOf },
  { name: 'ids of a page', at: orderPageIds, shape: ordersComeAndGo, measure: openOrders },
  { name: 'client ids', at: 64, shape: withClientIds, measure: openOrders },
];

/** Limits of the protocol. */
const stepsAtLimits: readonly GrowthStep[] = [
  { name: 'expiries of a block', at: 1000, shape: expired, measure: ({ state }) => state.expiries.size },
  {
    name: 'transfers of a dequeue',
    at: 1000,
    shape: withdrawn,
    measure: ({ state }) => state.transfers.orders_to_evm.length,
  },
  { name: 'items of a batch', at: itemsMax, shape: batched, measure: openOrders },
  {
    name: 'nonces of a signer',
    at: signerNoncesMax,
    shape: signedByOne,
    measure: ({ given }) => given()!.actions.length,
  },
  {
    name: 'agents of an account',
    at: 64,
    shape: agentsApproved,
    measure: (harness) => agentsOf(harness, (revoked) => !revoked),
    most: 64,
  },
  {
    name: 'agents that are kept of an account',
    at: 1024,
    shape: agentsForgotten,
    measure: (harness) => agentsOf(harness, () => true),
    most: 1024,
  },
];

export const growthSteps: readonly GrowthStep[] = [
  ...stepsOfRecords,
  ...stepsOfBlocks,
  ...stepsOfBooks,
  ...stepsAtLimits,
];
