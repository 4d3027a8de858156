import { agentPermission, defaultMarketDecimals } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import type { Address } from '@prime/primitives';
import { createdBy } from '../../scenario/contracts/contracts.ts';
import type { Account } from '../../scenario/keyring.ts';
import type { NetworkFacts, Operation, Plan, SetupStep } from '../../scenario/operation.ts';
import type { FlowHeader, FlowLine, FlowLineOf } from '../flow/flow.ts';
import { type Intent, intentsOf } from './intents.ts';
import { type AccountNeeds, Needs } from './needs.ts';
import { parseFlow } from '../flow/parseFlow.ts';
import { ReplayAddresses } from './replayContracts.ts';
import { ReplayIds } from './replayIds.ts';
import { draftOf, type OrderName, type PayloadContext } from './replayPayloads.ts';
import { maxFeePerGas, replayAccount, ReplaySigner } from './replaySigner.ts';

/** The network that a flow is sent to, and how closely its times and its order are kept. */
export interface ReplayOptions {
  readonly facts: NetworkFacts;
  /** From which keys and client ids follow; another one for each replay on a network. */
  readonly secret: string;
  /** How many times faster than the flow operations are due; null: as fast as consensus takes them. */
  readonly speed: number | null;
  /**
   * Whether the order of the flow is the order in which the target carries it out, so that fills are the same. Then one agent signs for all accounts, since
   * actions of one signer are carried out by their nonces, and cancels are sent so that they do not run before the other actions of their block. Else each
   * account signs for itself, as its owner did, and what comes first is up to the network.
   */
  readonly keepsOrder: boolean;
  /**
   * Trades in markets that the setup adds, and not in those of the target with the same symbol and grid: nobody else's orders are there, and none of an
   * earlier replay. A network with an administrator does not let it.
   */
  readonly ownMarkets: boolean;
}

/** One operation of a replay. */
export interface ReplayStep {
  /** Of the flow. */
  readonly line: number;
  /** ms since the begin of the replay; 0 without a speed. */
  readonly dueMs: number;
  /** Orders whose ids the target has to be asked for: everything before has to be committed first. Empty for nearly all. */
  readonly names: readonly OrderName[];
  /** @param ids of {@link names}; null where the target knows no such order. @returns what is to be sent, in this order */
  sign(ids: readonly (number | null)[]): readonly Operation[];
}

/** A flow made ready for one network: what has to be set up, and then its steps. */
export interface Replay {
  readonly header: FlowHeader;
  /** Accounts are those of the flow by index, and the agent behind them. */
  readonly plan: Plan;
  /** Ids on the target, by those of the flow. */
  readonly markets: ReadonlyMap<number, number>;
  /** What is not sent, with how often; whole once the steps were read. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Reads the flow once more. Nonces go on: to be read once. */
  steps(): AsyncGenerator<ReplayStep>;
}

/** Trade and cancel. */
const agentPermissions = agentPermission.trade | agentPermission.cancel;

/**
 * Makes a replay of a flow with fresh accounts on a target network. The flow is read twice: for what the accounts must have, and for what is sent.
 *
 * @param flow opens the flow: lines without their ends
 * @throws LoadError `LOAD_FLOW_FORMAT`, `LOAD_FLOW_LINE`, `LOAD_FLOW_CUT`
 */
export async function replayOf(flow: () => AsyncIterable<string>, options: ReplayOptions): Promise<Replay> {
  const provider = await cryptoProvider();
  const known = new Map<number | 'agent', Account>();
  const account = (name: number | 'agent'): Account => {
    const made = known.get(name) ?? replayAccount(provider, options.secret, name);
    known.set(name, made);
    return made;
  };
  const survey = await surveyOf(flow);
  const signer = new ReplaySigner(options.facts, provider);
  return new FlowReplay(flow, options, { account, signer, survey });
}

interface Survey {
  readonly header: FlowHeader;
  readonly needs: readonly AccountNeeds[];
  readonly operations: number;
  /** Markets in which something is sent. */
  readonly markets: ReadonlySet<number>;
}

