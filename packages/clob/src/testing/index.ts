/** For tests of other packages: the order book's model, and what it and an engine are compared by. */
export { createInspectableEngine, type InspectableEngine } from '../engine.ts';
export {
  accountsOf,
  authorityOf,
  modelAccounts,
  modelAuthority,
  modelMoney,
  moneyOf,
  textOf,
} from './comparison.ts';
export { brokenInvariants } from './invariants.ts';
export { Model } from './model.ts';
export { modelEvents, modelResult } from './modelForm.ts';
export type { ModelAction } from './modelState.ts';
