import {
  type ActionPayload,
  type Change,
  changeValueText,
  type ClobParams,
  isQuorum,
  proposalHash,
} from '@prime/codec';
import { type Address, compareStrings, type Height } from '@prime/primitives';
import type { ModelReporters } from '../oracle.ts';
import type { ModelAction, ModelMarket, ModelProposal, ModelState } from '../state.ts';
import type { Undo } from '../undo.ts';

interface GovernanceHost {
  readonly state: ModelState;
  readonly undo: Undo;
  readonly events: string[];
  readonly params: ClobParams;
  readonly height: number;
  readonly seconds: number;
}

type Payload<Type> = Extract<ActionPayload, { type: Type }>;
type Market = ModelMarket;

const isBps = (value: number): boolean => value >= 0 && value <= 10_000;
const isMargin = (of: { initialMarginBps: number; maintenanceMarginBps: number }): boolean =>
  of.maintenanceMarginBps >= 1 && of.maintenanceMarginBps <= of.initialMarginBps && of.initialMarginBps <= 10_000;

/** Whether tiers ascend above a rate, and never ask for less than what is below them. */
function areTiers(tiers: ClobParams['riskTiers'], initialMarginBps: number, maintenanceMarginBps: number): boolean {
  const all = [{ aboveNotional: 0n, initialMarginBps, maintenanceMarginBps }, ...(tiers ?? [])];
  return all.every((tier, index) => {
    const below = all[index - 1];
    if (below === undefined) return true;
    const grows = tier.aboveNotional > below.aboveNotional && tier.initialMarginBps >= below.initialMarginBps;
    return grows && tier.maintenanceMarginBps >= below.maintenanceMarginBps && isMargin(tier);
  });
}

/** The rules of changes, taken from docs/protocol/clob.md line by line. */
export class ModelGovernance {
  readonly #host: GovernanceHost;
  #validators: ModelReporters['reporters'] = [];

  constructor(host: GovernanceHost) {
    this.#host = host;
  }

  /** The first thing of a block. */
  begin({ reporters }: ModelReporters): void {
    const { state, height, events } = this.#host;
    this.#validators = reporters;
    const turns = Object.entries(state.proposals).sort(
      ([a, first], [b, second]) => first.activation - second.activation || compareStrings(a, b),
    );
    for (const [hash, proposal] of turns) {
      if (proposal.passed ? height < proposal.activation : height < proposal.expiry) continue;
      this.#put(hash, null);
      if (!proposal.passed) {
        events.push(`proposal over ${hash}`);
        continue;
      }
      const refused = this.#refused(proposal.change, true);
      if (refused === null) this.#make(proposal.change, hash);
      else events.push(`proposal over ${hash}`);
    }
  }

  /** Parameters, and who sets them; null for all other actions. */
  run({ account, payload, signatureKind }: ModelAction): unknown {
    const signed = signatureKind === 'raw';
    switch (payload.type) {
      case 'change':
        return this.#change(account, signed, payload);
      case 'propose':
        return this.#propose(account, signed, payload);
      case 'vote':
        return this.#vote(account, signed, payload);
      case 'setMargin':
      case 'addMarket': {
        const { admin } = this.#host.params;
        return admin === null || (signed && account === admin) ? null : 'CLOB_UNAUTHORIZED';
      }
      default:
        return null;
    }
  }

