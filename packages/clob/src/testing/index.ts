/** For tests of other packages: an engine that can be looked into, and what it is compared by with the model. */
export { createInspectableEngine, type InspectableEngine } from '../engine.ts';
export { accountsOf, authorityOf, moneyOf } from './comparison.ts';
export { addressOf, createHarness, startMs } from './harness.ts';
export { brokenInvariants } from './invariants.ts';
export { randomBlock, traders } from './streams.ts';
