import { genesisHash } from '@prime/codec';
import { homePaths, parseGenesis, parseSignerConfig, passwordVariables } from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import type { SignStateRecord, SignStateStore } from '@prime/engine';
import { createSigningDesk, SignerServer, spkiOf } from '@prime/network';
import { SerialQueue } from '@prime/primitives';
import { openSignState } from '@prime/storage';
import { createLogger, type Logger } from '@prime/telemetry';
import { type Admin, startSignerAdmin } from './operator/admin.ts';
import { nodeClock } from './clock.ts';
import { NodeError } from './errors.ts';
import { exitCode } from './exitCodes.ts';
import { holdHome } from './home/homeLock.ts';
import { HotKeys, unlockHotKeys } from './keys/hotKeys.ts';
import { checkSignerKeyFiles, readTlsIdentity } from './keys/keyFiles.ts';
import type { PasswordSources } from './keys/passwords.ts';
import { engineLog } from './logging.ts';
import { withResolvers } from './promises.ts';
import { hearStopRequests, readHomeFile, reportError, type StopRequests } from './node.ts';
import { renderSignerMetrics } from './metrics/signerMetrics.ts';

/** What a signer process is started with; all else is in its home. */
export interface SignerOptions {
  readonly home: string;
  readonly logFormat: 'json' | 'pretty';
  /** Where the password of its keys comes from. */
  readonly passwords: PasswordSources;
}

/**
 * Runs a remote signer until a signal or a failure: the process that holds the hot key of a validator and the watermark of what it signed,
 * and signs for the nodes in its list. SIGHUP makes it read its keys again.
 *
 * @returns the exit code
 * @throws ConfigError, NodeError `CONFIG_HOME_UNREADABLE`, StorageError `DATA_DIR_LOCKED`, `SIGN_STATE_CORRUPT`, NetworkError: nothing was started
 */
export async function runSigner({ home, logFormat, passwords }: SignerOptions): Promise<number> {
  const paths = homePaths(home);
  const config = parseSignerConfig(await readHomeFile(paths.signerConfig), paths.signerConfig);
  const genesis = parseGenesis(await readHomeFile(paths.genesis));
  const logger = createLogger({ level: config.logLevel, format: logFormat, fields: { module: 'signer' } });
  const provider = await cryptoProvider();
  checkSignerKeyFiles(paths);
  const unlocked = await unlockHotKeys(paths, provider, passwords);
  for (const variable of passwordVariables) delete process.env[variable];
  const ignored = { onUnlocked: () => undefined, onFailed: () => undefined };
  // It reads them when it is told to.
  const keys = new HotKeys(paths, provider, unlocked, ignored);
  let held = keys.held().reverse();
  // Before anybody can read the process id in the home: whoever does may send a signal at once.
  const signals = hearSignals(logger);
  const lock = await holdHome(paths);
  // Not before: a process whose home is held by another has to end by itself.
  signals.followParent();
  try {
    const store = openSignState(paths.signState, genesisHash(genesis));
    try {
      refuseSealed(paths.signState, store);
      const network = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
      const desk = createSigningDesk({ ...network, store, keys: () => held, provider });
      const tls = readTlsIdentity(paths);
      const clock = nodeClock(0);
      return await runToEnd(logger, signals, (onFatal) => {
        const log = engineLog(logger);
        const { listen, nodes } = config;
        const server = new SignerServer({ listen, tls, nodes, ...network, desk, clock, log, onFatal });
        const status = (): unknown => ({
          keys: held.map(({ address }) => address),
          spki: spkiOf(tls.certificatePem),
          newest: placeOf(desk.newest()),
          ...server.status(),
        });
        const metrics = (): Promise<string> => renderSignerMetrics(server, desk.newest());
        const reload = async (): Promise<void> => {
          try {
            held = (await keys.reread()).reverse();
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
    signals.stop();
    await lock.release();
  }
}

/** What a signer is told by signals; SIGHUP waits until somebody can act on it. */
interface Signals extends StopRequests {
  /** Has each SIGHUP answered by it, and those that came before by once. */
  onReload(reload: () => void): void;
  stop(): void;
}

function hearSignals(logger: Logger): Signals {
  let reload: (() => void) | null = null;
  let waits = false;
  const onHangUp = (): void => {
    if (reload === null) waits = true;
    else reload();
  };
  process.on('SIGHUP', onHangUp);
  return {
    ...hearStopRequests(logger),
    onReload(next) {
      reload = next;
      if (waits) next();
    },
    stop: () => process.off('SIGHUP', onHangUp),
  };
}

/** A signer knows nothing of the chain, and so not when it has passed by what the key may have signed. @throws NodeError `SIGN_STATE_SEALED` */
function refuseSealed(path: string, store: SignStateStore): void {
  if (!store.isSealed()) return;
  throw new NodeError(
    `${path} came with a backup, and the key may have signed later things. Let the node that it was restored for sign first, or import a later watermark: ` +
      'prime watermark import FILE --last',
    { code: 'SIGN_STATE_SEALED', path },
  );
}

interface Serving {
  readonly server: SignerServer;
  /** The operator changed the keys in the home. */
  reload(): Promise<void>;
  /** @returns what to say in the ready line, and the endpoint for operators */
  start(): Promise<{ readonly info: Readonly<Record<string, string | number>>; readonly admin: Admin | null }>;
}

async function startServing(
  server: SignerServer,
  adminListen: { readonly host: string; readonly port: number } | null,
  ports: { status(): unknown; metrics(): Promise<string> },
): ReturnType<Serving['start']> {
  const { port } = await server.start();
  if (adminListen === null) return { info: { signerPort: port }, admin: null };
  const { host, port: adminPort } = adminListen;
  try {
    const admin = await startSignerAdmin(host, adminPort, {
      status: async () => ports.status(),
      metrics: () => ports.metrics(),
    });
    return { info: { signerPort: port, adminPort: admin.port }, admin };
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function runToEnd(
  logger: Logger,
  signals: Signals,
  open: (onFatal: (error: unknown) => void) => Serving,
): Promise<number> {
  const failed = withResolvers<unknown>();
  const { server, reload, start } = open(failed.resolve);
  const reloads = new SerialQueue();
  signals.onReload(() => void reloads.run(reload));
  const { info, admin } = await start();
  logger.info(info, 'ready');
  const cause = await Promise.race([signals.asked.then(() => null), failed.promise.then((error) => ({ error }))]);
  signals.stop();
  await Promise.all([server.close(), admin?.close()]);
  if (cause !== null) return reportError(cause.error, logger);
  logger.info({}, 'stopped');
  return exitCode.ok;
}

const placeOf = (record: SignStateRecord | null): unknown =>
  record === null ? null : { height: record.height, round: record.round, step: record.step };
