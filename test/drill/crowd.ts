import { accountMargin, type Holdings, type MarginMarket, unrealized, unsettledFunding } from '@prime/clob';
import {
  type ActionPayload,
  decodeGlobalRecord,
  encodeGlobalRecord,
  type GenesisMarket,
  globalRecordKey,
  type OrderFields,
} from '@prime/codec';
import type { OracleSet } from '@prime/clob';
import { type Address, bigintMax, compareBytes, type MarketId, type TimestampMs } from '@prime/primitives';
import { addressOf, Arena, type DrillGenesis, type Move, type Stage } from './arena.ts';

/**
 * Those whom an adversary meets: makers in a thin market, longs and shorts with leverage, careful ones, others in another market, and somebody who only
 * wants his money back. The price outside stands still, so that whatever somebody wins was no bet on it.
 */

/** How much there is of everything. Amounts are in wei. */
export interface CrowdOptions {
  readonly genesis: DrillGenesis;
  /** What the adversary has; the sizes of all others are parts of it. */
  readonly capital: bigint;
  /** In the insurance fund before the attack. */
  readonly fund: bigint;
  /** Places in the list of genesis: the market that is attacked, and another one, which may be the same. A new one that nobody trades in is added to them. */
  readonly markets: readonly [attacked: number, other: number];
}

/** Ticks of the price outside: enough for a basis point to be two of them. */
const outsideTicks = 20_000n;

const maker = [addressOf(0xa1), addressOf(0xa2)] as const;
const [long, short] = [addressOf(0xb1), addressOf(0xb2)] as const;
const [boldLong, boldShort] = [addressOf(0xb3), addressOf(0xb4)] as const;
const [carefulLong, carefulShort] = [addressOf(0xc1), addressOf(0xc2)] as const;
const [farLong, farShort] = [addressOf(0xd1), addressOf(0xd2)] as const;
const idle = addressOf(0xe1);
const keeper = addressOf(0xf1);

/** Who holds a position before the attack, by name. */
export const holders: readonly (readonly [name: string, address: Address])[] = [
  ['a long with leverage 5', long],
  ['a short with leverage 5', short],
  ['a long with leverage 9', boldLong],
  ['a short with leverage 9', boldShort],
  ['a long with leverage 0.5', carefulLong],
  ['a short with leverage 0.5', carefulShort],
  ['a long in the other market', farLong],
  ['a short in the other market', farShort],
];

/** Everybody but the adversary. */
export const honest: readonly Address[] = [...holders.map(([, address]) => address), ...maker, idle];

const levels = [10, 40, 80, 150] as const;
const reportEveryMs = 1000;
const refreshEveryMs = 1000;
const bpsBase = 10_000n;

const validators = [0x71, 0x72, 0x73, 0x74].map(addressOf);
const reporterKeys = [0x81, 0x82, 0x83, 0x84].map(addressOf);

/** Four validators, all of them honest: what faulty ones can do is what O1 of the design bounds. */
const oracleSet: OracleSet = {
  precisionMs: 500,
  reporters: validators.map((validator, index) => ({ validator, keys: [reporterKeys[index]!], power: 1000n })),
};

/** Blocks until makers quote anew. */
export const refreshBlocks = ({ blockMs }: DrillGenesis): number => Math.max(1, Math.round(refreshEveryMs / blockMs));

/** The others, and what they do in each block. */
export class Crowd {
  readonly options: CrowdOptions;
  readonly #hasOracle: boolean;

  constructor(options: CrowdOptions) {
    this.options = options;
    const { clob, markets } = options.genesis;
    this.#hasOracle = clob.oracle !== undefined && markets.some(({ oracle }) => oracle === true);
  }

  /** Who reports prices; null where nobody does. */
  get oracle(): OracleSet | null {
    return this.options.genesis.clob.oracle === undefined ? null : oracleSet;
  }

  /** Id of the attacked market (0), of the other one (1), or of the new one (2). */
  marketId(which: number): MarketId {
    const { markets, genesis } = this.options;
    return ((markets[which] ?? genesis.markets.length) + 1) as MarketId;
  }

