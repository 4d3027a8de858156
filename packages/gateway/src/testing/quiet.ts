import type { BookParameters } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { HistoryBackend } from '../services/backends.ts';

/** What readers say where nothing happened. */

const emptyPage = { entries: [], next: null, oldest: 1 as Height, oldestMs: 1_700_000_000_000 };

/** The lists of an account's history. */
export type Lists = Pick<HistoryBackend, 'accountEvents' | 'accountOrders'>;
export const emptyLists: Lists = { accountEvents: async () => emptyPage, accountOrders: async () => emptyPage };

/** Margin that setMarginParams changed, and no market. */
export const bookParameters = async (): Promise<BookParameters> => ({
  defaultMargin: { initialMarginBps: 1100, maintenanceMarginBps: 550 },
  markets: [],
  clob: null,
  proposals: [],
});
