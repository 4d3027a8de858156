import { type PresetName, validatorStake } from '@prime/config';
import type { PlainFault } from '@prime/chaos/plain';
import type { ManifestFile, MarketTable } from './schema.ts';

/** What a node of a network is: a follower executes and serves, a sentry stands before a hidden validator. */
export type Role = 'validator' | 'sentry' | 'follower';

/** A manifest as the program has it: names of nodes and defaults filled in. */
export interface Manifest {
  /** Null: that of the preset. */
  readonly name: string | null;
  readonly preset: PresetName;
  readonly chainId: number | null;
  readonly seed: string | null;
  readonly genesisTimeMs: number | null;
  readonly basePort: number | null;
  readonly blockIntervalMs: number | null;
  readonly emptyBlockIntervalMs: number | null;
  readonly validators: readonly {
    readonly moniker: string | null;
    /** Wei. */
    readonly stake: bigint | null;
    readonly host: string | null;
    readonly signerHost: string | null;
  }[];
  readonly sentries: readonly { readonly validators: readonly string[]; readonly host: string | null }[];
  readonly followers: readonly { readonly host: string | null }[];
  /** Validators with a remote signer. */
  readonly remoteSigners: readonly string[];
  /** Null: those of the preset. */
  readonly markets: readonly MarketTable[] | null;
  readonly makers: { readonly markets: readonly string[] | null } | null;
  readonly latency: {
    readonly regions: Readonly<Record<string, readonly string[]>>;
    readonly ms: Readonly<Record<string, Readonly<Record<string, number>>>>;
    readonly jitterMs: number;
  } | null;
  readonly faults: readonly NamedFault[];
  readonly load: NonNullable<ManifestFile['load']> | null;
  readonly monitoring: { readonly port: number; readonly grafanaPort: number } | null;
}

/** A fault as the file has it, with names of nodes; see {@link numbered}. */
export interface NamedFault {
  readonly atSeconds: number;
  readonly forSeconds: number;
  readonly kind: PlainFault['kind'];
  readonly fields: Readonly<Record<string, unknown>>;
}

const [defaultPrometheusPort, defaultGrafanaPort] = [9_090, 3_000] as const;

/** @param file what the schema has let through */
export function readManifestTables(file: ManifestFile): Manifest {
  return {
    name: file.name ?? null,
    preset: file.preset as PresetName,
    chainId: file.chain_id ?? null,
    seed: file.seed ?? null,
    genesisTimeMs: file.genesis_time_ms ?? null,
    basePort: file.base_port ?? null,
    blockIntervalMs: file.block_interval_ms ?? null,
    emptyBlockIntervalMs: file.empty_block_interval_ms ?? null,
    validators: file.validators.map(({ moniker, stake, host, signer_host: signerHost }) => ({
      moniker: moniker ?? null,
      stake: stake === undefined ? null : BigInt(stake) * 10n ** 18n,
      host: host ?? null,
      signerHost: signerHost ?? null,
    })),
    sentries: (file.sentries ?? []).map(({ validators, host }) => ({ validators, host: host ?? null })),
    followers: (file.followers ?? []).map(({ host }) => ({ host: host ?? null })),
    remoteSigners: file.remote_signers ?? [],
    markets: file.markets ?? null,
    makers: file.makers === undefined ? null : { markets: file.makers.markets ?? null },
    latency:
      file.latency === undefined
        ? null
        : { regions: file.latency.regions, ms: file.latency.ms, jitterMs: file.latency.jitter_ms ?? 0 },
    faults: (file.faults ?? []).map(({ at_seconds: atSeconds, for_seconds: forSeconds, kind, ...fields }) => ({
      atSeconds,
      forSeconds,
      kind: kind as PlainFault['kind'],
      fields,
    })),
    load: file.load ?? null,
    monitoring:
      file.monitoring === undefined
        ? null
        : {
            port: file.monitoring.port ?? defaultPrometheusPort,
            grafanaPort: file.monitoring.grafana_port ?? defaultGrafanaPort,
          },
  };
}

/** A network of which nothing is said but its size. */
export const plainManifest = (validators: number): Manifest =>
  readManifestTables({
    format: 'prime-testnet-1',
    preset: 'local',
    validators: Array.from({ length: validators }, () => ({})),
  });

/** Stake of a validator in wei, the usual one where the manifest names none. */
export const stakeOf = ({ stake }: Manifest['validators'][number]): bigint => stake ?? validatorStake;

/** Names of the nodes: validators, then sentries, then followers. Their numbers are those of chaos runs. */
export const nodeNames = ({ validators, sentries, followers }: Manifest): string[] => [
  ...validators.map((_, index) => `validator${index}`),
  ...sentries.map((_, index) => `sentry${index}`),
  ...followers.map((_, index) => `follower${index}`),
];

/** The fault of a chaos run: nodes by their numbers. */
export function numbered(fault: NamedFault, names: readonly string[]): PlainFault {
  const numberOf = (value: unknown): unknown => {
    if (typeof value === 'string' && names.includes(value)) return names.indexOf(value);
    if (Array.isArray(value)) return value.map(numberOf);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numberOf(item)]));
  };
  return { kind: fault.kind, ...(numberOf(fault.fields) as object) } as PlainFault;
}