async function surveyOf(flow: () => AsyncIterable<string>): Promise<Survey> {
  const needs = new Needs();
  const markets = new Set<number>();
  let header: FlowHeader | null = null;
  let operations = 0;
  for await (const line of parseFlow(flow())) {
    if (line.kind === 'flow') header = line;
    const { intents } = intentsOf(line);
    needs.add(line, intents);
    operations += intents.length;
    for (const market of intents.flatMap(marketsOf)) markets.add(market);
  }
  // A flow that could be read has one.
  return { header: header!, needs: needs.all(), operations, markets };
}

function marketsOf(intent: Intent): number[] {
  const items = intent.does === 'batch' ? intent.items : [intent];
  return items.flatMap((item) => (item.does === 'order' ? [item.order.market] : []));
}

interface ReplayParts {
  account(name: number | 'agent'): Account;
  readonly signer: ReplaySigner;
  readonly survey: Survey;
}

class FlowReplay implements Replay {
  readonly header: FlowHeader;
  readonly plan: Plan;
  readonly markets: ReadonlyMap<number, number>;
  readonly leftOut = new Map<string, number>();
  readonly #flow: () => AsyncIterable<string>;
  readonly #options: ReplayOptions;
  readonly #parts: ReplayParts;
  readonly #addresses: ReplayAddresses;
  readonly #context: PayloadContext;

