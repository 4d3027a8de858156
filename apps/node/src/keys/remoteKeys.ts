import { existsSync, readFileSync } from 'node:fs';
import { genesisHash } from '@prime/codec';
import { formatRemoteSigner, parseRemoteSigner, type RemoteSignerKey } from '@prime/config';
import type { Clock, RemoteSigner, SignStateRecord } from '@prime/engine';
import { NetworkError, type SignerEvent, SignerLink, type SignerLinkStatus } from '@prime/network';
import { type Address, assert, bytesEqual } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import { type Logger, openMetrics } from '@prime/telemetry';
import { nodeClock } from '../clock.ts';
import { engineLog } from '../logging.ts';
import { withResolvers } from '../promises.ts';
import { readTlsIdentity } from './keyFiles.ts';
import { nodeMetrics } from '../metrics/metrics.ts';
import type { ThreadData } from '../threads/threadData.ts';

/** How long a node that never met its signer waits for it before it gives up, ms. */
const firstMeetingMs = 10_000;
/** How long one that knows it waits, so that it need not begin as an observer, ms. */
const meetingMs = 1_000;

/** What a node needs to have a signer process sign for it. */
export interface RemoteKeysOptions {
  /** What this node knows as the newest signature. */
  readonly newest: () => SignStateRecord | null;
  readonly logger: Logger;
  /** Where it counts; null counts nothing. */
  readonly metrics: SharedArrayBuffer | null;
}

type NodeData = Pick<ThreadData, 'config' | 'genesis' | 'home' | 'clockOffsetMs'>;

/** The remote signer of a node; null where its keys are in its home. @throws what the constructor of {@link RemoteKeys} throws */
export const openRemoteKeys = (data: NodeData, options: RemoteKeysOptions): RemoteKeys | null =>
  data.config.signer.address === null ? null : new RemoteKeys(data, data.config.signer.address, options);

/** The hot keys of a node whose keys are in a remote signer, and the connection to it. */
export class RemoteKeys {
  readonly #clock: Clock;
  readonly #keysPath: string;
  readonly #link: SignerLink;
  #keys: readonly RemoteSignerKey[];
  #newest: SignStateRecord | null = null;
  #onReady: ((newest: SignStateRecord | null) => void) | null = null;
  #met: () => void = () => undefined;
  #wasMet = false;

  /** @throws ConfigError `CONFIG_KEY_FILE_INVALID`, NetworkError `NETWORK_CERTIFICATE_INVALID` */
  constructor(
    { config, genesis, home, clockOffsetMs }: NodeData,
    endpoint: NonNullable<NodeData['config']['signer']['address']>,
    { newest, logger, metrics }: RemoteKeysOptions,
  ) {
    this.#clock = nodeClock(clockOffsetMs);
    this.#keysPath = home.remoteSigner;
    this.#keys = existsSync(home.remoteSigner)
      ? parseRemoteSigner(readFileSync(home.remoteSigner, 'utf8'), home.remoteSigner)
      : [];
    this.#link = new SignerLink({
      endpoint,
      spki: config.signer.spki.toLowerCase(),
      tls: readTlsIdentity(home),
      chainId: genesis.chainId,
      genesisHash: genesisHash(genesis),
      newest,
      onWelcome: (keys, known) => this.#onWelcome(keys, known),
      clock: this.#clock,
      random: Math.random,
      log: engineLog(logger),
      ...(metrics !== null && { observe: counting(metrics) }),
    });
  }

  /** The keys that are known, the oldest first. */
  readonly list = (): RemoteSigner[] => this.#keys.map(({ address }) => this.#link.key(address)).reverse();

  /** The word of a key that the TLS key of this node speaks for it. */
  readonly credential = (key: Address): Uint8Array => {
    const known = this.#keys.find(({ address }) => address === key);
    assert(known !== undefined, `${key} is a key of the signer`);
    return known.credential;
  };

  /**
   * Begins to connect. Waits for a signer that this home has never met: without it the node does not know who it is.
   *
   * @throws NetworkError `NETWORK_SIGNER_UNAVAILABLE`
   */
  async start(): Promise<void> {
    const { promise: met, resolve } = withResolvers<void>();
    this.#met = resolve;
    this.#link.start();
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#clock.after(this.#keys.length > 0 ? meetingMs : firstMeetingMs, resolve);
    });
    await Promise.race([met, late]);
    cancel();
    if (this.#keys.length > 0) return;
    const { address, lastError } = this.#link.status();
    this.#link.close();
    const reason = lastError ?? 'no answer';
    throw new NetworkError(
      `the remote signer ${address} is not reached: ${reason}. This home has never met it; from then on the node starts without it`,
      { code: 'NETWORK_SIGNER_UNAVAILABLE', address, reason },
    );
  }

  /** Only learns who the keys are, where this is not known yet. @throws NetworkError `NETWORK_SIGNER_UNAVAILABLE` */
  async introduce(): Promise<void> {
    if (this.#keys.length > 0) return;
    await this.start();
    this.close();
  }

  /** @param listener told each time that the signer was reached, and at once when it was */
  onReady(listener: (newest: SignStateRecord | null) => void): void {
    this.#onReady = listener;
    if (this.#wasMet) listener(this.#newest);
  }

  status(): SignerLinkStatus {
    return this.#link.status();
  }

  close(): void {
    this.#link.close();
  }

  #onWelcome(keys: readonly RemoteSignerKey[], newest: SignStateRecord | null): void {
    const isSame =
      keys.length === this.#keys.length &&
      keys.every((key, index) => {
        const known = this.#keys[index]!;
        return key.address === known.address && bytesEqual(key.credential, known.credential);
      });
    if (!isSame) {
      this.#keys = keys;
      writeFileDurably(this.#keysPath, new TextEncoder().encode(formatRemoteSigner(keys)), 0o600);
    }
    this.#wasMet = true;
    this.#newest = newest;
    this.#met();
    this.#onReady?.(newest);
  }
}

function counting(memory: SharedArrayBuffer): (event: SignerEvent) => void {
  const metrics = openMetrics(nodeMetrics, memory);
  return (event) => {
    if (event.kind === 'connected') metrics.set('prime_remote_signer_connected', 1);
    else if (event.kind === 'disconnected') metrics.set('prime_remote_signer_connected', 0);
    else if (event.kind === 'answered') metrics.observe('prime_remote_signer_request_seconds', event.seconds);
    else metrics.add('prime_remote_signer_refusals_total');
  };
}
