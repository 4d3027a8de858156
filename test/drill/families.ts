import type { Prng } from '@prime/primitives';
import { type Attack, type AttackStep, step } from './attack.ts';

/** Attacks that were seen on exchanges, with numbers to search for. */

/** Makes an attack of a kind with drawn numbers. */
export type Family = (random: Prng) => Attack;

const between = (random: Prng, least: number, most: number): number => least + random.below(most - least + 1);
/** A distance from the price outside: every other one is within the bands that markets have. */
const distance = (random: Prng, least: number, most: number): number =>
  random.chance(1, 2) ? between(random, least, Math.min(most, 1_900)) : between(random, least, most);
const otherSide = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy');
const drawSide = (random: Prng): 'buy' | 'sell' => (random.chance(1, 2) ? 'buy' : 'sell');
/** A price on the far side of the market for whoever trades on that side: up for buys, down for sells. */
const towards = (side: 'buy' | 'sell', bps: number): number => (side === 'buy' ? bps : 0 - Math.min(9_900, bps));

/** Takes what rests on a side, and holds the price there with orders that nobody meets. */
const pushMark: Family = (random) => {
  const side = drawSide(random);
  const bps = towards(side, distance(random, 300, 6_000));
  const steps: AttackStep[] = [
    step('take', { side, bps, share: between(random, 500, 20_000) }),
    step('rest', { side, bps, share: between(random, 100, 5_000), by: 1 }),
  ];
  for (let again = between(random, 0, 6); again > 0; again--)
    steps.push(
      step('take', { side, bps, share: between(random, 100, 5_000), wait: between(random, 1, 6) }),
      step('rest', { side, bps, share: between(random, 10, 1_000), by: 1 }),
    );
  steps.push(
    step('cancel', { wait: between(random, 5, 40), by: 1 }),
    step('rest', { side: otherSide(side), bps: bps - towards(side, 100), share: between(random, 500, 20_000), by: 2 }),
  );
  return { name: 'push the mark with one side of the book', split: [5_000, 2_500, 2_500], steps };
};

/** Empties a side again and again, until makers hold all that they want, and bids higher with every block: bands and smoothed marks follow. */
const climb: Family = (random) => {
  const side = drawSide(random);
  const pace = between(random, 50, 1_900);
  const taken = between(random, 2_000, 12_000);
  const steps: AttackStep[] = [];
  let bps = 0;
  for (let turn = between(random, 6, 16); turn > 0; turn--) {
    bps = Math.min(bps + pace, side === 'buy' ? 20_000 : 9_000);
    steps.push(
      step('take', { side, bps: towards(side, bps), share: taken, wait: 1 }),
      step('rest', { side, bps: towards(side, bps), share: between(random, 10, 500), by: 1 }),
    );
  }
  const offered = { side: otherSide(side), bps: towards(side, bps + between(random, 0, 500)) };
  steps.push(
    step('rest', { ...offered, share: taken * between(random, 1, 6) }),
    step('cancel', { by: 1, wait: between(random, 5, 20) }),
  );
  return { name: 'climb with a cornered side', split: [6_000, 2_000, 2_000], steps };
};

/** One bid, far off, that nobody meets: enough where the mark follows best prices. */
const lonelyOrder: Family = (random) => {
  const side = drawSide(random);
  const bps = towards(side, distance(random, 500, 15_000));
  return {
    name: 'one order far off',
    split: [between(random, 1, 2_000), 0, 0],
    steps: [
      step('rest', { side, bps, share: between(random, 1, 500) }),
      step('cancel', { wait: between(random, 3, 30) }),
    ],
  };
};

/** Two own accounts trade with each other far from the market. */
const selfTrade: Family = (random) => {
  const side = drawSide(random);
  const bps = towards(side, distance(random, 200, 15_000));
  const share = between(random, 10, 5_000);
  const steps: AttackStep[] = [step('take', { side, bps, share: between(random, 100, 20_000) })];
  for (let trade = between(random, 1, 8); trade > 0; trade--)
    steps.push(
      step('rest', { side: otherSide(side), bps, share, by: 1, wait: trade === 1 ? 0 : 1 }),
      step('take', { side, bps, share, by: 2 }),
    );
  steps.push(step('liquidate', { to: between(random, 3, 9), wait: between(random, 1, 20) }));
  return { name: 'self-trades at prices far off', split: [4_000, 3_000, 3_000], steps };
};

/** Trades with oneself within the spread, so that a market counts as one that trades, and then a push. */
const washLast: Family = (random) => {
  const side = drawSide(random);
  const steps: AttackStep[] = [];
  for (let trade = between(random, 3, 12); trade > 0; trade--)
    steps.push(
      step('rest', { side: 'sell', bps: between(random, -8, 8), share: 5, by: 1, wait: 1 }),
      step('take', { side: 'buy', bps: 9, share: 5, by: 2 }),
    );
  return {
    name: 'wash the last price',
    split: [4_000, 3_000, 3_000],
    steps: [...steps, ...pushMarkSteps(random, side)],
  };
};

