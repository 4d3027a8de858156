import { serveMetrics } from '@prime/bot';
import { exitCode } from '@prime/node';
import {
  createFilesSink,
  createNatsSink,
  createPostgresSink,
  openNodeSource,
  parseStreams,
  runStreams,
  type Sink,
  type StreamsConfig,
  StreamsMetrics,
  streamsSchema,
} from '@prime/streams';
import { parseWholeNumber } from '../errors.ts';
import { loggerOf } from '../bot/given.ts';
import { readGiven } from '../files.ts';
import { parsePlace } from '../load/given.ts';
import { untilEnd } from '../terminal/untilEnd.ts';
import { nodesOf, postgresUrl, secretOf } from './given.ts';

/** Flags of `prime streams run`, as they were typed. */
export interface RunFlags {
  readonly config: string;
  readonly to?: string;
  readonly metrics?: string;
  readonly logFormat: string;
  readonly logLevel: string;
}

/** How long the blocks that are being written may take at the end, ms. Half a block does no harm: no sink counts it. */
const stopMs = 10_000;

const [hourMs, secondMs, mebibyte] = [3_600_000, 1_000, 1_048_576] as const;

/** `prime streams run`: until a signal comes, `--to` is reached, or a person is needed. */
export async function run(flags: RunFlags): Promise<void> {
  const config = parseStreams(await readGiven(flags.config, '--config'), flags.config);
  const to = flags.to === undefined ? undefined : parseWholeNumber(flags.to, '--to', 0, Number.MAX_SAFE_INTEGER);
  const log = loggerOf(flags.logLevel, flags.logFormat, { module: 'streams' });
  const sinks = await sinksOf(config);
  const apiKey = await secretOf(config.source.api_key_file, 'source.api_key_file', 'PRIME_STREAMS_API_KEY');
  const ended = new AbortController();
  void untilEnd().then(() => {
    ended.abort();
    setTimeout(() => process.exit(exitCode.ok), stopMs).unref();
  });
  const head = { read: () => -1 };
  const names = sinks.map(({ name }) => name);
  const metrics = new StreamsMetrics(names, () => head.read());
  const server =
    flags.metrics === undefined
      ? null
      : await serveMetrics(parsePlace(flags.metrics, '--metrics'), () => metrics.render());
  if (server !== null) log.info({ url: server.url }, 'metrics');
  const nodes = nodesOf(config.source.urls, apiKey ?? null, log, () => metrics.sourceFailed());
  const source = await openNodeSource(nodes, ended.signal);
  try {
    if (source === null) return;
    head.read = () => source.head;
    const { chainId, genesisHash } = source.chain;
    log.info({ chainId, genesisHash, sinks: names }, 'ready');
    await runStreams({ source, sinks, from: config.source.from, to, metrics, log, signal: ended.signal });
    log.info({}, 'stopped');
  } finally {
    source?.close();
    server?.close();
    // A channel to who started it is no reason to stay.
    process.channel?.unref();
  }
}

async function sinksOf({ nats, postgres, files }: StreamsConfig): Promise<readonly Sink[]> {
  const sinks: Sink[] = [];
  if (nats !== undefined) {
    const { max_age_hours: hours, max_mib: mebibytes } = nats;
    sinks.push(
      createNatsSink(
        {
          urls: nats.urls,
          stream: nats.stream,
          prefix: nats.prefix,
          credentials:
            nats.credentials_file === undefined
              ? undefined
              : await readGiven(nats.credentials_file, 'nats.credentials_file'),
          token: await secretOf(nats.token_file, 'nats.token_file', 'PRIME_STREAMS_NATS_TOKEN'),
          ca: nats.ca_file === undefined ? undefined : await readGiven(nats.ca_file, 'nats.ca_file'),
        },
        {
          replicas: nats.replicas,
          maxAgeMs: hours === undefined ? null : hours * hourMs,
          maxBytes: mebibytes === undefined ? null : mebibytes * mebibyte,
          duplicateWindowMs: nats.duplicate_window_s * secondMs,
        },
      ),
    );
  }
  if (postgres !== undefined) {
    const url = await postgresUrl(postgres.url_file, 'postgres.url_file');
    sinks.push(createPostgresSink({ url, schema: postgres.schema }));
  }
  if (files !== undefined) sinks.push(createFilesSink(files));
  return sinks;
}

/** `prime streams schema`. */
export function schema(): void {
  console.log(JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...streamsSchema }, null, 2));
}