  /** A change by who may be the admin. */
  #change(account: Address, signed: boolean, { change, atHeight }: Payload<'change'>): unknown {
    const { params, height } = this.#host;
    if (params.admin === null || !signed || account !== params.admin) return 'CLOB_UNAUTHORIZED';
    if (atHeight === 0) {
      const refused = this.#refused(change, true);
      if (refused !== null) return refused;
      this.#make(change, null);
      return { type: 'done' };
    }
    if (atHeight <= height || atHeight > height + 10_000_000) return 'CLOB_BAD_PROPOSAL';
    return this.#open(account, { change, activation: atHeight, expiry: atHeight, passed: true });
  }

  #propose(account: Address, signed: boolean, { change, activationHeight, expiryHeight }: Payload<'propose'>): unknown {
    const { state, height } = this.#host;
    if (!signed) return 'CLOB_UNAUTHORIZED';
    if (!this.#validators.some(({ validator }) => validator === account)) return 'CLOB_NOT_A_VALIDATOR';
    if (activationHeight < height + 10 || activationHeight > height + 10_000_000) return 'CLOB_BAD_PROPOSAL';
    if (expiryHeight <= height || expiryHeight > activationHeight) return 'CLOB_BAD_PROPOSAL';
    const own = Object.values(state.proposals).filter(({ proposer }) => proposer === account).length;
    if (own >= Math.max(1, Math.floor(64 / this.#validators.length))) return 'CLOB_TOO_MANY_PROPOSALS';
    return this.#open(account, { change, activation: activationHeight, expiry: expiryHeight, passed: false });
  }

  #vote(account: Address, signed: boolean, { proposal: hash, yes }: Payload<'vote'>): unknown {
    const { state, events } = this.#host;
    if (!signed) return 'CLOB_UNAUTHORIZED';
    if (!this.#validators.some(({ validator }) => validator === account)) return 'CLOB_NOT_A_VALIDATOR';
    const proposal = state.proposals[hash];
    if (proposal === undefined) return 'CLOB_UNKNOWN_PROPOSAL';
    if (proposal.passed) return 'CLOB_BAD_PROPOSAL';
    const votes = { ...proposal.votes, [account]: yes };
    const all = this.#validators.reduce((sum, { power }) => sum + power, 0n);
    const saidYes = this.#validators.filter(({ validator }) => votes[validator] === true);
    const power = saidYes.reduce((sum, each) => sum + each.power, 0n);
    const passed = isQuorum(power, all);
    this.#put(hash, { ...proposal, votes, passed });
    events.push(`voted ${hash} ${account} ${yes} ${power} ${all}`);
    if (passed) events.push(`passed ${hash} ${proposal.activation}`);
    return { type: 'done' };
  }

  #open(proposer: Address, proposed: Omit<ModelProposal, 'proposer' | 'votes'>): unknown {
    const { state, events } = this.#host;
    if (Object.keys(state.proposals).length >= 64) return 'CLOB_TOO_MANY_PROPOSALS';
    const { change, activation, expiry, passed } = proposed;
    const refused = this.#refused(change, false);
    if (refused !== null) return refused;
    const hash = proposalHash(proposer, {
      change,
      activationHeight: activation as Height,
      expiryHeight: expiry as Height,
    });
    if (state.proposals[hash] !== undefined) return 'CLOB_BAD_PROPOSAL';
    this.#put(hash, { ...proposed, proposer, votes: {} });
    events.push(`proposed ${hash} ${proposer} ${change.parameter} ${activation} ${expiry}`);
    if (passed) events.push(`passed ${hash} ${activation}`);
    return { type: 'done' };
  }

  #put(hash: string, proposal: ModelProposal | null): void {
    const { state, undo } = this.#host;
    const others = Object.entries(state.proposals).filter(([other]) => other !== hash);
    undo.set(state, 'proposals', Object.fromEntries(proposal === null ? others : [...others, [hash, proposal]]));
  }

  /** Why a change can not be made, by its code. */
  #refused(change: Change, now: boolean): string | null {
    const { state, params } = this.#host;
    const bad = (isGood: boolean): string | null => (isGood ? null : 'CLOB_BAD_CHANGE');
    if (change.marketId === null) {
      if (change.parameter === 'status') return 'CLOB_BAD_CHANGE';
      return bad(this.#isGood(change, params, { im: state.im, mm: state.mm }));
    }
    if (!['status', 'margin', 'riskTiers', 'limits'].includes(change.parameter)) return 'CLOB_BAD_CHANGE';
    const market = state.markets[change.marketId - 1];
    if (market === undefined) return 'CLOB_UNKNOWN_MARKET';
    if (market.status === 'settling') return 'CLOB_MARKET_SETTLING';
    if (market.status === 'delisted') return 'CLOB_MARKET_DELISTED';
    if (change.parameter === 'status') return bad(this.#isStatus(market, change.value, now));
    return bad(this.#isGood(change, params, { im: market.im ?? state.im, mm: market.mm ?? state.mm }));
  }

  #isStatus({ oracle }: Market, { status, price }: { status: string; price: bigint | null }, now: boolean): boolean {
    if (status === 'delisted') return false;
    if (status !== 'settling') return price === null;
    if (price !== null) return price >= 1n && price < 2n ** 127n;
    return oracle !== null && (!now || oracle.index !== null);
  }

  /** @param base margin of what the change is of */
  #isGood(change: Change, params: ClobParams, base: { readonly im: number; readonly mm: number }): boolean {
    switch (change.parameter) {
      case 'margin':
        return isMargin(change.value);
      case 'riskTiers':
        return areTiers(change.value, base.im, base.mm);
      case 'limits':
        return isBps(change.value.priceBandBps);
      case 'fees': {
        if (change.value === null) return true;
        const { takerPpm, makerPpm, treasury, treasuryShareBps } = change.value;
        const isRate = takerPpm <= 100_000 && makerPpm <= 100_000 && makerPpm >= -100_000 && takerPpm + makerPpm >= 0;
        const pays = treasury !== null || treasuryShareBps === 0;
        return isRate && pays && isBps(treasuryShareBps) && treasury !== `0x${'0100'.padStart(40, '0')}`;
      }
      case 'funding':
        return change.value === null || (change.value.maxRateBps >= 1 && isBps(change.value.maxRateBps));
      case 'mark':
        return isBps(change.value.maxMoveBps);
      case 'oracle': {
        const { maxMoveBps, eventBps, premiumMaxBps } = change.value;
        return params.oracle !== undefined && [maxMoveBps, eventBps, premiumMaxBps].every(isBps);
      }
      case 'liquidationFeeBps':
        return isBps(change.value);
      case 'insuranceSlippageBps':
        return isBps(change.value ?? 0);
      case 'maxOpenOrders':
        return change.value >= 1;
      default:
        return true;
    }
  }

  #make(change: Change, proposal: string | null): void {
    const { state, undo, events } = this.#host;
    events.push(`changed ${change.marketId} ${change.parameter} ${changeValueText(change)} ${proposal}`);
    const market = change.marketId === null ? null : state.markets[change.marketId - 1]!;
    if (change.parameter === 'margin') {
      const target: { readonly im: number | null; readonly mm: number | null } = market ?? state;
      undo.set(target, 'im', change.value.initialMarginBps);
      undo.set(target, 'mm', change.value.maintenanceMarginBps);
    } else if (market !== null) {
      if (change.parameter === 'riskTiers') undo.set(market, 'tiers', change.value);
      if (change.parameter === 'limits') undo.set(market, 'limits', change.value);
      if (change.parameter === 'status') this.#setStatus(market, change.marketId!, change.value);
    } else {
      const isNone = change.value === null || (Array.isArray(change.value) && change.value.length === 0);
      const gone = isNone && change.parameter !== 'admin';
      undo.set(state, 'params', { ...state.params, [change.parameter]: gone ? undefined : change.value } as ClobParams);
      if (change.parameter === 'funding') this.#restartFunding();
    }
  }

  #setStatus(market: Market, id: number, { status, price }: { status: Market['status']; price: bigint | null }): void {
    const { undo, events } = this.#host;
    if (status === market.status) return;
    undo.set(market, 'status', status);
    if (status === 'settling') undo.set(market, 'mark', price ?? market.oracle!.index);
    events.push(`status ${id} ${status} ${status === 'settling' ? market.mark : null}`);
  }

  #restartFunding(): void {
    const { state, undo, params, seconds } = this.#host;
    if (params.funding !== undefined) undo.set(state, 'interval', Math.floor(seconds / params.funding.intervalSeconds));
    for (const market of state.markets)
      for (const name of ['weighted', 'weight', 'indexMs', 'premiumMs'] as const) undo.set(market, name, 0n);
  }
}