const pushMarkSteps = (random: Prng, side: 'buy' | 'sell'): AttackStep[] => {
  const bps = towards(side, distance(random, 500, 5_000));
  return [
    step('take', { side, bps, share: between(random, 500, 20_000), wait: 1 }),
    step('rest', { side, bps, share: between(random, 100, 3_000) }),
    step('take', { side, bps, share: between(random, 500, 10_000), wait: 4 }),
    step('cancel', { wait: between(random, 5, 30) }),
  ];
};

/** Buys all that is offered in a thin market, marks it up, and takes out what the mark says. */
const corner: Family = (random) => {
  const side = drawSide(random);
  const steps: AttackStep[] = [];
  for (let turn = between(random, 2, 8); turn > 0; turn--)
    steps.push(
      step('take', {
        side,
        bps: towards(side, distance(random, 100, 3_000)),
        share: between(random, 500, 8_000),
        wait: 4,
      }),
    );
  const bps = towards(side, distance(random, 500, 6_000));
  steps.push(
    step('rest', { side, bps, share: between(random, 100, 3_000), by: 1 }),
    step('rest', { side: otherSide(side), bps, share: between(random, 100, 20_000), wait: between(random, 1, 20) }),
    step('take', { side, bps, share: between(random, 100, 20_000), by: 2 }),
    step('withdraw', { wait: 1 }),
    step('withdraw', { wait: 5 }),
  );
  return { name: 'corner a thin market and withdraw', split: [5_000, 2_000, 3_000], steps };
};

/**
 * JELLY, March 2025: a short against oneself, money out of it, and the price pushed up until the short is liquidated with more loss than it has left.
 * The fund or the other traders pay it, and the own long has won.
 */
const jelly: Family = (random) => {
  const side = drawSide(random);
  const size = between(random, 5_000, 40_000);
  const push = towards(side, distance(random, 400, 6_000));
  const steps: AttackStep[] = [
    step('rest', { side: otherSide(side), bps: 0, share: size, by: 0 }),
    step('take', { side, bps: 0, share: size, by: 1 }),
    step('withdraw', { by: 0, wait: 1 }),
    step('take', { side, bps: push, share: between(random, 500, 20_000), by: 2, wait: 1 }),
    step('rest', { side, bps: push, share: between(random, 100, 5_000), by: 2 }),
  ];
  for (let again = between(random, 0, 6); again > 0; again--)
    steps.push(
      step('take', { side, bps: push, share: between(random, 100, 5_000), by: 2, wait: between(random, 1, 5) }),
      step('rest', { side, bps: push, share: between(random, 10, 2_000), by: 2 }),
    );
  steps.push(
    // What the fund buys back, the own accounts sell to it.
    step('rest', {
      side: otherSide(side),
      bps: push + towards(side, 100),
      share: size,
      by: 1,
      wait: between(random, 1, 10),
    }),
    step('liquidate', { to: 0, wait: between(random, 1, 20) }),
    step('cancel', { by: 2, wait: between(random, 1, 10) }),
    step('withdraw', { by: 1, wait: 1 }),
  );
  return { name: 'a self-traded position for the insurance fund (JELLY)', split: [3_000, 3_000, 4_000], steps };
};

/** Makes an own account owe more than it has, so that nobody may withdraw. */
const makeDebt: Family = (random) => {
  const side = drawSide(random);
  const bps = towards(side, distance(random, 500, 15_000));
  const share = between(random, 1, 3_000);
  return {
    name: 'debt of own accounts',
    split: [between(random, 1, 2_000), between(random, 1, 2_000), between(random, 0, 4_000)],
    steps: [
      step('rest', { side: otherSide(side), bps: 0, share, by: 0 }),
      step('take', { side, bps: 0, share, by: 1 }),
      step('withdraw', { by: 0, wait: 1 }),
      step('take', { side, bps, share: between(random, 1, 20_000), by: 2 }),
      step('rest', { side, bps, share: between(random, 1, 2_000), by: 2 }),
      step('rest', { side: otherSide(side), bps, share, by: 1, wait: between(random, 1, 4) }),
      step('take', { side, bps, share, by: 2 }),
      step('liquidate', { to: 0, wait: between(random, 1, 10) }),
      step('withdraw', { by: 1, wait: 1 }),
    ],
  };
};

/** The same in a market that nobody trades in, where few wei move the mark. */
const debtInNewMarket: Family = (random) => {
  const side = drawSide(random);
  const far = distance(random, 500, 15_000);
  const held = between(random, 1, 100);
  // As much as the initial margin of a tenth allows, or less.
  const small = held * between(random, 3, 9);
  const steps: AttackStep[] = [
    step('rest', { market: 2, side: otherSide(side), bps: 0, share: small, by: 0 }),
    step('take', { market: 2, side, bps: 0, share: small, by: 1 }),
  ];
  const turns = between(random, 1, 14);
  for (let turn = 1; turn <= turns; turn++) {
    const bps = towards(side, Math.round((far * turn) / turns));
    steps.push(
      step('rest', { market: 2, side: otherSide(side), bps, share: 1, by: 2, wait: 1 }),
      step('take', { market: 2, side, bps, share: 1, by: 1 }),
    );
  }
  steps.push(step('withdraw', { by: 1, wait: between(random, 1, 40) }));
  return { name: 'debt in a market that nobody trades in', split: [held, 2_000, 2_000], steps };
};

