/** What commands read out of the metrics of a running node: the only place of the CLI that knows their names. */
import { parseSamples, type Samples } from '@prime/telemetry';

/** What the process of a node takes of its machine; null where the system does not tell. */
export interface NodeResources {
  readonly residentBytes: number | null;
  readonly openFiles: number | null;
  readonly freeBytes: number | null;
  readonly homeBytes: number | null;
}

/** What a node says of prices from outside. */
export interface NodePrices {
  /** Markets with an oracle, and for how long each has had no fresh index, s. */
  readonly markets: readonly { readonly symbol: string; readonly staleSeconds: number }[];
  /** How the validator of the node reports; null where it is none of the set, and without oracle. */
  readonly own: { readonly silentSeconds: number; readonly minutes: number; readonly reportedMinutes: number } | null;
}

/** What people are shown of a node beside its JSON-RPC. */
export interface NodeMetrics {
  /** How far the clock of the machine is ahead of those of the proposers, s; null where too few blocks were seen. */
  readonly clockOffsetSeconds: number | null;
  readonly prices: NodePrices;
  readonly resources: NodeResources;
}

/** @param text what `/metrics` of the admin endpoint answered */
export function readNodeMetrics(text: string): NodeMetrics {
  const samples = parseSamples(text);
  const offset = samples.value('prime_clock_offset_seconds');
  return {
    // 0 is what the gauge has before anything was compared.
    clockOffsetSeconds: offset === 0 ? null : offset,
    prices: pricesIn(samples),
    resources: {
      residentBytes: samples.value('process_resident_memory_bytes'),
      openFiles: samples.value('process_open_fds'),
      freeBytes: samples.value('prime_disk_free_bytes'),
      homeBytes: samples.value('prime_home_bytes'),
    },
  };
}

function pricesIn(samples: Samples): NodePrices {
  const silentSeconds = samples.value('prime_oracle_report_age_seconds');
  const minutesOf = (name: string): number => samples.value(name) ?? 0;
  const stale = samples.by('prime_market_index_stale_seconds', 'symbol');
  return {
    markets: Object.entries(stale).map(([symbol, staleSeconds]) => ({ symbol, staleSeconds })),
    own:
      silentSeconds === null
        ? null
        : {
            silentSeconds,
            minutes: minutesOf('prime_oracle_minutes'),
            reportedMinutes: minutesOf('prime_oracle_reported_minutes'),
          },
  };
}
