import type { ActionPayload, ActionResult } from '@prime/codec';
import { type FlowLineOf, type OrderRef, orderRefOf } from './flow/flow.ts';
import { type ActionContext, flowAction, flowTradingAction, isTrading } from './flowActions.ts';
import type { FlowWriter } from './flow/flowWriter.ts';
import { LiveOrders } from './liveOrders.ts';
import type { ActionFacts, Cause, EventFacts, EvmFacts, NetworkBlock } from './networkBlocks.ts';
import { accountsOf, OutcomeReader } from './outcomes.ts';
import { numberOf } from './answers.ts';

/** An order that rested before the record begins. */
export interface EarlierOrder {
  readonly id: number;
  readonly owner: string;
  readonly order: FlowLineOf<'earlier'>['order'];
}

/** Turns blocks into lines, in the order of execution. */
export class BlockRecorder {
  readonly #writer: FlowWriter;
  readonly #beganMs: number;
  readonly #orders = new LiveOrders();

  constructor(writer: FlowWriter, beganMs: number, earlier: readonly EarlierOrder[]) {
    this.#writer = writer;
    this.#beganMs = beganMs;
    for (const { id, owner, order } of earlier) {
      const account = writer.account(owner);
      const ref = orderRefOf(writer.add({ kind: 'earlier', account, order }));
      this.#orders.add(id, { ref, market: order.market, owner, price: order.price, remaining: BigInt(order.size) });
    }
  }

  /** EVM transactions first; then what the order book did, in its order. An action that told nothing changed nothing, and stands behind the others. */
  add(block: NetworkBlock): void {
    const ms = block.timestampMs - this.#beganMs;
    for (const transaction of block.transactions) this.#transaction(transaction, ms);
    const silent = new Map(block.actions.map((action) => [action.hash, action]));
    for (const run of runsOf(block.events)) {
      const action = run.cause.of === 'action' && !run.isLater ? silent.get(run.cause.hash) : undefined;
      if (action !== undefined) {
        silent.delete(action.hash);
        this.#action(action, run.events, ms);
      } else if (run.cause.of === 'contract' && !run.isLater) this.#contract(run, ms);
      else this.#network(run, ms);
    }
    for (const action of silent.values()) this.#action(action, [], ms);
  }

