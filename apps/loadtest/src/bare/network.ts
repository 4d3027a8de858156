import { type ChildProcess, fork } from 'node:child_process';
import { createECDH } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateTlsIdentity } from '@prime/network';
import type { BareReport, BareStart } from './validator.main.ts';

/** A network of nothing but consensus, and how long it is measured. */
export interface BareOptions {
  readonly validators: number;
  /** Blocks to measure, and blocks before them. */
  readonly blocks: number;
  readonly warmup: number;
  readonly bodyBytes: number;
}

/** What consensus alone costs: the least that any block can take here. */
export interface BareFigures {
  /** Between the timestamps of consecutive blocks, ms. */
  readonly intervals: readonly number[];
  /** Processor time of a block on each validator, ms. */
  readonly cpuMs: number;
}

/**
 * The peer of the consensus benchmark: processes that do the happy path of Tendermint over TLS with native signatures, each on the
 * disk before it is sent, and nothing else ({@link BareValidator}). It bounds what a validator can reach on the same machine.
 *
 * @throws Error when a process ends
 */
export async function runBareNetwork({ validators, blocks, warmup, bodyBytes }: BareOptions): Promise<BareFigures> {
  const directory = await mkdtemp(join(tmpdir(), 'prime-bare-'));
  const tls = await generateTlsIdentity();
  const keys = Array.from({ length: validators }, newKey);
  const program = fileURLToPath(new URL('./validator.main.js', import.meta.url));
  const children = keys.map(() => fork(program, { serialization: 'advanced' }));
  try {
    const all = <Kind extends BareReport['kind']>(kind: Kind) =>
      Promise.all(children.map((child) => reported(child, kind)));
    await all('ready');
    const listening = all('listening');
    children.forEach((child, self) => {
      const start: BareStart = {
        self,
        privateKey: keys[self]!.privateKey,
        publicKeys: keys.map(({ publicKey }) => publicKey),
        bodyBytes,
        tls: { cert: tls.certificatePem, key: tls.privateKeyPem },
        file: join(directory, `${self}.log`),
        from: warmup + 1,
        to: warmup + 1 + blocks,
      };
      child.send(start);
    });
    const ports = (await listening).map(({ port }) => port);
    const connected = all('connected');
    for (const child of children) child.send(ports);
    await connected;
    const measured = all('measured');
    for (const child of children) child.send('go');
    const figures = await measured;
    const { timestampsMs } = figures[0]!;
    const cpuMs = figures.reduce((sum, each) => sum + each.cpuMs, 0) / (validators * blocks);
    return { intervals: timestampsMs.slice(1).map((time, index) => time - timestampsMs[index]!), cpuMs };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  }
}

function newKey(): { readonly privateKey: Uint8Array; readonly publicKey: Uint8Array } {
  const pair = createECDH('secp256k1');
  const publicKey = Uint8Array.from(pair.generateKeys());
  // Leading zeros are left out by Node.
  const privateKey = new Uint8Array(32);
  const bytes = pair.getPrivateKey();
  privateKey.set(bytes, 32 - bytes.length);
  return { privateKey, publicKey };
}

type ReportOf<Kind extends BareReport['kind']> = Extract<BareReport, { readonly kind: Kind }>;

const reported = <Kind extends BareReport['kind']>(child: ChildProcess, kind: Kind): Promise<ReportOf<Kind>> =>
  new Promise((resolve, reject) => {
    const listen = (message: unknown): void => {
      const report = message as BareReport;
      if (report.kind !== kind) return;
      child.off('message', listen);
      resolve(report as ReportOf<Kind>);
    };
    child.on('message', listen);
    child.once('exit', (code) => reject(new Error(`a process of the bare network ended with ${code}`)));
  });
