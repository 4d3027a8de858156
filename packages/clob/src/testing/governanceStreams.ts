import type { ActionPayload, Change, ClobParams } from '@prime/codec';
import type { Address, Hash, Height, MarketId, Prng } from '@prime/primitives';
import type { ClobState } from '../state/state.ts';
import { addressOf, type Step } from './harness.ts';
import { traders } from './streams.ts';

/** Changes by an admin and by votes: of every parameter, allowed ones and others, in time and too late. */

/** Who may change parameters at once. */
export const streamAdmin = addressOf(0xad);

/** What a stream of changes goes by. */
interface Governed {
  readonly state: ClobState;
  readonly timeMs: number;
  /** Part of the run that is over, from 0 to 1: markets are settled late, because nothing happens in them any more. */
  readonly progress: number;
  /** Who may propose and vote, and at times somebody who may not any more. */
  readonly owners: readonly Address[];
}

const pick = <T>(random: Prng, values: readonly T[]): T => values[random.below(values.length)]!;

/** Steps of a block that change parameters, propose changes or vote. */
export function randomGovernance(random: Prng, governed: Governed): Step[] {
  const { state, timeMs, owners } = governed;
  const steps: Step[] = [];
  const add = (account: Address, payload: ActionPayload): void => {
    const isSigned = !random.chance(1, 40);
    const nonce = timeMs + 200 + steps.length;
    steps.push(isSigned ? { account, payload, signatureKind: 'raw', nonce } : { account, payload });
  };
  const anyone = (usual: Address): Address => (random.chance(1, 15) ? pick(random, traders) : usual);
  if (random.chance(1, 3)) {
    const atHeight = random.chance(1, 3) ? state.height + random.below(5) : 0;
    add(anyone(state.params.admin ?? streamAdmin), {
      type: 'change',
      change: randomChange(random, governed),
      atHeight,
    });
  }
  if (random.chance(1, 5)) {
    const activationHeight = (state.height + 9 + random.below(12)) as Height;
    const expiryHeight = (random.chance(1, 8) ? state.height + random.below(40) : activationHeight - 4) as Height;
    const change = randomChange(random, governed);
    add(anyone(pick(random, owners)), { type: 'propose', change, activationHeight, expiryHeight });
  }
  for (const proposal of state.proposals.keys()) {
    if (random.chance(2, 3)) continue;
    add(anyone(pick(random, owners)), { type: 'vote', proposal, yes: !random.chance(1, 5) });
  }
  if (random.chance(1, 40))
    add(pick(random, owners), { type: 'vote', proposal: `0x${'07'.repeat(32)}` as Hash, yes: true });
  return steps;
}

function randomChange(random: Prng, { state, progress }: Governed): Change {
  const some = (1 + random.below(2)) as MarketId;
  const marketId = random.chance(1, 12) ? ((3 - random.below(3)) as MarketId) : some;
  if (random.chance(1, 4)) return randomStatus(random, marketId, progress);
  const own = random.chance(1, 2) ? marketId : null;
  const initialMarginBps = pick(random, [0, 200, 1000, 5000, 20_000]);
  const margin = { initialMarginBps, maintenanceMarginBps: initialMarginBps / 2 };
  const dice = random.below(8);
  if (dice === 0) return { parameter: 'margin', marketId: own, value: margin };
  if (dice === 1) {
    const tiers = [1, 3].map((part) => ({
      aboveNotional: BigInt(part * random.below(3000)),
      initialMarginBps: 1000 * part + random.below(500),
      maintenanceMarginBps: 500 * part,
    }));
    return { parameter: 'riskTiers', marketId: own, value: random.chance(1, 3) ? [] : tiers };
  }
  if (dice === 2) {
    const most = (bound: number): bigint => BigInt(random.chance(1, 2) ? 0 : bound + random.below(bound));
    const value = {
      openInterestMax: most(200),
      positionMax: most(90),
      priceBandBps: pick(random, [0, 800, 3000, 10_001]),
      orderNotionalMax: most(9000),
    };
    return { parameter: 'limits', marketId: own, value };
  }
  // Now and then of a market that has none of its own.
  return { ...randomOfAll(random, state.params), marketId: random.chance(1, 30) ? marketId : null } as Change;
}

function randomStatus(random: Prng, marketId: MarketId, progress: number): Change {
  const settles = progress > (marketId === 2 ? 0.85 : 0.6) && random.chance(2, 3);
  const status = settles
    ? 'settling'
    : pick(random, ['trading', 'trading', 'trading', 'post_only', 'cancel_only', 'halted', 'delisted'] as const);
  const price = random.chance(settles ? 9 : 1, settles ? 10 : 20) ? BigInt(random.below(200)) : null;
  return { parameter: 'status', marketId, value: { status, price } };
}

function randomOfAll(random: Prng, { oracle }: ClobParams): Omit<Change, 'marketId'> {
  const bps = pick(random, [0, 100, 300, 10_000, 10_001]);
  const fees = {
    takerPpm: random.below(8000),
    makerPpm: random.below(8000) - 5000,
    treasury: random.chance(1, 2) ? addressOf(0x7e) : null,
    treasuryShareBps: random.chance(1, 2) ? 2500 : 0,
  };
  const funding = {
    intervalSeconds: 1 + random.below(3),
    maxRateBps: bps,
    premiumIntervals: 1 + random.below(3),
    referenceWeight: 1 + random.below(256),
  };
  const mark = {
    impactNotional: BigInt(random.below(2) * 1500),
    emaWeight: random.below(3) * 100,
    maxMoveBps: pick(random, [0, 100, 400]),
    minTrades: random.below(3),
  };
  const usual = { reportMaxAgeMs: 5_000, staleMs: 4_000, maxMoveBps: bps, resumeAfterMs: 3_000 };
  const index = oracle ?? {
    ...usual,
    resumeMoveBps: 1000,
    resumeMs: 2_500,
    eventBps: 30,
    premiumMaxBps: 400,
    settlePerBlock: 1,
  };
  return pick(random, [
    { parameter: 'fees', value: random.chance(1, 3) ? null : fees },
    { parameter: 'funding', value: random.chance(1, 3) ? null : funding },
    { parameter: 'mark', value: mark },
    {
      parameter: 'oracle',
      value: { ...index, maxMoveBps: bps, premiumMaxBps: 200 + random.below(300), settlePerBlock: random.below(3) },
    },
    { parameter: 'liquidationFeeBps', value: bps },
    { parameter: 'insuranceSlippageBps', value: random.chance(1, 2) ? null : bps },
    { parameter: 'autoLiquidatePerBlock', value: random.below(3) },
    { parameter: 'maxOpenOrders', value: random.below(8) },
    { parameter: 'orderChangesPerBlock', value: random.chance(1, 2) ? null : 20 + random.below(20) },
    { parameter: 'subAccountsMax', value: random.chance(1, 4) ? null : 1 + random.below(4) },
    // The one who is not the admin gives it back.
    { parameter: 'admin', value: random.chance(1, 4) ? addressOf(0xae) : streamAdmin },
  ] as const);
}
