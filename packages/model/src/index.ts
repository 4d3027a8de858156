export { modelEvents, modelResult } from './form.ts';
export { Model } from './model.ts';
export type { ModelReporters } from './oracle.ts';
export type { ModelAction, ModelOrder, ModelState } from './state.ts';
export { modelAccounts, modelAuthority, modelMoney, modelTriggers, openOrders, textOf } from './view.ts';
