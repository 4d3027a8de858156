/** The market of a recorded flow that a backtest trades on, as the header of the flow has it. Steps are base and quote units. */
export interface BacktestMarket {
  readonly marketId: number;
  readonly symbol: string;
  readonly tickSize: bigint;
  readonly lotSize: bigint;
}
