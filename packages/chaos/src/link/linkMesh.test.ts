import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LinkMesh } from './linkMesh.ts';
import { plainLink } from './shape.ts';

/** Two listeners as two validators; 0 dials 1 through the mesh. */
let servers: Server[];
let mesh: LinkMesh;
let sockets: Socket[];
let accepted: Promise<Socket>;

beforeEach(async () => {
  sockets = [];
  servers = [createServer(), createServer()];
  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      socket.on('error', () => undefined);
      sockets.push(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const p2pPorts = servers.map((server) => (server.address() as AddressInfo).port);
  mesh = await LinkMesh.open({ p2pPorts, firstPort: null, seed: 1 });
  accepted = once(servers[1]!, 'connection').then(([socket]) => socket as Socket);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await mesh.close();
  for (const server of servers) server.close();
});

const there = { from: 0, to: 1 };
const back = { from: 1, to: 0 };

function dial(): Socket {
  const socket = connect({ host: '127.0.0.1', port: mesh.port(there), allowHalfOpen: true });
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

const exactly = async (socket: Socket, length: number): Promise<string> => {
  let text = '';
  while (text.length < length) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString();
  }
  return text;
};

/** Everything that was sent before a marker in the other direction had the time to come as well. */
const echoed = async (from: Socket, to: Socket): Promise<void> => {
  const came = exactly(to, 1);
  from.write('!');
  await came;
};

describe('a link through the mesh', () => {
  it('carries both directions, and the end of each', async () => {
    const dialler = dial();
    const listener = await accepted;
    const heard = exactly(listener, 5);
    dialler.write('hello');
    expect(await heard).toBe('hello');
    const answered = exactly(dialler, 6);
    listener.end('answer');
    expect(await answered).toBe('answer');
    await once(dialler, 'end');
    const closed = once(listener, 'end');
    dialler.end();
    await closed;
  });

  it('cut one way: the other way goes on, and what was held back travels when it heals', async () => {
    const dialler = dial();
    const listener = await accepted;
    await echoed(dialler, listener);
    mesh.change([there], { isCut: true });
    let heard = '';
    listener.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    dialler.write('held back');
    for (let times = 0; times < 5; times++) await echoed(listener, dialler);
    expect(heard).toBe('');
    mesh.change([there], { isCut: false });
    while (heard.length < 9) await once(listener, 'data');
    expect(heard).toBe('held back');
  });

  it('cut: the end of a connection is held back as well', async () => {
    const dialler = dial();
    const listener = await accepted;
    await echoed(dialler, listener);
    mesh.change([there, back], { isCut: true });
    let ended = false;
    listener.on('end', () => (ended = true));
    dialler.destroy();
    await once(dialler, 'close');
    const other = connect({ host: '127.0.0.1', port: mesh.port(back) });
    sockets.push(other);
    await once(other, 'connect');
    expect(ended).toBe(false);
    mesh.change([there, back], { isCut: false });
    listener.resume();
    await once(listener, 'end');
  });

  it.each([
    ['there', there],
    ['back', back],
  ])('cut %s: no new connection before it heals; one that gave up meanwhile never arrives', async (_name, link) => {
    let arrived = 0;
    servers[1]!.on('connection', () => (arrived += 1));
    mesh.change([link], { isCut: true });
    const impatient = dial();
    await once(impatient, 'connect');
    impatient.destroy();
    await once(impatient, 'close');
    const patient = dial();
    await once(patient, 'connect');
    patient.write('early');
    // Through the other proxy of the pair, which is as cut: neither arrives.
    expect(arrived).toBe(0);
    mesh.change([link], { isCut: false });
    expect(await exactly(await accepted, 5)).toBe('early');
    expect(arrived).toBe(1);
  });

  it('reset: both ends get an RST', async () => {
    const dialler = dial();
    const listener = await accepted;
    await echoed(dialler, listener);
    const errors = Promise.all([dialler, listener].map(async (socket) => (await once(socket, 'error'))[0] as Error));
    mesh.reset([back]);
    expect((await errors).map((error) => (error as NodeJS.ErrnoException).code)).toEqual(['ECONNRESET', 'ECONNRESET']);
  });

  it('nobody listens: the dialler is told', async () => {
    servers[1]!.close();
    const dialler = dial();
    const [error] = (await once(dialler, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it.each([
    ['latency, jitter and loss', { latencyMs: 5, jitterMs: 20, lossPerMille: 100 }],
    ['a bandwidth', { bytesPerSecond: 2_000_000 }],
    ['dribbling', { pieceBytes: 40_000 }],
  ])('%s: all bytes arrive in order, both ways', async (_name, rule) => {
    mesh.change([there, back], rule);
    const dialler = dial();
    const listener = await accepted;
    const sent = Array.from({ length: 300_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
    const heard = [exactly(listener, sent.length), exactly(dialler, sent.length)];
    dialler.write(sent);
    listener.write(sent);
    for (const text of await Promise.all(heard)) expect(text === sent).toBe(true);
  });

  it('more than a window on a cut link: the sender is not read from', async () => {
    const dialler = dial();
    await echoed(dialler, await accepted);
    mesh.change([there], { isCut: true });
    let sent = 0;
    // As much as kernel buffers on the way take; then the socket holds it itself and says so.
    while (dialler.writableLength < 1 << 20) {
      dialler.write(new Uint8Array(1 << 18));
      sent += 1 << 18;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(64 << 20);
  });

  it('a link that is usually slow is so again after a fault, and only in what the fault changed', async () => {
    const usual = { ...plainLink, latencyMs: 30, jitterMs: 2 };
    const slow = await LinkMesh.open({
      p2pPorts: [1, 2, 3],
      firstPort: null,
      seed: 1,
      usual: ({ from, to }) => (from + to === 1 ? usual : plainLink),
    });
    try {
      slow.change([there], { latencyMs: 400, isCut: true });
      slow.restore([there], ['latencyMs']);
      expect(slow.rule(there)).toEqual({ ...usual, isCut: true });
      slow.restore([there], ['isCut']);
      expect([slow.rule(there), slow.rule(back), slow.rule({ from: 0, to: 2 })]).toEqual([usual, usual, plainLink]);
    } finally {
      await slow.close();
    }
  });
});