  #transaction({ from, to, value, data, gas, isOk, gasUsed, created, writes }: EvmFacts, ms: number): void {
    const account = this.#writer.account(from);
    const receiver = to === null ? null : this.#writer.account(to);
    const contract = created === null || !isOk ? null : this.#writer.account(created);
    this.#writer.add({
      kind: 'transaction',
      ms,
      account,
      to: receiver,
      value: `${value}`,
      data,
      gas: `${gas}`,
      outcome: {
        status: isOk ? 'ok' : 'reverted',
        gasUsed: `${gasUsed}`,
        ...(contract !== null && { created: contract }),
        ...(writes > 0 && { writes }),
      },
    });
  }

  #action({ transaction, agent, results }: ActionFacts, events: Run['events'], ms: number): void {
    const { payload } = transaction;
    const account = this.#writer.account(transaction.account);
    const by = agent === null ? null : this.#writer.account(agent);
    // Before the line gets its number: what it names has to be introduced.
    const action = this.#flowAction(payload, { events, results });
    this.#introduce(events);
    const itemOf = itemsByOrder(payload, results);
    const reader = this.#read(events, itemOf);
    const refusals =
      payload.type === 'batch' && results !== null
        ? results.map((result) => (result.ok ? null : String(result.error.data['kind'] ?? result.error.code)))
        : null;
    const items = payload.type === 'batch' ? payload.items : [];
    const isModify = (item: number | null): boolean => (item === null ? payload : items[item])?.type === 'modify';
    const outcome = { ...reader.outcome(refusals, isModify), ...(events.length === 0 && { silent: true as const }) };
    this.#writer.add({ kind: 'action', ms, account, ...(by !== null && { by }), action, outcome });
    if (action.type === 'other') this.#writer.lose(`actions of the type ${action.name}`);
    this.#loseOf(events);
  }

  #flowAction(
    payload: ActionPayload,
    { events, results }: Pick<ActionFacts, 'results'> & Pick<Run, 'events'>,
  ): FlowLineOf<'action'>['action'] {
    const context = (cancelled: number | null): ActionContext => ({
      orders: this.#orders,
      account: (address) => this.#writer.account(address),
      cancelled,
    });
    if (payload.type !== 'batch') {
      const cancel = events.find(({ kind }) => kind === 'order_cancelled');
      return flowAction(payload, context(cancel === undefined ? null : numberOf(cancel.data, 'order_id')));
    }
    const items = payload.items.map((item, index) => {
      const result = results?.[index];
      const cancelled = result?.ok === true && result.value.type === 'cancel' ? result.value.orderId : null;
      // What may not stand in a batch is refused there; a cancel of nothing stands for it.
      return isTrading(item) ? flowTradingAction(item, context(cancelled)) : noCancel;
    });
    return { type: 'batch', items };
  }

  #contract(run: Run & { readonly cause: Run['cause'] }, ms: number): void {
    const owner = run.events
      .map(({ data }) => data['owner'] ?? data['account'] ?? data['address'])
      .find((one) => typeof one === 'string');
    const account = this.#writer.account(String(owner ?? ''));
    this.#introduce(run.events);
    const reader = this.#read(run.events, null);
    const [order] = reader.orders;
    const action = order === undefined ? null : ({ type: 'order', ...order } as const);
    const did = kindsOf(run);
    this.#writer.add({ kind: 'contract', ms, account, action, did, outcome: reader.outcome(null, () => false) });
    this.#loseOf(run.events);
  }

  #network(run: Run, ms: number): void {
    this.#introduce(run.events);
    const outcome = this.#read(run.events, null).outcome(null, () => false);
    this.#writer.add({ kind: 'network', ms, did: kindsOf(run), outcome });
    this.#loseOf(run.events);
  }

  #introduce(events: Run['events']): void {
    for (const name of accountsOf(events)) this.#writer.account(name);
  }

  #read(events: Run['events'], itemOf: ReadonlyMap<number, number> | null): OutcomeReader {
    const line = this.#writer.nextLine;
    const refOf = (id: number): OrderRef => orderRefOf(line, itemOf?.get(id));
    return new OutcomeReader({
      events,
      line,
      orders: this.#orders,
      account: (address) => this.#writer.account(address),
      refOf,
      itemOf: (id) => itemOf?.get(id) ?? null,
    });
  }

  #loseOf(events: Run['events']): void {
    for (const { kind } of events)
      if (kind === 'deleveraged' || kind === 'bad_debt' || kind === 'funding_paid') this.#writer.lose(`events ${kind}`);
  }
}

const noCancel = { type: 'cancel', order: null, market: null } as const;

const kindsOf = ({ events }: Pick<Run, 'events'>): string[] => [...new Set(events.map(({ kind }) => kind))];

/** Which item of a batch placed which order; null for what is no batch. */
function itemsByOrder(
  payload: ActionPayload,
  results: readonly ActionResult[] | null,
): ReadonlyMap<number, number> | null {
  if (payload.type !== 'batch' || results === null) return null;
  return new Map(
    results.flatMap((result, item) =>
      result.ok && result.value.type === 'order' ? [[result.value.orderId as number, item]] : [],
    ),
  );
}

/** Events of one cause that stand together. */
interface Run {
  readonly cause: Cause;
  readonly events: readonly EventFacts[];
  /** Whether the cause had a run before: a cancel of a batch that waited for its order. */
  readonly isLater: boolean;
}

const keyOf = (cause: Cause): string =>
  cause.of === 'action' ? cause.hash : cause.of === 'contract' ? `ticket ${cause.ticket}` : 'block';

/** Splits the events of a block by what caused them: the order of the runs is the order of execution. */
function runsOf(events: readonly EventFacts[]): Run[] {
  const runs: { cause: Cause; events: EventFacts[]; isLater: boolean }[] = [];
  const seen = new Set<string>();
  let current = '';
  for (const event of events) {
    const key = keyOf(event.cause);
    if (key !== current)
      runs.push({ cause: event.cause, events: [], isLater: event.cause.of !== 'block' && seen.has(key) });
    current = key;
    seen.add(key);
    runs.at(-1)!.events.push(event);
  }
  return runs;
}
