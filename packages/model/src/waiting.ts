import type { ActionPayload, ContractAction } from '@prime/codec';
import { type ModelOrder, ordersThat } from './state.ts';
import { endTrigger, type TriggerHost } from './triggers.ts';

/** A cancel by client id that found no order, and whom its later answer is for. */
interface Waiting {
  readonly account: string;
  readonly clientId: string;
  /** null: of any market. */
  readonly market: number | null;
  /** Nobody hears of a refusal any more: an item of a batch. */
  readonly isItem: boolean;
  /** Of a contract's write. */
  readonly ticket: number | undefined;
  readonly tell: (result: unknown) => void;
}

type WaitingHost = TriggerHost;
type Named = Pick<ModelOrder, 'owner'> & { readonly fields: { readonly clientId: string | null } };

/** An action, or a contract's write. */
interface Done {
  readonly account: string;
  readonly payload: ActionPayload | ContractAction['payload'];
  readonly ticket?: number;
}

/** Whether a batch only takes orders out. */
const cancelsOnly = (items: readonly ActionPayload[]): boolean => items.every(({ type }) => type.startsWith('cancel'));

/** Cancels by client id of a block that wait for their order. */
export class ModelWaiting {
  #waiting: Waiting[] = [];
  readonly #host: WaitingHost;

  constructor(host: WaitingHost) {
    this.#host = host;
  }

  /** What an answer leads to. @param tell takes the last one, when it is another */
  after(done: Done, result: unknown, tell: (result: unknown) => void): void {
    const waits = this.#add(done, result, tell);
    if (typeof result === 'string' && !waits) this.#host.events.push('rejected');
    this.#carryOut(done);
  }

  /** Whether an answer is not the last one. */
  #add({ account, payload, ticket }: Done, result: unknown, tell: (result: unknown) => void, isItem = false): boolean {
    if (payload.type === 'batch' && cancelsOnly(payload.items)) {
      const { results } = (typeof result === 'object' ? result : { results: [] }) as { readonly results: unknown[] };
      results.forEach((each, at) => {
        this.#add({ account, payload: payload.items[at]! }, each, (later) => void (results[at] = later), true);
      });
    }
    if (payload.type !== 'cancelByClientId' || result !== 'CLOB_UNKNOWN_CLIENT_ID') return false;
    const market = 'marketId' in payload ? payload.marketId : null;
    this.#waiting.push({ account, clientId: payload.clientId, market, isItem, ticket, tell });
    return true;
  }

  /** Carries out what waited for the orders that an action brought. */
  #carryOut({ account, payload, ticket }: Done): void {
    for (const item of payload.type === 'batch' ? payload.items : [payload]) {
      if (item.type !== 'order' && item.type !== 'trigger' && item.type !== 'bracket') continue;
      const { clientId } = item;
      if (clientId === null || this.#waiting.length === 0) continue;
      const isNamed = ({ owner, fields }: Named): boolean => owner === account && fields.clientId === clientId;
      const [resting] = ordersThat(this.#host.state, isNamed);
      const trigger = [...this.#host.state.triggers.values()].find(isNamed);
      const order = resting ?? (trigger === undefined ? undefined : { market: trigger.fields.marketId });
      const found = this.#waiting.find(
        (one) =>
          order !== undefined &&
          one.account === account &&
          one.clientId === clientId &&
          (one.market === null || one.market === order.market) &&
          (one.ticket === undefined || one.ticket > (ticket ?? Number.POSITIVE_INFINITY)),
      );
      if (order === undefined || found === undefined) continue;
      this.#waiting = this.#waiting.filter((one) => one !== found);
      found.tell(resting === undefined ? endTrigger(this.#host, trigger!, 'user') : this.#host.cancel(resting, 'user'));
    }
  }

  /** Refuses the rest. */
  end(): void {
    for (const { isItem } of this.#waiting) if (!isItem) this.#host.events.push('rejected');
    this.#waiting = [];
  }
}
