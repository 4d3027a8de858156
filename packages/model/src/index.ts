export { modelEvents, modelResult } from './form.ts';
export { Model } from './model.ts';
export type { ModelAction, ModelOrder, ModelState } from './state.ts';
export { modelAccounts, modelAuthority, modelMoney, openOrders, textOf } from './view.ts';
