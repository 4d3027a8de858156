/** What commands read out of the metrics of a running node: the only place of the CLI that knows their names. */
import { parseSamples } from '@prime/telemetry';

/** What the process of a node takes of its machine; null where the system does not tell. */
export interface NodeResources {
  readonly residentBytes: number | null;
  readonly openFiles: number | null;
  readonly freeBytes: number | null;
  readonly homeBytes: number | null;
}

/** What people are shown of a node beside its JSON-RPC. */
export interface NodeMetrics {
  /** How far the clock of the machine is ahead of those of the proposers, s; null where too few blocks were seen. */
  readonly clockOffsetSeconds: number | null;
  readonly resources: NodeResources;
}

/** @param text what `/metrics` of the admin endpoint answered */
export function readNodeMetrics(text: string): NodeMetrics {
  const samples = parseSamples(text);
  const offset = samples.value('prime_clock_offset_seconds');
  return {
    // 0 is what the gauge has before anything was compared.
    clockOffsetSeconds: offset === 0 ? null : offset,
    resources: {
      residentBytes: samples.value('process_resident_memory_bytes'),
      openFiles: samples.value('process_open_fds'),
      freeBytes: samples.value('prime_disk_free_bytes'),
      homeBytes: samples.value('prime_home_bytes'),
    },
  };
}
