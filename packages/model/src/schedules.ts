import { compareStrings } from '@prime/primitives';
import { ordersOf } from './fields.ts';
import type { ModelHost } from './matching.ts';
import { endTrigger, type TriggerHost, triggersOf } from './triggers.ts';

/** Sets when the orders of an account end, or takes it back with 0. */
export function scheduleCancel(
  { state, undo, events, timeMs }: ModelHost & { readonly timeMs: number },
  account: string,
  atMs: number,
): unknown {
  if (atMs !== 0 && atMs < timeMs + 5000) return 'CLOB_BAD_SCHEDULE';
  if ((state.schedules[account] ?? 0) !== atMs) {
    set({ state, undo }, account, atMs);
    events.push(`scheduled ${account} ${atMs}`);
  }
  return { type: 'done' };
}

function set({ state, undo }: Pick<ModelHost, 'state' | 'undo'>, account: string, atMs: number): void {
  const others = Object.entries(state.schedules).filter(([other]) => other !== account);
  undo.set(state, 'schedules', Object.fromEntries(atMs === 0 ? others : [...others, [account, atMs]]));
}

/** Ends the orders of those whose time has come. */
export function runSchedules(host: TriggerHost): void {
  const due = Object.entries(host.state.schedules)
    .filter(([, atMs]) => atMs <= host.timeMs)
    .sort(([a, first], [b, second]) => first - second || compareStrings(a, b));
  for (const [account, atMs] of due.slice(0, 1000)) {
    if (host.changes >= host.most) return;
    for (const order of ordersOf(host.state, account, null)) host.cancel(order, 'scheduled');
    for (const trigger of triggersOf(host.state, account, null)) endTrigger(host, trigger, 'scheduled');
    set(host, account, 0);
    host.events.push(`schedule over ${account} ${atMs}`);
  }
}
