import { describe, expect, it } from '@jest/globals';
import { decodeNativeTransaction, verifyNativeTransaction } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import { builtInScenario } from './builtInScenarios.ts';
import { builtInNames } from './builtInTexts.ts';
import { describePlan } from './describePlan.ts';
import { accountOfKey } from './keyring.ts';
import type { NetworkFacts, Operation, Plan } from './operation.ts';
import { operationsOf } from './operations.ts';
import { withSize } from './parseScenario.ts';
import { closingOf, planOf, type PlanOptions, unknownOperations } from './plan.ts';
import type { Scenario } from './schema.ts';
import { factsAfterSetup, freshFacts, provider, scenarioOf } from './testing/networks.ts';

const planned = (scenario: Scenario, more: Partial<PlanOptions> = {}): Plan =>
  planOf(scenario, { seed: 7, workers: 1, facts: freshFacts, provider, ...more });
const rawOf = ({ params }: Operation): Uint8Array => hexToBytes((JSON.parse(params) as [string])[0]);
const stepsOf = (steps: Plan['setup']): object =>
  Object.fromEntries(steps.map(({ name, operations }) => [name, operations.length]));
const weiIn = ({ accounts }: Plan): bigint => accounts.reduce((sum, { wei }) => sum + wei, 0n);

describe('a plan', () => {
  it('is the same for the same seed, and has other accounts for another one', () => {
    const scenario = builtInScenario('maker');
    expect(planned(scenario)).toEqual(planned(scenario));
    const [seven, eight] = [planned(scenario), planned(scenario, { seed: 8 })];
    const addresses = new Set([...seven.accounts, ...eight.accounts].map(({ address }) => address));
    expect(addresses.size).toBe(2 * 65);
  });

  it('with a secret: accounts that nobody finds who only knows the seed', () => {
    const scenario = builtInScenario('transfers');
    const [open, hidden] = [planned(scenario), planned(scenario, { secret: Uint8Array.of(1, 2, 3) })];
    const known = new Set(open.accounts.map(({ address }) => address));
    expect(hidden.accounts.filter(({ address }) => known.has(address))).toEqual([]);
  });

  it('of orders: collateral, markets that are missing, and empty books', () => {
    const plan = planned(builtInScenario('maker'));
    expect(stepsOf(plan.setup)).toEqual({ collateral: 64, markets: 2, clear: 64 });
    expect(plan.markets).toEqual(['MAKER-7.0/LOAD', 'MAKER-7.1/LOAD']);
    expect(plan.operations).toBe(1_500 + 18_000 + 3_000 + 3_000);
    const deposit = decodeNativeTransaction(rawOf(plan.setup[0]!.operations[0]!));
    expect(deposit.payload).toEqual({ type: 'deposit', amount: 2n * 10n ** 11n });
    // It is paid from what the funder gives.
    expect(plan.accounts[0]!.wei).toBeGreaterThan(2n * 10n ** 11n);
  });

  it('markets are added by the administrator where there is one', () => {
    const administrator = new Uint8Array(32).fill(9);
    const { setup } = planned(builtInScenario('maker'), { administrator });
    const [first] = setup.find(({ name }) => name === 'markets')!.operations;
    expect(first!.sender).toBe(accountOfKey(administrator, provider).address);
    expect(verifyNativeTransaction(rawOf(first!), freshFacts.chainId, provider)).toMatchObject({
      signer: first!.sender,
      transaction: { payload: { type: 'addMarket', symbol: 'MAKER-7.0/LOAD', tickSize: 1n, lotSize: 1n } },
    });
  });

  it('a second time on a network: what is there is neither added nor deployed again', () => {
    const scenario = builtInScenario('uniswap');
    const first = planned(scenario);
    expect(stepsOf(first.setup)).toEqual({ contracts: 6, tokens: 130, approvals: 136, liquidity: 4 });
    const deployer = first.accounts.length - 1;
    const after = (nonce: number): NetworkFacts => ({
      ...freshFacts,
      nonceOf: (account) => (account === deployer ? nonce : 3),
    });
    expect(stepsOf(planned(scenario, { facts: after(20) }).setup)).toEqual({ tokens: 128, approvals: 128 });
    // Ended in the middle of it: the rest.
    expect(stepsOf(planned(scenario, { facts: after(5) }).setup)).toEqual({
      contracts: 1,
      tokens: 130,
      approvals: 136,
      liquidity: 4,
    });
    const markets = planned(builtInScenario('maker'), { facts: factsAfterSetup(builtInScenario('maker'), 7, 1) });
    expect(stepsOf(markets.setup)).toEqual({ collateral: 64, clear: 64 });
  });

  it('nonces of setup and run are different ones, also when time stood still between them', () => {
    const scenario = builtInScenario('liquidation-cascade');
    const noncesOf = (operations: readonly Operation[]): string[] =>
      operations.map((operation) => `${operation.sender} ${decodeNativeTransaction(rawOf(operation)).nonce}`);
    const facts = factsAfterSetup(scenario, 7, 1);
    const run = operationsOf(scenario, { seed: 7, partition: { worker: 0, workers: 1 }, facts, provider });
    const setup = noncesOf(planned(scenario).setup.flatMap(({ operations }) => operations));
    const all = [...setup, ...noncesOf(Array.from({ length: 500 }, () => run.next()))];
    expect(new Set(all).size).toBe(all.length);
  });

  it('more operations, more wei; nobody knows how many: enough for a million', () => {
    const scenario = builtInScenario('erc20');
    const amounts = [1_000, 100_000, null].map((operations) => weiIn(planned(scenario, { operations })));
    expect(amounts[0]!).toBeLessThan(amounts[1]!);
    expect(amounts[1]!).toBeLessThan(amounts[2]!);
    expect(amounts[2]!).toBe(weiIn(planned(scenario, { operations: unknownOperations })));
    expect(planned(scenario, { operations: null }).operations).toBeNull();
  });

  it('wei of an account pay its share of all transactions at the base fee, four times', () => {
    const plan = planned(builtInScenario('transfers'), { operations: 64_000 });
    // 1000 transfers of 21 000 gas at 1 gwei.
    expect(plan.accounts[0]!.wei).toBeGreaterThan(4n * 1_000n * 21_000n * 10n ** 9n);
    expect(plan.accounts[64]!.wei).toBeLessThan(10n ** 15n);
  });

  it('wei of an account cover sixteen of the largest transactions that wait at their highest cost', () => {
    // 640 operations of 64 accounts: ten each, all of which may wait and may be the large ones.
    const plan = planned(withSize(builtInScenario('contract-orders'), 1_000), { operations: 640 });
    const large = 32_100_000n * 100n * 10n ** 9n;
    expect(plan.accounts[0]!.wei).toBeGreaterThan(10n * large);
    expect(plan.accounts[0]!.wei).toBeLessThan(20n * large);
  });

  it('kinds are those of the operations', () => {
    const plan = planned(builtInScenario('maker'), { operations: 10_000 });
    expect(plan.kinds.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect(plan.kinds[0]!.kind).toBe('order_gtc');
  });

  it('each worker has what its shapes need', () => {
    const scenario = builtInScenario('sweeps');
    const [one, many] = [planned(scenario), planned(scenario, { workers: 40 })];
    expect([one.accounts.length, one.markets.length]).toEqual([121, 12]);
    expect([many.accounts.length, many.markets.length]).toEqual([201, 40]);
  });
});

/** What is wrong with a scenario; null when it can be sent. */
function unfit(scenario: Scenario, more: Partial<PlanOptions> = {}): string | null {
  try {
    planned(scenario, more);
    return null;
  } catch (error) {
    expect((error as { detail: object }).detail).toMatchObject({ code: 'LOAD_SCENARIO_UNFIT' });
    return (error as Error).message;
  }
}

describe('a scenario that can not be sent', () => {
  it('transactions larger than a block', () => {
    const large = withSize(builtInScenario('storage'), 1_400);
    expect(unfit(large, { facts: { ...freshFacts, gasLimit: 30_000_000n } })).toBe(
      'a transaction of kind storage_write needs 31260000 gas, a block of the network has 30000000',
    );
    expect(unfit(large)).toBeNull();
  });

  it('more resting orders than its accounts may have', () => {
    const many = scenarioOf(['kind = "order_gtc"\nweight = 1'], 'accounts = 2\nsize = 10000');
    expect(unfit(many)).toBeNull();
    expect(unfit(withSize(many, 10_001))).toMatch(/10001 orders rest in 1 markets, 2 accounts may have 10000/);
  });

  it('fewer markets than its shapes need', () => {
    const two = scenarioOf(['kind = "sweep"\nweight = 1'], 'symbols = ["PRM/USD", "ETH/USD"]');
    expect(unfit(two, { workers: 2 })).toBeNull();
    expect(unfit(two, { workers: 3 })).toMatch(/names 2 markets, its shapes need 3 with 3 workers/);
  });
});

describe('after a run', () => {
  it('books are emptied, and prices that fell are put back in their markets', () => {
    const close = (name: string): object => {
      const scenario = builtInScenario(name);
      const facts = factsAfterSetup(scenario, 7, 1);
      return stepsOf(closingOf(scenario, { seed: 7, workers: 1, facts, provider }));
    };
    expect(close('maker')).toEqual({ clear: 64 });
    expect(close('liquidation-cascade')).toEqual({ clear: 16, offers: 8, prices: 8 });
    // Four shapes share sixteen markets; one of them moves prices.
    expect(close('cancel-all')).toEqual({ clear: 192, offers: 4, prices: 4 });
    expect(close('transfers')).toEqual({});
  });
});

describe('a plan in words', () => {
  it('says what would be sent, from whom, and what it needs', () => {
    const scenario = builtInScenario('maker');
    const text = describePlan(planned(scenario), scenario);
    for (const line of [
      /^maker: Market makers and takers/m,
      /^Operations {3}25 500 in 85 s$/m,
      /^ +spike 600\/s for 5 s$/m,
      /^Of these {5}11 \d\d\d {2}order_gtc$/m,
      /^Size {9}1 000 orders that rest in each market$/m,
      /^Accounts {5}64, and one that deploys contracts$/m,
      /^Funds {8}0\.\d{4} ether in all, at most 0\.\d{4} for one account; what is left is given back$/m,
      /^Markets {6}2: MAKER-7\.0\/LOAD, MAKER-7\.1\/LOAD$/m,
      /^Setup {8}64 {2}collateral$/m,
      /^Refusals {5}unknown_client_id of cancel: the order traded before its cancel came$/m,
    ])
      expect(text).toMatch(line);
  });

  it('of each scenario, with no key in it', () => {
    for (const name of builtInNames()) {
      const scenario = builtInScenario(name);
      const text = describePlan(planned(scenario, { operations: 200 }), scenario);
      expect([name, text.length > 300, /0x[0-9a-f]{64}/.test(text)]).toEqual([name, true, false]);
    }
  });

  it('of a run without an end: shares of a thousand', () => {
    const scenario = builtInScenario('reads');
    const text = describePlan(planned(scenario, { operations: null }), scenario);
    expect(text).toMatch(/^Operations {3}as many as the network takes$/m);
    expect(text).toMatch(/^Of a thousand4\d\d {2}eth_call$/m);
  });
});
