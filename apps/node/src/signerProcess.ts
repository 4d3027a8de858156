import { readFileSync } from 'node:fs';
import { genesisHash } from '@prime/codec';
import { homePaths, parseGenesis, parseSignerConfig } from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import type { SignStateRecord } from '@prime/engine';
import { createSignerServer, createSigningDesk, type SignerServer, spkiOf } from '@prime/network';
import { openSignState } from '@prime/storage';
import { createLogger, type Logger } from '@prime/telemetry';
import { type Admin, startSignerAdmin } from './admin.ts';
import { nodeClock } from './clock.ts';
import { exitCode } from './exitCodes.ts';
import { holdHome } from './homeLock.ts';
import { checkSignerKeyFiles } from './keyFiles.ts';
import { engineLog } from './logging.ts';
import { readHomeFile, reportFailure, untilStopAsked } from './node.ts';
import { homeKeys } from './validatorKeys.ts';

export interface SignerOptions {
  readonly home: string;
  readonly logFormat: 'json' | 'pretty';
}

/**
 * Runs a remote signer until a signal or a failure: the process that holds the hot key of a validator and the watermark of what it signed,
 * and signs for the nodes in its list. SIGHUP makes it read its keys again.
 *
 * @returns the exit code
 * @throws ConfigError, NodeError `CONFIG_HOME_UNREADABLE`, StorageError `DATA_DIR_LOCKED`, `SIGN_STATE_CORRUPT`, NetworkError: nothing was started
 */
export async function runSigner({ home, logFormat }: SignerOptions): Promise<number> {
  const paths = homePaths(home);
  const config = parseSignerConfig(await readHomeFile(paths.signerConfig), paths.signerConfig);
  const genesis = parseGenesis(await readHomeFile(paths.genesis));
  const logger = createLogger({ level: config.logLevel, format: logFormat, fields: { module: 'signer' } });
  const provider = await cryptoProvider();
  checkSignerKeyFiles(paths);
  const keys = homeKeys(paths, provider);
  let held = keys().reverse();
  const lock = await holdHome(paths);
  try {
    const store = openSignState(paths.signState, genesisHash(genesis));
    try {
      const network = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
      const certificatePem = await readHomeFile(paths.tlsCertificate);
      const desk = createSigningDesk({ ...network, store, keys: () => held, provider });
      const tls = { certificatePem, privateKeyPem: readFileSync(paths.tlsKey, 'utf8') };
      const clock = nodeClock(0);
      return await runToEnd(logger, (onFatal) => {
        const log = engineLog(logger);
        const { listen, nodes } = config;
        const server = createSignerServer({ listen, tls, nodes, ...network, desk, clock, log, onFatal });
        const status = (): unknown => ({
          keys: held.map(({ address }) => address),
          spki: spkiOf(certificatePem),
          newest: placeOf(desk.newest()),
          ...server.status(),
        });
        const metrics = (): string => metricsOf(server, desk.newest());
        const reload = (): void => {
          try {
            held = keys().reverse();
            logger.info({ keys: held.map(({ address }) => address) }, 'the keys were read again');
            server.keysChanged();
          } catch (error) {
            logger.error({ error: String(error) }, 'the keys can not be read again: they stay as they were');
          }
        };
        return { server, reload, start: () => startServing(server, config.admin, { status, metrics }) };
      });
    } finally {
      store.close();
    }
  } finally {
    await lock.release();
  }
}

interface Serving {
  readonly server: SignerServer;
  /** The operator changed the keys in the home. */
  reload(): void;
  /** @returns what to say in the ready line, and the endpoint for operators */
  start(): Promise<{ readonly info: Readonly<Record<string, string | number>>; readonly admin: Admin | null }>;
}

async function startServing(
  server: SignerServer,
  adminListen: { readonly host: string; readonly port: number } | null,
  ports: { status(): unknown; metrics(): string },
): ReturnType<Serving['start']> {
  const { port } = await server.start();
  if (adminListen === null) return { info: { signerPort: port }, admin: null };
  const { host, port: adminPort } = adminListen;
  try {
    const admin = await startSignerAdmin(host, adminPort, {
      status: async () => ports.status(),
      metrics: async () => ports.metrics(),
    });
    return { info: { signerPort: port, adminPort: admin.port }, admin };
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function runToEnd(logger: Logger, open: (onFatal: (error: unknown) => void) => Serving): Promise<number> {
  const stopAsked = untilStopAsked(logger);
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<unknown>((resolve) => {
    fail = resolve;
  });
  const { server, reload, start } = open((error) => fail(error));
  process.on('SIGHUP', reload);
  const { info, admin } = await start();
  logger.info(info, 'ready');
  const failure = await Promise.race([stopAsked.then(() => null), failed.then((error) => ({ error }))]);
  process.off('SIGHUP', reload);
  await Promise.all([server.close(), admin?.close()]);
  if (failure !== null) return reportFailure(failure.error, logger);
  logger.info({}, 'stopped');
  return exitCode.ok;
}

const placeOf = (record: SignStateRecord | null): unknown =>
  record === null ? null : { height: record.height, round: record.round, step: record.step };

/** Prometheus text. */
function metricsOf(server: SignerServer, newest: SignStateRecord | null): string {
  const { nodes, signed, refused, turnedAway } = server.status();
  const metric = (name: string, type: 'counter' | 'gauge', help: string, value: number): string =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`;
  return [
    metric('prime_signer_nodes', 'gauge', 'Nodes that are connected.', nodes.length),
    metric('prime_signer_height', 'gauge', 'Height of the newest signature.', newest?.height ?? 0),
    metric('prime_signer_signed_total', 'counter', 'Requests that were signed.', signed),
    metric('prime_signer_refused_total', 'counter', 'Requests that were refused.', refused),
    metric('prime_signer_turned_away_total', 'counter', 'Connections that were not let in.', turnedAway),
  ].join('');
}
