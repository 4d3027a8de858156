import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { type Attack, parseAttack, step, varied } from './attack.ts';
import { Crowd, stageOf } from './crowd.ts';
import type { DrillGenesis } from './arena.ts';
import { families, fundOfNewMarket } from './families.ts';
import { genesisOfPreset, neutralGenesis } from './genesis.ts';
import { brokenBounds } from './report.ts';
import { runAttack } from './runAttack.ts';
import { goals, search } from './search.ts';

const ether = 10n ** 18n;
const [capital, fund] = [100n * ether, 20n * ether];
const accounts = 3;

const sceneOf = (genesis: DrillGenesis) => {
  const crowd = new Crowd({ genesis, capital, fund, markets: [0, 1] });
  return { crowd, stage: stageOf(crowd) };
};
const neutral = sceneOf(neutralGenesis);
const testnet = sceneOf(genesisOfPreset('testnet'));

/** JELLY, March 2025: a short against oneself, its money out, and the price up until the others have to take the short over. */
const jelly: Attack = {
  name: 'JELLY',
  split: [2_500, 2_500, 5_000],
  steps: [
    step('rest', { side: 'sell', share: 20_000, by: 0 }),
    step('take', { side: 'buy', share: 20_000, by: 1 }),
    step('withdraw', { by: 0, wait: 1 }),
    step('take', { side: 'buy', bps: 3_000, share: 10_000, by: 2, wait: 1 }),
    step('rest', { side: 'buy', bps: 3_000, share: 2_000, by: 2 }),
    step('rest', { side: 'sell', bps: 2_900, share: 20_000, by: 1, wait: 2 }),
    step('cancel', { by: 2, wait: 6 }),
    step('withdraw', { by: 1, wait: 1 }),
  ],
};

/** Two own accounts in a market that nobody trades in: one of them soon owes more than it has, and nobody may liquidate it there yet. */
const newMarket = { market: 2, share: 400 } as const;
const debt: Attack = {
  name: 'debt',
  split: [50, 1_000, 1_000],
  steps: [
    step('rest', { ...newMarket, side: 'sell', by: 0 }),
    step('take', { ...newMarket, side: 'buy', by: 1 }),
    step('rest', { ...newMarket, side: 'sell', bps: 1_900, share: 1, by: 2, wait: 1 }),
    step('take', { ...newMarket, side: 'buy', bps: 1_900, share: 1, by: 1 }),
    step('withdraw', { by: 1, wait: 20 }),
  ],
};

describe('debt in a market that nobody trades in', () => {
  it('holds up the withdrawals of nobody else', () => {
    const { shortfall, blocked } = runAttack(testnet.crowd, testnet.stage, debt, { accounts });
    expect(shortfall).toBeGreaterThan(0n);
    expect(blocked).toBe(0);
  });
});

describe('the insurance fund, attacked from a market that nobody trades in', () => {
  const random = createPrng(7);
  const attacks = Array.from({ length: 60 }, () => fundOfNewMarket(random));
  const taken = ({ crowd, stage }: typeof neutral): number =>
    attacks.filter((attack) => runAttack(crowd, stage, attack, { accounts }).insuranceLoss > 0n).length;

  it('loses to some where no market has prices from outside, and to none where the others have', () => {
    expect(taken(neutral)).toBeGreaterThan(0);
    expect(taken(testnet)).toBe(0);
  });
});

describe('JELLY', () => {
  it('pays where nothing protects the market: a healthy short loses all it has', () => {
    const { forced, profit, honestLoss, insuranceLoss } = runAttack(neutral.crowd, neutral.stage, jelly, { accounts });
    expect(forced).toMatchObject({ victim: 'a short with leverage 9', loss: 5n * ether });
    expect(profit).toBeGreaterThan(0n);
    expect(honestLoss + insuranceLoss).toBeGreaterThan(0n);
  });

  it('costs its money on a network of the testnet preset, and hurts nobody', () => {
    const outcome = runAttack(testnet.crowd, testnet.stage, jelly, { accounts });
    expect(outcome).toMatchObject({ forced: null, insuranceLoss: 0n, blocked: 0, debt: 0n });
    expect(outcome.profit).toBeLessThan(0n);
    expect(outcome.honestLoss).toBeLessThanOrEqual(0n);
  });

  it.each([500, 1_000, 1_900])('nor with the price up by %d basis points, within what its band allows', (bps) => {
    const steps = jelly.steps.map((one) => ({ ...one, bps: Math.min(one.bps, bps) }));
    const outcome = runAttack(testnet.crowd, testnet.stage, { ...jelly, steps }, { accounts });
    expect(outcome).toMatchObject({ forced: null, insuranceLoss: 0n, blocked: 0, debt: 0n });
    expect(outcome.profit).toBeLessThan(0n);
  });
});

describe('a search', () => {
  const options = { ...neutral, accounts, budget: 2 * families.length, seed: 1 };
  const findings = search(options);
  const paying = goals.filter((goal) => goal !== 'blocked withdrawals');

  it('finds what pays where nothing protects the market, and says which bounds it breaks', () => {
    expect(paying.filter((goal) => findings[goal] === null)).toEqual([]);
    const none = { victimLoss: 0n, insuranceLoss: 0n, profit: 0n, blocked: null };
    expect(brokenBounds(findings, none)).toHaveLength(paying.length);
    expect(brokenBounds(findings, { ...none, profit: null })).toHaveLength(paying.length - 1);
    expect(
      brokenBounds(findings, { ...none, victimLoss: capital, insuranceLoss: fund, profit: 10n * capital }),
    ).toEqual([]);
  });

  it('finds the same with the same seed, and what it found can be repeated', () => {
    expect(search(options)).toEqual(findings);
    const { attack, outcome } = findings.profit!;
    const read = parseAttack(JSON.parse(JSON.stringify(attack)));
    expect(runAttack(neutral.crowd, neutral.stage, read, { accounts })).toEqual(outcome);
  });
});

describe('an attack', () => {
  it.each(families.map((family, index) => [index, family] as const))(
    'of family %d is one, varied or not',
    (_, family) => {
      const random = createPrng(5);
      for (let draw = 0; draw < 10; draw++) {
        let attack = family(random);
        for (let change = 0; change < 20; change++) {
          expect(parseAttack(JSON.parse(JSON.stringify(attack)))).toEqual(attack);
          attack = varied(random, attack, accounts);
        }
      }
    },
  );

  it('out of a file is refused with what is wrong', () => {
    expect(() => parseAttack(null)).toThrow('an attack has a split');
    expect(() => parseAttack({ split: [1] })).toThrow('an attack has a list of steps');
    expect(() => parseAttack({ split: [1], steps: [{ kind: 'take' }, { kind: 'steal' }] })).toThrow('step 2 is none');
    expect(() => parseAttack({ split: [1], steps: [{ kind: 'take', bps: -10_000 }] })).toThrow('step 1 is none');
  });
});
