import type { ClobParams, GlobalRecord } from '@prime/codec';
import type { MarketId, OrderId } from '@prime/primitives';

/** The counters of the domain while it runs. */
export type Globals = { -readonly [K in keyof GlobalRecord]: GlobalRecord[K] } & { savedIn: number };

/** Counters before genesis: ids begin with 1, and the margin of all markets is that of the parameters. */
export const createGlobals = ({ initialMarginBps, maintenanceMarginBps }: ClobParams): Globals => ({
  nextOrderId: 1 as OrderId,
  nextTradeId: 1,
  nextMarketId: 1 as MarketId,
  nextTransferId: 1,
  insurance: 0n,
  totalDeposits: 0n,
  totalWithdrawals: 0n,
  defaultMargin: { initialMarginBps, maintenanceMarginBps },
  // There from the start, so that an undo takes it back.
  funding: undefined,
  savedIn: 0,
});
