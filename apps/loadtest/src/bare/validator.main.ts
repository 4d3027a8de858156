import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { cryptoProvider } from '@prime/crypto';
import { createMessageReader } from './messages.ts';
import { BareValidator, type BareValidatorOptions } from './validator.ts';

/** What the parent tells a process. */
export interface BareStart extends Pick<BareValidatorOptions, 'self' | 'privateKey' | 'publicKeys' | 'bodyBytes'> {
  readonly tls: { readonly cert: string; readonly key: string };
  readonly file: string;
  /** Heights to measure between. */
  readonly from: number;
  readonly to: number;
}

/** What a process tells the parent, in this order. */
export type BareReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'connected' }
  /** @param timestampsMs of the blocks from `from` to `to` @param cpuMs processor time between them */
  | { readonly kind: 'measured'; readonly timestampsMs: readonly number[]; readonly cpuMs: number };

/** To the parent; told in turn: what to be, the ports of all, that all are connected. */
const tell = (report: BareReport): void => void process.send!(report);
const told = <T>(): Promise<T> => new Promise((resolve) => process.once('message', (message) => resolve(message as T)));

process.on('disconnect', () => process.exit());
const starting = told<BareStart>();
tell({ kind: 'ready' });
const start = await starting;
const { self, publicKeys, file, from, to } = start;

const peers: TLSSocket[] = [];
const allConnected = new Promise<void>((resolve) => {
  const add = (socket: TLSSocket): void => {
    socket.setNoDelay(true);
    socket.on(
      'data',
      createMessageReader((message) => validator.onMessage(message)),
    );
    socket.on('error', () => process.exit());
    peers.push(socket);
    if (peers.length === publicKeys.length - 1) resolve();
  };
  const options = { ...start.tls, minVersion: 'TLSv1.3', rejectUnauthorized: false } as const;
  const server = createServer({ ...options, requestCert: true }, add);
  server.listen(0, '127.0.0.1', () => {
    const ports = told<readonly number[]>();
    tell({ kind: 'listening', port: (server.address() as { port: number }).port });
    void ports.then((known) => {
      // One connection for each pair: the one with the lower number dials.
      for (const port of known.slice(self + 1)) {
        const socket: TLSSocket = connect({ ...options, host: '127.0.0.1', port }, () => add(socket));
      }
    });
  });
});

const descriptor = openSync(file, 'w');
const timestampsMs: number[] = [];
let cpuBefore = process.cpuUsage();
const validator = new BareValidator({
  ...start,
  provider: await cryptoProvider(),
  record(bytes) {
    writeSync(descriptor, bytes);
    fdatasyncSync(descriptor);
  },
  broadcast(bytes) {
    for (const peer of peers) peer.write(bytes);
  },
  onCommit(height, timestampMs) {
    if (height === from) cpuBefore = process.cpuUsage();
    if (height >= from && height <= to) timestampsMs.push(timestampMs);
    if (height !== to) return;
    const { user, system } = process.cpuUsage(cpuBefore);
    tell({ kind: 'measured', timestampsMs, cpuMs: (user + system) / 1000 });
  },
});
await allConnected;
const go = told();
tell({ kind: 'connected' });
await go;
validator.start();