  constructor(flow: () => AsyncIterable<string>, options: ReplayOptions, parts: ReplayParts) {
    this.#flow = flow;
    this.#options = options;
    this.#parts = parts;
    this.header = parts.survey.header;
    const address = (index: number): Address => parts.account(index).address;
    this.#addresses = new ReplayAddresses(address);
    const { markets, added } = this.#placeMarkets();
    this.markets = markets;
    this.#context = {
      ids: new ReplayIds(options.secret),
      address,
      market: (market) => markets.get(market) ?? market,
      keepsPlace: options.keepsOrder,
    };
    this.plan = this.#makePlan(added);
  }

  async *steps(): AsyncGenerator<ReplayStep> {
    const { speed } = this.#options;
    for await (const line of parseFlow(this.#flow())) {
      if (line.kind === 'account') this.#addresses.introduce(line);
      const { intents, leftOut } = intentsOf(line);
      this.#note(leftOut);
      const dueMs = speed === null || !('ms' in line) ? 0 : line.ms / speed;
      for (const intent of intents) {
        const step = this.#step(line, intent, dueMs);
        if (step !== null) yield step;
      }
    }
  }

  #step({ line }: FlowLine, intent: Intent, dueMs: number): ReplayStep | null {
    const { signer, account } = this.#parts;
    if (intent.does === 'transaction') {
      const operation = this.#transaction(intent.line);
      return operation === null ? null : { line, dueMs, names: [], sign: () => [operation] };
    }
    this.#addresses.signs(intent.account);
    const owner = account(intent.account);
    const isAgents = this.#options.keepsOrder && intent.does !== 'plain';
    const key = isAgents ? account('agent') : owner;
    const { names, count, payloads } = draftOf(intent, this.#context);
    const kind = intent.does === 'plain' ? intent.action.type : intent.does;
    // Now, although it may be signed later: steps behind it may be signed before it.
    const nonces = Array.from({ length: count }, () => signer.reserve(key));
    const sign = (ids: readonly (number | null)[]): Operation[] =>
      payloads((name) => ids[names.findIndex(({ clientId }) => clientId === name.clientId)] ?? null).map(
        (payload, index) => signer.action(kind, key, owner.address, payload, nonces[index]!),
      );
    if (names.length > 0) return { line, dueMs, names, sign };
    const operations = sign([]);
    return { line, dueMs, names, sign: () => operations };
  }

  #transaction({ account, to, value, data, gas, outcome }: FlowLineOf<'transaction'>): Operation | null {
    const { signer } = this.#parts;
    const sender = this.#parts.account(account);
    this.#addresses.signs(account);
    const receiver = to === null ? null : this.#addresses.receiver(to, data !== '0x');
    if (to !== null && receiver === null) {
      this.#note('calls of contracts that the flow does not create');
      return null;
    }
    if (to === null && outcome.created !== undefined)
      this.#addresses.create(outcome.created, createdBy(sender.address, signer.evmNonce(account)));
    const bytes = this.#addresses.translate(data, to === null);
    return signer.transaction(account, sender, { to: receiver, value: BigInt(value), data: bytes, gas: BigInt(gas) });
  }

  /** New markets come behind those that the target has. */
  #placeMarkets(): { readonly markets: Map<number, number>; readonly added: readonly FlowHeader['markets'][number][] } {
    const { facts, ownMarkets } = this.#options;
    const markets = new Map<number, number>();
    const added: FlowHeader['markets'] = [];
    for (const market of this.header.markets) {
      if (!this.#parts.survey.markets.has(market.market)) continue;
      const at = facts.markets.findIndex(
        ({ symbol, tickSize, lotSize }) =>
          !ownMarkets && symbol === market.symbol && `${tickSize}` === market.tick && `${lotSize}` === market.lot,
      );
      if (at < 0) added.push(market);
      markets.set(market.market, at < 0 ? facts.markets.length + added.length : at + 1);
    }
    return { markets, added };
  }

  #makePlan(added: readonly FlowHeader['markets'][number][]): Plan {
    const { account, survey } = this.#parts;
    const { facts, keepsOrder } = this.#options;
    const price = maxFeePerGas(facts);
    const accounts = survey.needs.map(({ collateral, wei, gas }, index) => ({
      address: account(index).address,
      wei: collateral + wei + gas * price,
    }));
    const agent = keepsOrder ? [{ address: account('agent').address, wei: 0n }] : [];
    return {
      accounts: [...accounts, ...agent],
      needsGas: survey.needs.some(({ gas }) => gas > 0n),
      tokens: [],
      markets: this.header.markets.map(({ symbol }) => symbol),
      setup: this.#setup(added),
      operations: survey.operations,
      kinds: [],
    };
  }

  #setup(added: readonly FlowHeader['markets'][number][]): SetupStep[] {
    const { account, signer, survey } = this.#parts;
    const taken = new Set(this.#options.facts.markets.map(({ symbol }) => symbol.toLowerCase()));
    const traders = survey.needs.flatMap(({ collateral }, index) => (collateral > 0n ? [{ index, collateral }] : []));
    const collateral = traders.map(({ index, collateral: amount }) =>
      signer.action('deposit', account(index), account(index).address, { type: 'deposit', amount }),
    );
    const first = traders[0];
    const markets =
      first === undefined
        ? []
        : added.map(({ symbol, tick, lot }, index) =>
            signer.action('addMarket', account(first.index), account(first.index).address, {
              type: 'addMarket',
              symbol: taken.has(symbol.toLowerCase()) ? freeSymbol(this.#options.secret, index) : symbol,
              tickSize: BigInt(tick),
              lotSize: BigInt(lot),
              ...defaultMarketDecimals,
            }),
          );
    const approvals = this.#options.keepsOrder
      ? traders.map(({ index }) =>
          signer.action('approveAgent', account(index), account(index).address, {
            type: 'approveAgent',
            agent: account('agent').address,
            expiry: 0,
            permissions: agentPermissions,
            name: 'replay',
          }),
        )
      : [];
    const steps = { collateral, markets, agents: approvals };
    return Object.entries(steps).flatMap(([name, operations]) =>
      operations.length === 0 ? [] : [{ name, operations }],
    );
  }

  #note(leftOut: string | null): void {
    if (leftOut !== null) this.leftOut.set(leftOut, (this.leftOut.get(leftOut) ?? 0) + 1);
  }
}

/** A symbol that nobody else has, for a market whose own one is taken on the target by another grid. */
const freeSymbol = (secret: string, index: number): string =>
  `R${new ReplayIds(secret).clientId('1').slice(2, 10)}.${index}/USD`;
