import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { voteSignBytes } from '@prime/codec';
import { type CryptoProvider, cryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import type { Clock, LockState, SignRequest, SignStateRecord, SignStateStore } from '@prime/engine';
import { type Address, type Hash, type Height, type Round, utf8ToBytes } from '@prime/primitives';
import { connect, type TLSSocket } from 'node:tls';
import { systemClock } from '../testing/harness.ts';
import { generateTlsIdentity, type TlsIdentity } from '../session/tlsIdentity.ts';
import { createTlsSettings } from '../session/tlsOptions.ts';
import { type SignerEvent, SignerLink, type SignerLinkOptions } from './client.ts';
import { createSigningDesk, type HeldKey } from './desk.ts';
import { encodeSignerMessage, signerProtocol } from './messages.ts';
import { SignerServer } from './server.ts';

/** Both ends over real TLS on loopback; every wait is for an event. */

const chainId = 7919;
const genesisHash = `0x${'99'.repeat(32)}` as Hash;
const unlocked: LockState = { lockedRound: -1 as Round, lockedValue: null, validRound: -1 as Round, validValue: null };
let provider: CryptoProvider;
let [signerTls, nodeTls, strangerTls]: TlsIdentity[] = [];
let key: HeldKey;
let nextKey: HeldKey;
const heldKey = (words: string): HeldKey => {
  const privateKey = keccak256(utf8ToBytes(words));
  const publicKey = provider.publicKey(privateKey);
  return { publicKey, address: publicKeyToAddress(publicKey), sign: (digest) => provider.sign(digest, privateKey) };
};
beforeAll(async () => {
  provider = await cryptoProvider();
  [signerTls, nodeTls, strangerTls] = await Promise.all([1, 2, 3].map(() => generateTlsIdentity()));
  key = heldKey('signer of a test');
  nextKey = heldKey('the next one');
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Counts what happens and resolves who waits for it. */
function createSignal() {
  let count = 0;
  const waiting: { readonly at: number; resolve(): void }[] = [];
  return {
    fire: () => {
      count += 1;
      for (const one of waiting.splice(0))
        if (one.at <= count) one.resolve();
        else waiting.push(one);
    },
    times: (at: number) =>
      new Promise<void>((resolve) => {
        if (count >= at) resolve();
        else waiting.push({ at, resolve });
      }),
  };
}

interface Logged {
  readonly words: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** A signer whose watermark survives its restarts. */
function createSigner(nodes: readonly TlsIdentity[] = [nodeTls!], chain = chainId) {
  const records: SignStateRecord[] = [];
  const logged: Logged[] = [];
  const turned = createSignal();
  let failWrites = false;
  let fatal: unknown = null;
  let held: readonly HeldKey[] = [key];
  const store: SignStateStore = {
    read: () => records.at(-1) ?? null,
    write: (record) => {
      if (failWrites) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      records.push(record);
    },
    isSealed: () => false,
    unseal: () => undefined,
    close: () => undefined,
  };
  const start = async (port = 0): Promise<{ server: SignerServer; port: number }> => {
    const log = (words: string, fields?: Logged['fields']): void => {
      logged.push({ words, fields });
      if (words.includes('turned away')) turned.fire();
    };
    const server = new SignerServer({
      listen: { host: '127.0.0.1', port },
      tls: signerTls!,
      nodes: nodes.map(({ spki }, index) => ({ name: `node${index}`, spki })),
      chainId: chain,
      genesisHash,
      desk: createSigningDesk({ chainId: chain, genesisHash, store, keys: () => held, provider }),
      clock: systemClock,
      log: { debug: log, info: log, warn: log },
      onFatal: (error) => {
        fatal = error;
      },
    });
    const bound = await server.start();
    closing.push(() => server.close());
    return { server, port: bound.port };
  };
  return {
    records,
    logged,
    turned,
    start,
    hold: (keys: readonly HeldKey[]) => {
      held = keys;
    },
    breakDisk: () => {
      failWrites = true;
    },
    fatal: () => fatal,
  };
}

function createNode(port: number, changes: Partial<SignerLinkOptions> = {}) {
  const events = createSignal();
  const gone = createSignal();
  const dropped = createSignal();
  const welcomes: { keys: readonly Address[]; newest: SignStateRecord | null }[] = [];
  const seen: SignerEvent[] = [];
  const link = new SignerLink({
    endpoint: { host: '127.0.0.1', port },
    spki: signerTls!.spki,
    tls: nodeTls!,
    chainId,
    genesisHash,
    newest: () => null,
    onWelcome: (keys, newest) => {
      welcomes.push({ keys: keys.map(({ address }) => address), newest });
      events.fire();
    },
    clock: systemClock,
    random: () => 0,
    log: { debug: () => undefined, info: () => undefined, warn: () => dropped.fire() },
    observe: (event) => {
      seen.push(event);
      if (event.kind === 'disconnected') gone.fire();
    },
    ...changes,
  });
  closing.push(() => link.close());
  return { link, welcomes, seen, connected: events, gone, dropped };
}

const vote = (height: number, blockHash: Hash | null = null, lock = unlocked): SignRequest => ({
  height: height as Height,
  round: 0 as Round,
  step: 2,
  signBytes: voteSignBytes(chainId, genesisHash, {
    type: 'prevote',
    height: height as Height,
    round: 0 as Round,
    blockHash,
  }),
  lock,
});
const request = (link: SignerLink, asked: SignRequest, isWanted = (): boolean => true): Promise<Uint8Array> =>
  new Promise((resolve) => link.key(key.address).request(asked, isWanted, resolve));

describe('a node and its remote signer', () => {
  it('are pinned to each other, and the node learns keys and newest signature before it asks', async () => {
    const signer = createSigner();
    const { port, server } = await signer.start();
    const node = createNode(port);
    expect(node.link.key(key.address).isReady()).toBe(false);
    node.link.start();
    await node.connected.times(1);
    expect(node.welcomes).toEqual([{ keys: [key.address], newest: null }]);
    expect(node.link.key(key.address).isReady()).toBe(true);
    const signature = await request(node.link, vote(1));
    expect(provider.verify(keccak256(vote(1).signBytes), signature, key.publicKey)).toBe(true);
    expect(signer.records).toHaveLength(1);
    expect(node.link.status()).toMatchObject({ connected: true, waiting: 0, signed: 1, refused: 0, lastError: null });
    expect(server.status()).toEqual({ nodes: ['node0'], signed: 1, refused: 0, turnedAway: 0 });
  });

  it('a key is added while both run: the node learns it on the same connection, and it signs behind the same watermark', async () => {
    const signer = createSigner();
    const { port, server } = await signer.start();
    const node = createNode(port);
    node.link.start();
    await node.connected.times(1);
    await request(node.link, vote(1));
    signer.hold([nextKey, key]);
    server.keysChanged();
    await node.connected.times(2);
    expect(node.welcomes[1]).toEqual({ keys: [nextKey.address, key.address], newest: signer.records[0] });
    const asked = vote(2);
    const signature = await new Promise<Uint8Array>((resolve) =>
      node.link.key(nextKey.address).request(asked, () => true, resolve),
    );
    expect(provider.verify(keccak256(asked.signBytes), signature, nextKey.publicKey)).toBe(true);
    // Never a second message at one place, whichever key is asked.
    const refused = createSignal();
    node.link.key(key.address).request(
      vote(2, genesisHash),
      () => true,
      () => refused.fire(),
    );
    await request(node.link, vote(3));
    expect(node.link.status()).toMatchObject({ signed: 3, refused: 1 });
    expect(node.seen.filter(({ kind }) => kind === 'connected' || kind === 'disconnected')).toHaveLength(1);
    expect(server.status().nodes).toEqual(['node0']);
  });

  it('what is asked while the signer is away is signed when it comes, in order', async () => {
    const signer = createSigner();
    const { port, server } = await signer.start();
    await server.close();
    const node = createNode(port);
    node.link.start();
    const answers = Promise.all([1, 2, 3].map((height) => request(node.link, vote(height))));
    await node.dropped.times(1);
    expect(node.link.status()).toMatchObject({ connected: false, waiting: 3, lastError: 'ECONNREFUSED' });
    await signer.start(port);
    await answers;
    expect(signer.records.map(({ height }) => height)).toEqual([1, 2, 3]);
  });

  it('a signer that restarts: the same message gets the same signature, what is wanted no more is not asked for', async () => {
    const signer = createSigner();
    const first = await signer.start();
    const node = createNode(first.port);
    node.link.start();
    const before = await request(node.link, vote(1));
    await first.server.close();
    await node.gone.times(1);
    let isWanted = true;
    request(node.link, vote(2), () => isWanted).catch(() => undefined);
    isWanted = false;
    await signer.start(first.port);
    await node.connected.times(2);
    expect(await request(node.link, vote(1))).toEqual(before);
    expect(node.welcomes.at(-1)!.newest).toMatchObject({ height: 1 });
    expect(signer.records.map(({ height }) => height)).toEqual([1]);
  });

  it('two nodes: the one that asks first at a place is signed, the other one gets a refusal and goes on', async () => {
    const signer = createSigner([nodeTls!, strangerTls!]);
    const { port } = await signer.start();
    const refusals = createSignal();
    const [one, two] = [
      createNode(port),
      createNode(port, { tls: strangerTls!, observe: ({ kind }) => kind === 'refused' && refusals.fire() }),
    ];
    for (const node of [one, two]) {
      node.link.start();
      await node.connected.times(1);
    }
    const value = `0x${'01'.repeat(32)}` as Hash;
    const first = await request(one.link, vote(1, value));
    request(two.link, vote(1)).catch(() => undefined);
    await refusals.times(1);
    expect(await request(two.link, vote(1, value))).toEqual(first);
    await request(two.link, vote(2));
    expect(signer.records.map(({ height }) => height)).toEqual([1, 2]);
    expect(two.link.status()).toMatchObject({ connected: true, refused: 1, waiting: 0 });
  });

  it('a node that knows a newer signature than a restored signer raises it', async () => {
    const signer = createSigner();
    const { signBytes } = vote(9);
    const newest: SignStateRecord = {
      ...vote(9),
      signature: key.sign(keccak256(signBytes)),
      ...unlocked,
    };
    const { port } = await signer.start();
    const node = createNode(port, { newest: () => newest });
    node.link.start();
    await node.connected.times(1);
    expect(node.welcomes[0]!.newest).toMatchObject({ height: 9 });
    expect(signer.records.map(({ height }) => height)).toEqual([9]);
    expect(signer.logged.map(({ words }) => words)).toContainEqual(expect.stringContaining('the watermark is raised'));
  });

  it('another key than the pinned one, on either side, comes to nothing, and the words say which', async () => {
    const signer = createSigner();
    const { port, server } = await signer.start();
    const stranger = createNode(port, { tls: strangerTls! });
    stranger.link.start();
    await signer.turned.times(1);
    expect(signer.logged[0]!.fields!['reason']).toContain(strangerTls!.spki);
    expect(server.status()).toMatchObject({ nodes: [], turnedAway: 1 });
    stranger.link.close();
    const misled = createNode(port, { spki: strangerTls!.spki });
    misled.link.start();
    await misled.dropped.times(1);
    expect(misled.link.status().lastError).toBe(
      `its TLS pin is ${signerTls!.spki}, and signer.spki is ${strangerTls!.spki}`,
    );
    expect([stranger.welcomes, misled.welcomes]).toEqual([[], []]);
  });

  it('a signer of another network: nothing is asked, and the node says so', async () => {
    const { port } = await createSigner([nodeTls!], chainId + 1).start();
    const node = createNode(port);
    node.link.start();
    await node.dropped.times(1);
    expect(node.link.status().lastError).toContain(`it is for chain ${chainId + 1}`);
    expect(node.welcomes).toEqual([]);
  });

  it('an unsigned call fails at once while the signer is away, and when it is lost on the way', async () => {
    const signer = createSigner();
    const { port } = await signer.start();
    const node = createNode(port);
    const call = (): Promise<Uint8Array> => node.link.key(key.address).signAction(Uint8Array.of(0x50));
    await expect(call()).rejects.toMatchObject({ code: 'NETWORK_SIGNER_UNAVAILABLE' });
    node.link.start();
    await node.connected.times(1);
    await expect(call()).rejects.toMatchObject({ code: 'NETWORK_SIGNER_REFUSED', detail: { refusal: 'malformed' } });
    const lost = call();
    node.link.close();
    await expect(lost).rejects.toMatchObject({
      code: 'NETWORK_SIGNER_UNAVAILABLE',
      message: expect.stringContaining('the outcome is unknown'),
    });
  });

  it('a connection that lasts: timers that are over are forgotten', async () => {
    const signer = createSigner();
    const { port } = await signer.start();
    const due: (() => void)[] = [];
    let cancelled = 0;
    const clock: Clock = {
      ...systemClock,
      after: (_delayMs, callback) => {
        due.push(callback);
        return () => void (cancelled += 1);
      },
    };
    const node = createNode(port, { clock });
    node.link.start();
    await node.connected.times(1);
    for (let fired = 0; fired < 1_000; fired++) due.shift()!();
    node.link.close();
    expect(cancelled).toBe(due.length);
  });

  it('a watermark that can not be written: no signature, the signer stops serving and says why', async () => {
    const signer = createSigner();
    const { port } = await signer.start();
    const node = createNode(port);
    node.link.start();
    await node.connected.times(1);
    signer.breakDisk();
    const signed = jest.fn();
    request(node.link, vote(1)).then(signed, () => undefined);
    await node.gone.times(1);
    expect([signed.mock.calls, signer.fatal()]).toEqual([[], expect.objectContaining({ code: 'ENOSPC' })]);
  });
});

describe('a signer and who misbehaves', () => {
  const dial = async (port: number, protocol = signerProtocol): Promise<TLSSocket> => {
    const { settings } = createTlsSettings(nodeTls!, protocol);
    const socket = connect({ ...settings, host: '127.0.0.1', port, servername: '' });
    socket.on('error', () => undefined);
    closing.push(() => socket.destroy());
    return socket;
  };
  const ended = (socket: TLSSocket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));
  const sign = (): Uint8Array =>
    encodeSignerMessage({ kind: 'sign', id: 1, key: key.address, signBytes: vote(1).signBytes, lock: unlocked });

  it('a request before the hello, a length beyond the limit, an unknown type, garbage: the end, and nothing signed', async () => {
    const signer = createSigner();
    const { port } = await signer.start();
    const wrong = [
      sign(),
      Uint8Array.of(0xff, 0xff, 0xff, 0xff, 1),
      Uint8Array.of(0, 0, 0, 3, 99, 1, 2),
      Uint8Array.of(0, 0, 0, 3, 1, 0xff, 0xff),
    ];
    for (const bytes of wrong) {
      const socket = await dial(port);
      const end = ended(socket);
      socket.write(bytes);
      await end;
    }
    expect(signer.records).toEqual([]);
    expect(signer.logged.filter(({ words }) => words.includes('turned away'))).toHaveLength(wrong.length);
  });

  it('another application protocol is turned away', async () => {
    const { port, server } = await createSigner().start();
    await ended(await dial(port, 'prime/1'));
    expect(server.status()).toMatchObject({ nodes: [], turnedAway: 1 });
  });
});