  /** A market that comes after genesis: as the attacked one, without an oracle, and nobody has traded in it. */
  get newMarket(): Pick<GenesisMarket, 'symbol' | 'tickSize' | 'lotSize' | 'baseDecimals' | 'quoteDecimals'> {
    const { tickSize, lotSize, baseDecimals, quoteDecimals } = this.#grid(this.marketId(0));
    return { symbol: 'DRILL/NEW', tickSize, lotSize, baseDecimals, quoteDecimals };
  }

  #grid(marketId: number): GenesisMarket {
    return this.options.genesis.markets[marketId - 1] ?? this.options.genesis.markets[this.options.markets[0]]!;
  }

  /** Price outside, wei for one base unit. */
  outside(marketId: number): bigint {
    return this.#grid(marketId).tickSize * outsideTicks;
  }

  /** Base units of so many wei at the price outside; one lot at least. */
  sizeOf(marketId: number, wei: bigint): bigint {
    const { lotSize } = this.#grid(marketId);
    return bigintMax(1n, wei / this.outside(marketId) / lotSize) * lotSize;
  }

  /** A price so many basis points from the one outside, on the grid and above 0. */
  priceAt(marketId: number, bps: number): bigint {
    const { tickSize } = this.#grid(marketId);
    return bigintMax(1n, (outsideTicks * (bpsBase + BigInt(bps))) / bpsBase) * tickSize;
  }

  /** What an account is worth at the prices outside, wei. */
  worth(arena: Arena, address: Address): bigint {
    const account = arena.state.accountOf.get(address);
    if (account === undefined) return 0n;
    let worth = account.collateral;
    for (const exposure of account.exposures) {
      const { marketId, size, entry } = exposure;
      if (size === 0n) continue;
      worth += unrealized(size, entry, this.outside(marketId));
      worth += unsettledFunding(exposure, arena.state.marginMarket(marketId).fundingIndex);
    }
    return worth;
  }

  /** Whether an account could not be liquidated if marks were the prices outside. */
  isSolvent(arena: Arena, account: Holdings): boolean {
    const marketOf = (id: number): MarginMarket => ({
      ...arena.state.marginMarket(id),
      price: this.outside(id),
      liquidates: true,
    });
    return !accountMargin(account, marketOf).isLiquidatable;
  }

  /** An order that counts from the price outside. */
  order(
    which: number,
    side: OrderFields['side'],
    bps: number,
    wei: bigint,
    more: Partial<OrderFields> = {},
  ): ActionPayload {
    const marketId = this.marketId(which);
    return {
      type: 'order',
      marketId,
      side,
      price: this.priceAt(marketId, bps),
      size: this.sizeOf(marketId, wei),
      tif: 'gtc',
      postOnly: false,
      reduceOnly: false,
      selfTrade: 'cancel_maker',
      clientId: null,
      expiresAt: 0,
      ...more,
    };
  }

  /** What all of them do in the next block. The last move is the withdrawal of who wants his money back. @param block number since the attack began */
  moves(arena: Arena, block: number): Move[] {
    const quotes = block % refreshBlocks(this.options.genesis) === 0 ? this.#quotes(arena) : [];
    const out: Move = { account: idle, payload: { type: 'withdraw', amount: 1n, to: idle } };
    return [...this.reports(arena), ...quotes, ...this.#liquidations(arena), out];
  }

  /** What validators say of the world outside, once a second. */
  reports(arena: Arena): Move[] {
    const now = arena.nextMs;
    const { blockMs, markets } = this.options.genesis;
    if (!this.#hasOracle || Math.floor(now / reportEveryMs) === Math.floor((now - blockMs) / reportEveryMs)) return [];
    const prices = markets.flatMap(({ oracle }, index) =>
      oracle === true ? [{ marketId: (index + 1) as MarketId, price: this.outside(index + 1) }] : [],
    );
    return validators.map((account, index) => ({
      account,
      signer: reporterKeys[index]!,
      payload: { type: 'oracleReport', observedAtMs: now as TimestampMs, prices },
    }));
  }

  /** Where no block liquidates by itself, somebody does it who looks at every block. */
  #liquidations({ state, genesis }: Arena): Move[] {
    if (genesis.clob.autoLiquidatePerBlock > 0) return [];
    return state.accounts
      .filter((account) => accountMargin(account, state.marginMarket).isLiquidatable)
      .map(({ address }) => ({ account: keeper, payload: { type: 'liquidate', address } }));
  }

  /** Each maker quotes four prices on each side, as long as it does not hold too much already. */
  #quotes(arena: Arena): Move[] {
    const { capital, markets } = this.options;
    const each = capital / 32n;
    const most = capital / 2n;
    return (markets[0] === markets[1] ? [0] : [0, 1]).flatMap((which) =>
      maker.flatMap((account): Move[] => {
        const marketId = this.marketId(which);
        const held = arena.state.accountOf.get(account)?.exposures.find((exposure) => exposure.marketId === marketId);
        const notional = (held?.size ?? 0n) * this.outside(marketId);
        const sides = (['buy', 'sell'] as const).filter((side) =>
          side === 'buy' ? notional < most : -notional < most,
        );
        const orders = sides.flatMap((side) =>
          levels.map((bps) => this.order(which, side, side === 'buy' ? -bps : bps, each)),
        );
        return [
          { account, payload: { type: 'cancelAll', marketId } },
          ...orders.map((payload) => ({ account, payload })),
        ];
      }),
    );
  }
}

