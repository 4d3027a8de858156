import { defaultMarketDecimals } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { addressWord, pool, token, trader } from './contracts/contracts.ts';
import { type Draft, ownAction } from './draft.ts';
import type { Group } from './groups.ts';
import type { Account } from './keyring.ts';
import type { Layout, Market } from './layout.ts';
import { poolOf, transaction } from './programs/evm.ts';
import { openPrice } from './programs/liquidations.ts';
import { orderOf } from './programs/trading.ts';
import type { DraftsOptions } from './operations.ts';

/** What has to be committed before a run begins, step by step. */
export interface SetupInput extends Pick<DraftsOptions, 'layout' | 'markets' | 'facts' | 'keyring'> {
  readonly groups: readonly Group[];
  /** Who adds markets. */
  readonly administrator: Account;
  /** Collateral of each account, wei. */
  readonly collateral: bigint;
}

/** Drafts that may run beside each other; the next step begins when all of them are in blocks. */
export interface DraftStep {
  readonly name: string;
  readonly drafts: readonly Draft[];
}

/** Tokens of each account: more than it will ever send. */
const tokenAmount = 10n ** 24n;
const poolAmount = 10n ** 25n;
const unlimited = 2n ** 256n - 1n;

/** @returns only steps in which there is something to do */
export function setupSteps(input: SetupInput): readonly DraftStep[] {
  const { layout, facts, administrator } = input;
  const known = new Set(facts.markets.map(({ symbol }) => symbol));
  const missing = layout.symbols.filter((symbol) => !known.has(symbol));
  const steps: DraftStep[] = [
    { name: 'collateral', drafts: collateralDrafts(input) },
    {
      name: 'markets',
      drafts: missing.map((symbol) =>
        ownAction('setup/market', administrator, {
          type: 'addMarket',
          symbol,
          tickSize: 1n,
          lotSize: 1n,
          ...defaultMarketDecimals,
        }),
      ),
    },
    // What an earlier run with this seed left in the books.
    { name: 'clear', drafts: clearDrafts(input) },
    ...contractSteps(input),
  ];
  return steps.filter(({ drafts }) => drafts.length > 0);
}

const wantsCollateral = ({ groups }: SetupInput): boolean => groups.some(({ funds }) => funds === 'collateral');
const accountsOf = ({ layout, keyring }: SetupInput): Account[] =>
  Array.from({ length: layout.accounts }, (_, index) => keyring.account(index));

const collateralDrafts = (input: SetupInput): Draft[] =>
  wantsCollateral(input)
    ? accountsOf(input).map((account) =>
        ownAction('setup/deposit', account, { type: 'deposit', amount: input.collateral }),
      )
    : [];

const clearDrafts = (input: SetupInput): Draft[] =>
  wantsCollateral(input) && input.layout.symbols.length > 0
    ? accountsOf(input).map((account) => ownAction('setup/clear', account, { type: 'cancelAll', marketId: null }))
    : [];

/** Room in a node's mempool for one sender is 1024 transactions. */
function contractSteps(input: SetupInput): readonly DraftStep[] {
  const { layout, facts } = input;
  const { tokens, pools, creations } = layout.contracts;
  if (creations.length === 0) return [];
  const deployer = layout.accounts;
  // The deployer's transactions are the same in every run of a seed, so its nonce says which are done.
  let done = facts.nonceOf(deployer);
  const byDeployer = (drafts: readonly Draft[]): Draft[] => {
    const skipped = Math.min(done, drafts.length);
    done -= skipped;
    return drafts.slice(skipped);
  };
  const everyone = Array.from({ length: layout.accounts }, (_, index) => index);
  const mint = (from: number, amount: bigint): Draft[] =>
    tokens.map((to) => transaction('setup/mint', { from, to, gas: 120_000n, data: token.mint(amount) }));
  const approve = (from: number, spender: Address): Draft[] => {
    const data = token.approve(addressWord(spender), unlimited);
    return tokens.map((to) => transaction('setup/approve', { from, to, gas: 80_000n, data }));
  };
  const liquidity = BigInt(pools.length) * poolAmount;
  return [
    { name: 'contracts', drafts: byDeployer(creationDrafts(deployer, creations)) },
    {
      name: 'tokens',
      drafts: [
        ...byDeployer(pools.length > 0 ? mint(deployer, liquidity) : []),
        ...everyone.flatMap((from) => mint(from, tokenAmount)),
      ],
    },
    {
      name: 'approvals',
      drafts: [
        ...byDeployer(pools.flatMap((spender) => approve(deployer, spender))),
        ...(pools.length > 0 ? everyone.flatMap((from) => approve(from, poolOf(pools, from))) : []),
      ],
    },
    {
      name: 'liquidity',
      drafts: byDeployer([
        ...pools.map((to) =>
          transaction('setup/liquidity', { from: deployer, to, gas: 250_000n, data: pool.add(poolAmount, poolAmount) }),
        ),
        ...traderDeposit(input, deployer),
      ]),
    },
  ];
}

/**
 * What a run leaves behind is put in order: books are emptied, and prices that shapes moved go back to where positions were opened, because while an account
 * has less than nothing nobody in the network may withdraw.
 */
export function closingSteps(
  input: Pick<SetupInput, 'groups' | 'layout' | 'markets' | 'keyring'>,
  opened: readonly Market[],
): readonly DraftStep[] {
  const { layout, keyring, groups } = input;
  if (!groups.some(({ funds }) => funds === 'collateral') || layout.symbols.length === 0) return [];
  const accounts = Array.from({ length: layout.accounts }, (_, index) => keyring.account(index));
  // Two accounts that nobody else trades with now.
  const [seller, buyer] = accounts;
  const trade = (isBuy: boolean): Draft[] =>
    opened.map((market) => {
      const order = orderOf(market, { isBuy, price: openPrice, size: 1, tif: isBuy ? 'ioc' : 'gtc' });
      return ownAction('close/price', (isBuy ? buyer : seller)!, order);
    });
  const clear = accounts.map((account) => ownAction('close/clear', account, { type: 'cancelAll', marketId: null }));
  const steps = [
    { name: 'clear', drafts: clear },
    { name: 'offers', drafts: trade(false) },
    { name: 'prices', drafts: trade(true) },
  ];
  return steps.filter(({ drafts }) => drafts.length > 0);
}

const creationDrafts = (deployer: number, creations: Layout['contracts']['creations']): Draft[] =>
  creations.map(({ code, gas }) => ({
    as: 'transaction',
    kind: 'setup/contract',
    from: deployer,
    to: null,
    value: 0n,
    data: code,
    gas,
  }));

/** Collateral of the contract that trades, wei for each unit of tick times lot. */
const traderCollateral = 10n ** 9n;

function traderDeposit({ layout, markets }: SetupInput, deployer: number): Draft[] {
  const to = layout.contracts.trader;
  if (to === null) return [];
  const value = traderCollateral * largestUnit(markets);
  return [transaction('setup/trader', { from: deployer, to, gas: 200_000n, data: trader.deposit(), value })];
}

/** Tick times lot of the market where it is most, wei. */
export const largestUnit = (markets: readonly Market[]): bigint =>
  markets.reduce((most, { tick, lot }) => (tick * lot > most ? tick * lot : most), 1n);