/**
 * The fund of a network as the prey: a position against oneself in a market that nobody trades in, washed until it liquidates, and a price that
 * climbs until the one side owes more than it has. What the fund pays for it, the other side has won.
 */
export const fundOfNewMarket: Family = (random) => {
  const side = drawSide(random);
  const held = between(random, 200, 3_000);
  const share = Math.floor((held * between(random, 50, 95)) / 10);
  const steps: AttackStep[] = [
    step('rest', { market: 2, side: otherSide(side), bps: 0, share, by: 0 }),
    step('take', { market: 2, side, bps: 0, share, by: 1 }),
  ];
  const turns = between(random, 8, 26);
  const still = between(random, 0, turns);
  const pace = between(random, 50, 1_900);
  for (let turn = 1; turn <= turns; turn++) {
    const bps = towards(side, Math.min(15_000, Math.max(0, turn - still) * pace));
    steps.push(
      step('rest', { market: 2, side: otherSide(side), bps, share: 1, by: 2, wait: 1 }),
      step('take', { market: 2, side, bps, share: 1, by: 1 }),
    );
  }
  // Sooner or later the winner leaves its position to an account that has little to lose.
  const bps = towards(side, between(random, 0, 10_000));
  steps.push(
    step('rest', { market: 2, side, bps, share, by: 2, wait: between(random, 0, 20) }),
    step('take', { market: 2, side: otherSide(side), bps, share, by: 1 }),
    step('withdraw', { by: 1, wait: between(random, 1, 20) }),
  );
  return {
    name: 'the insurance fund from a market that nobody trades in',
    split: [held, held, between(random, 10, 4_000)],
    steps,
  };
};

/** Waits with orders far off for somebody who is liquidated at any price, and asks for that. */
const huntVictim: Family = (random) => {
  const side = drawSide(random);
  const bps = towards(side, distance(random, 300, 4_000));
  const steps = [
    // The victim of a rise buys back: what it meets is ours.
    step('rest', {
      side: otherSide(side),
      bps: bps + towards(side, distance(random, 100, 9_000)),
      share: 10_000,
      by: 1,
    }),
    ...pushMarkSteps(random, side),
  ];
  for (let victim = 3; victim < 9; victim++) steps.push(step('liquidate', { to: victim, wait: victim === 3 ? 2 : 0 }));
  return { name: 'liquidate others for what they sell cheaply', split: [5_000, 4_000, 1_000], steps };
};

/** Has an own account deleveraged against the others at a price that only its collateral made. */
const badDeleverage: Family = (random) => {
  const side = drawSide(random);
  const share = between(random, 2_000, 30_000);
  const bps = towards(side, distance(random, 200, 5_000));
  return {
    name: 'deleverage the others at a bad price',
    split: [between(random, 100, 4_000), between(random, 100, 4_000), 2_000],
    steps: [
      step('take', { side: otherSide(side), bps: towards(otherSide(side), 500), share, by: 0 }),
      step('take', { side: otherSide(side), bps: towards(otherSide(side), 500), share, by: 0, wait: 4 }),
      step('withdraw', { by: 0, wait: 1 }),
      step('take', { side, bps, share: between(random, 500, 20_000), by: 1 }),
      step('rest', { side, bps, share: between(random, 10, 3_000), by: 1 }),
      step('liquidate', { to: 0, wait: between(random, 1, 20) }),
      step('withdraw', { by: 1, wait: 1 }),
    ],
  };
};

/** Holds one side and pushes the mark to the other, so that those who hold it pay funding. */
const fundingGame: Family = (random) => {
  const side = drawSide(random);
  const steps: AttackStep[] = [
    step('take', { side: otherSide(side), bps: towards(otherSide(side), 300), share: 20_000, by: 0 }),
  ];
  for (let turn = between(random, 3, 12); turn > 0; turn--)
    steps.push(
      step('rest', {
        side,
        bps: towards(side, distance(random, 10, 500)),
        share: between(random, 10, 3_000),
        by: 1,
        wait: between(random, 1, 40),
      }),
      step('cancel', { by: 1, wait: between(random, 1, 20) }),
    );
  return { name: 'funding', split: [5_000, 3_000, 2_000], steps };
};

export const families: readonly Family[] = [
  pushMark,
  climb,
  lonelyOrder,
  selfTrade,
  washLast,
  corner,
  jelly,
  makeDebt,
  debtInNewMarket,
  fundOfNewMarket,
  huntVictim,
  badDeleverage,
  fundingGame,
];