const isGlobalKey = (key: Uint8Array): boolean => compareBytes(key, globalRecordKey()) === 0;

/**
 * The state before an attack: everybody has deposited, positions are open, markets have traded as often as liquidations ask for, and the insurance fund holds
 * something. The fund's wei are in the records that the stage begins with, as if liquidations of long ago had left them.
 *
 * @throws Error when somebody's order was refused, because such a drill would prove nothing
 */
export function stageOf(crowd: Crowd): Stage {
  const { genesis, capital, fund } = crowd.options;
  const arena = new Arena(genesis, crowd.oracle, null);
  const fifth = capital / 5n;
  const deposits: readonly (readonly [Address, bigint])[] = [
    [long, fifth],
    [short, fifth],
    [boldLong, capital / 20n],
    [boldShort, capital / 20n],
    [carefulLong, capital],
    [carefulShort, capital],
    [farLong, fifth],
    [farShort, fifth],
    [maker[0], 10n * capital],
    [maker[1], 10n * capital],
    [idle, fifth],
  ];
  const run = (moves: readonly Move[]): void => {
    const all = [...crowd.reports(arena), ...moves];
    const { results } = arena.block(all);
    for (const [index, result] of results.entries())
      if (!result.ok) throw new Error(`the stage: ${all[index]!.payload.type} was refused: ${result.error.message}`);
  };
  run(deposits.map(([account, amount]) => ({ account, payload: { type: 'deposit', amount } })));
  run([{ account: genesis.clob.admin ?? keeper, payload: { type: 'addMarket', ...crowd.newMarket } }]);
  // The first reports are taken, and the block after them has an index.
  for (let blocks = 2 * refreshBlocks(genesis) + 2; blocks > 0; blocks--) run([]);
  const pairs = [
    [0, long, short, capital],
    [0, boldLong, boldShort, (capital * 9n) / 20n],
    [0, carefulLong, carefulShort, capital / 2n],
    [1, farLong, farShort, (fifth * 3n) as bigint],
  ] as const;
  const trade = (which: number, buyer: Address, seller: Address, wei: bigint): Move[] => [
    { account: buyer, payload: crowd.order(which, 'buy', 0, wei) },
    { account: seller, payload: crowd.order(which, 'sell', 0, wei, { tif: 'ioc' }) },
  ];
  for (const [which, buyer, seller, wei] of pairs) run(trade(which, buyer, seller, wei));
  const small = capital / 1000n;
  for (let trades = genesis.clob.mark.minTrades; trades > 0; trades--)
    run([...trade(0, carefulLong, carefulShort, small), ...trade(1, carefulLong, carefulShort, small)]);
  const changed = (key: Uint8Array, value: Uint8Array): Uint8Array => {
    if (!isGlobalKey(key)) return value;
    const globals = decodeGlobalRecord(value);
    const { insurance, totalDeposits } = globals;
    return encodeGlobalRecord({ ...globals, insurance: insurance + fund, totalDeposits: totalDeposits + fund });
  };
  return arena.stage(changed);
}
