import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesToHex } from '@prime/primitives';
import { HandClock, RawPeer, TestNet, type TestNode } from '../testing/harness.ts';
import { createTlsSettings } from './tlsOptions.ts';

let net: TestNet;
beforeAll(async () => {
  net = await TestNet.create(4);
});
afterEach(() => net.close());

const handshakeTimeoutMs = 150;

describe('TLS', () => {
  const dialRaw = (node: TestNode, options: object): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({ ...node.endpoint, rejectUnauthorized: false, servername: '', ...options });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      socket.on('close', () => resolve('closed'));
    });

  it('refuses clients without a certificate, with TLS 1.2, or of another application protocol', async () => {
    const server = await net.node(0, { limits: { handshakeTimeoutMs: 60_000 } });
    const { settings } = createTlsSettings(net.identities[1]!.tls);
    await dialRaw(server, { ALPNProtocols: settings.ALPNProtocols });
    await dialRaw(server, { ...settings, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', secureContext: undefined });
    await dialRaw(server, { ...settings, ALPNProtocols: ['http/1.1'] });
    await dialRaw(server, { ...settings, ALPNProtocols: undefined });
    await server.recorder.until(() => server.recorder.of('refused').length === 4);
    expect(server.recorder.of('refused').map(({ error }) => error.code)).toEqual(Array(4).fill('NETWORK_TLS_REFUSED'));
  });

  it('never resumes a session', async () => {
    const server = await net.node(0);
    const { settings } = createTlsSettings(net.identities[1]!.tls);
    const sessions: Buffer[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const session = sessions.at(-1);
      const socket = connect({ ...settings, ...server.endpoint, servername: '', ...(session && { session }) });
      const peer = new RawPeer(socket, net.identities[1]!, server.identity.tls.spki);
      const ticket = new Promise<void>((resolve) => {
        socket.on('session', (value) => {
          sessions.push(value);
          resolve();
        });
      });
      await new Promise((resolve) => socket.once('secureConnect', resolve));
      peer.write(peer.hello({ instance: bytesToHex(new Uint8Array(32).fill(attempt)) }));
      await server.recorder.until(() => server.recorder.of('connected').length === attempt + 1);
      await ticket;
      expect(socket.isSessionReused()).toBe(false);
      socket.destroy();
      await server.recorder.until(() => server.recorder.of('disconnected').length === attempt + 1);
    }
  });

  it('a connection that stalls before or inside of TLS is cut at the deadline and frees its slot', async () => {
    const clock = new HandClock();
    const server = await net.node(0, { limits: { handshakeTimeoutMs, unauthenticatedMax: 1 }, clock });
    const stalled = connectTcp(server.endpoint);
    const gone = new Promise((resolve) => stalled.once('close', resolve));
    stalled.on('error', () => undefined);
    await new Promise((resolve) => stalled.once('connect', resolve));
    stalled.write(Buffer.from([0x16, 3, 1]));
    const refused = connectTcp(server.endpoint);
    refused.on('error', () => undefined);
    expect((await server.recorder.next('refused')).error.detail).toEqual({
      code: 'NETWORK_INBOUND_LIMIT',
      limit: 'unauthenticated',
    });
    clock.advance(handshakeTimeoutMs);
    await gone;
    expect(server.recorder.of('refused')[1]!.error.code).toBe('NETWORK_HANDSHAKE_TIMEOUT');
    const peer = await net.raw(server, net.identities[1]!);
    peer.write(peer.hello());
    expect((await server.recorder.next('connected')).peer.address).toBe(net.identities[1]!.address);
  });

  it('counts connections per address, and gives the place back when one closes', async () => {
    const server = await net.node(0, { limits: { inboundPerLoopbackMax: 1 } });
    const first = await net.raw(server, net.identities[1]!);
    first.write(first.hello());
    await server.recorder.next('connected');
    const second = connectTcp(server.endpoint);
    second.on('error', () => undefined);
    expect((await server.recorder.next('refused')).error.detail).toEqual({
      code: 'NETWORK_INBOUND_LIMIT',
      limit: 'ip',
    });
    first.socket.destroy();
    await server.recorder.next('disconnected');
    const third = await net.raw(server, net.identities[2]!);
    third.write(third.hello());
    await server.recorder.next('connected', ({ peer }) => peer.address === net.identities[2]!.address);
  });
});
