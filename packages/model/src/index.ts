export { modelEvents, modelResult } from './form.ts';
export { Model } from './model.ts';
export type { ModelAction, ModelState } from './state.ts';
export { modelAccounts, modelAuthority, modelMoney, textOf } from './view.ts';
