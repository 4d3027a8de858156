/** Series without labels of their own are those of one node; values are of promtool: `7x60` is 7 for 61 minutes, `0+6x60` grows by 6 a minute. */
export type Series = Readonly<Record<string, string>>;

export interface AlertCase {
  readonly alert: string;
  readonly fires: {
    readonly series: Series;
    /** Minutes. */
    readonly at: number;
    /** Those of the alert beside its name and severity. */
    readonly labels: Readonly<Record<string, string>>;
  };
  /** At the same minute. */
  readonly rests: readonly Series[];
}

export const hour = 'x60';
export const node = { job: 'prime', instance: 'n0' } as const;
export const job = { job: 'prime' } as const;
export const other = (metric: string): string => `${metric}{job="prime",instance="n1"}`;
export const ready = { prime_voting_power_connected: `4${hour}`, prime_voting_power: `4${hour}` };
export const fork = (fingerprint: number, height: number): Series => ({
  prime_consensus_checkpoint_height: `200${hour}`,
  prime_consensus_checkpoint_fingerprint: `77${hour}`,
  [other('prime_consensus_checkpoint_height')]: `${height}${hour}`,
  [other('prime_consensus_checkpoint_fingerprint')]: `${fingerprint}${hour}`,
});
/** Of a node whose newest block is so many seconds old at each minute. */
export const blockAge = (seconds: number): string => `${-seconds}+60${hour}`;
export const misses = (perMinute: number, more: Series = {}): Series => ({
  prime_validator_missed_blocks_total: `0+${perMinute}${hour}`,
  prime_consensus_block_interval_seconds_count: `0+60${hour}`,
  prime_validator_in_set: `1${hour}`,
  ...more,
});
export const signerGone = { prime_remote_signer_connected: '1x5 0x55' };
/** A counter that grows once, at minute 20. */
export const once = '0x19 1x40';
export const rare = (alert: string, metric: string, labels: Readonly<Record<string, string>> = {}): AlertCase => ({
  alert,
  fires: { series: { [metric]: once }, at: 25, labels: { ...node, ...labels } },
  rests: [{ [metric]: `1${hour}` }, { [metric]: '0x5 1x55' }],
});
/** Above a limit and not above it. */
export const level = (
  alert: string,
  expression: (value: number) => Series,
  [rests, fires]: readonly [number, number],
  labels: Readonly<Record<string, string>> = node,
): AlertCase => ({
  alert,
  fires: { series: expression(fires), at: 30, labels },
  rests: [expression(rests)],
});
export const missing = (power: number): Series => ({
  prime_voting_power_missing: `${power}${hour}`,
  prime_voting_power: `100${hour}`,
});
/** Mean of a histogram in seconds, of one observation a second. */
export const mean =
  (metric: string, labels: string) =>
  (seconds: number): Series => ({
    [`${metric}_sum${labels}`]: `0+${60 * seconds}${hour}`,
    [`${metric}_count${labels}`]: `0+60${hour}`,
  });
export const diskSyncLabels = '{job="prime",instance="n0",file="log"}';
