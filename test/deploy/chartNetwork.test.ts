/**
 * A network of real processes, made of what the chart renders: each process gets the files and arguments that its containers would get. Names and ports of
 * pods become ports of this machine, and nothing else is changed.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseGenesis } from '@prime/config';
import { rpc } from '@prime/load/rpc';
import { freeBasePort, run, until } from '@prime/testkit';
import { privateKeyToAccount } from 'viem/accounts';
import { cli } from '../e2e/operations/program.ts';
import { root } from '../repo/repository.ts';
import { hasHelm, render, type Values } from './helm.ts';
import { type KubernetesObject, ofKind, type Workload, workloadsOf } from './kubernetes.ts';
import type { ValidatorValues } from './values.ts';

/** Validators v0 to v3, the last one with a signer; then that signer and a follower. */
const names = ['prime-v0', 'prime-v1', 'prime-v2', 'prime-v3', 'prime-v3-signer', 'prime-followers'];
/** For a block that comes when validators are back: longer than that takes anywhere. */
const waitMs = 170_000;
const portsPerPod = 10;
const offsets = { '8545': 0, '26656': 1, '9100': 2, '26670': 3, '9200': 4 } as const;

let folder: string;
let basePort: number;
let objects: readonly KubernetesObject[];
const running = new Map<string, { readonly child: ChildProcess; readonly lines: string[] }>();

const placeOf = (name: string, port: keyof typeof offsets): number =>
  basePort + portsPerPod * names.indexOf(name) + offsets[port];
const urlOf = (name: string, port: '8545' | '9100', path = ''): string =>
  `http://127.0.0.1:${placeOf(name, port)}${path}`;

/** Text of a ConfigMap with the places of this machine. */
const localized = (text: string, self: string): string =>
  text
    .replace(/0\.0\.0\.0:(\d+)/g, (_, port: keyof typeof offsets) => `127.0.0.1:${placeOf(self, port)}`)
    .replace(
      /([\w-]+)-0\.prime-\w+\.default\.svc:(\d+)/g,
      (_, name: string, port: keyof typeof offsets) => `127.0.0.1:${placeOf(name, port)}`,
    )
    .replace(
      /"([\w-]+)-0\.prime-\w+\.default\.svc"\nport = 26656/g,
      (_, name: string) => `"127.0.0.1"\nport = ${placeOf(name, '26656')}`,
    );

const workloadOf = (name: string): Workload => workloadsOf(objects).find((each) => each.name === name)!;
/** What stands at a path of a pod. */
const mountOf = (name: string, path: string): string => join(folder, name, path);
const inPod = (name: string, args: readonly string[]): string[] =>
  args.map((argument) => (/^\/(?:config|keys|password|var)\b/.test(argument) ? mountOf(name, argument) : argument));

/** Writes what the volumes of a pod hold. @param keys where its Secret comes from; null has none */
function mount(name: string, keys: string | null): void {
  const { sources } = workloadOf(name).template.spec.volumes!.find((volume) => volume.name === 'config')!.projected!;
  mkdirSync(mountOf(name, '/config'), { recursive: true });
  for (const { configMap } of sources) {
    const { data = {} } = ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name === configMap!.name)!;
    for (const [file, text] of Object.entries(data))
      writeFileSync(join(mountOf(name, '/config'), file), file === 'genesis.json' ? text : localized(text, name));
  }
  if (keys === null) return;
  mkdirSync(mountOf(name, '/keys'), { recursive: true });
  // The key of v3 is in the signer, and its Secret has the TLS files alone.
  for (const file of ['signer.json', 'tls.key.pem', 'tls.cert.pem'])
    if (file !== 'signer.json' || name !== 'prime-v3')
      cpSync(join(keys, file), join(mountOf(name, '/keys'), file), { mode: 0 });
  // A Secret of its own.
  if (!workloadOf(name).template.spec.volumes!.some((volume) => volume.name === 'password')) return;
  mkdirSync(mountOf(name, '/password'));
  cpSync(join(keys, 'password'), mountOf(name, '/password/password'));
}

/** Runs the init container of a pod. */
const provision = (name: string, keysOf = name) => {
  const [container] = workloadOf(name).template.spec.initContainers!;
  const args = inPod(name, container!.args!).map((argument) =>
    argument === mountOf(name, '/keys') ? mountOf(keysOf, '/keys') : argument,
  );
  return spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });
};

/** Starts the container of a pod, and waits until it says that it serves. */
async function start(name: string): Promise<void> {
  const { status, stderr } = provision(name);
  expect([name, status, stderr]).toEqual([name, 0, '']);
  const [container] = workloadOf(name).template.spec.containers;
  const own = (container!.env ?? []).map(({ name: variable, value = '' }) => [variable, inPod(name, [value])[0]!]);
  const child = spawn(process.execPath, [cli, ...inPod(name, container!.args!)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(Object.fromEntries(own) as Record<string, string>) },
  });
  const lines: string[] = [];
  running.set(name, { child, lines });
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (line.includes('"msg":"ready"') || line.includes('"msg":"signer ready"')) resolve();
      });
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${lines.slice(-20).join('\n')}`)));
  });
}

async function stop(name: string): Promise<number | null> {
  const { child } = running.get(name)!;
  running.delete(name);
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  return ((await gone) as [number | null])[0];
}

/** What `prime health` says of a node, as the engine of a container asks it. */
const health = (name: string, path: string) =>
  spawnSync(process.execPath, [cli, 'health', '--url', urlOf(name, '9100', path), '--timeout', '10000'], {
    encoding: 'utf8',
  });
const isReady = (name: string) => until(`${name} is ready`, async () => health(name, '/ready').status === 0);

/** A call that may wait for a block. */
const ask = <Result>(name: string, method: string, params: readonly unknown[] = []): Promise<Result> =>
  rpc<Result>(urlOf(name, '8545'), method, params, 2 * waitMs);
const heightOf = async (name: string): Promise<number> => Number(await ask(name, 'eth_blockNumber'));

/** Homes of a network that is no test network, with the key of the last validator in a signer; and the values of the chart for them. */
async function homesAndValues(): Promise<Values> {
  const net = join(folder, 'net');
  await run(['testnet', 'init', '--validators', '4', '--preset', 'testnet', '--out', net]);
  const { output } = await run([
    'signer',
    'init',
    '--home',
    join(net, 'signer3'),
    '--node-home',
    join(net, 'validator3'),
  ]);
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'chartValues.mjs'), net], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  const { validators } = JSON.parse(stdout) as { readonly validators: readonly ValidatorValues[] };
  const signer = { spki: /pin (0x[0-9a-f]{64})/.exec(output)![1], passwordSecret: 'v3-signer-password' };
  const keyed = (name: string) => (name === 'v3' ? { signer } : { passwordSecret: `${name}-password` });
  return {
    genesis: { json: readFileSync(join(net, 'validator0', 'genesis.json'), 'utf8') },
    validators: validators.map((validator) => ({ ...validator, ...keyed(validator.name) })),
    followers: { enabled: true },
    // A busy machine makes votes late.
    config: { limits: { busy_delay_ms: 180_000, overload_delay_ms: 180_000, send_sync_ms_max: waitMs } },
  };
}

beforeAll(async () => {
  if (!hasHelm) return;
  folder = mkdtempSync(join(tmpdir(), 'prime-release-'));
  basePort = await freeBasePort(names.length);
  objects = render({ example: null, values: await homesAndValues() });
  const keysIn = (home: string): string => join(folder, 'net', home, 'keys');
  for (const index of [0, 1, 2, 3]) mount(`prime-v${index}`, keysIn(`validator${index}`));
  mount('prime-v3-signer', keysIn('signer3'));
  mount('prime-followers', null);
  // A node that never met its signer waits for it.
  await start('prime-v3-signer');
  await Promise.all(names.filter((name) => name !== 'prime-v3-signer').map(start));
});
afterAll(async () => {
  await Promise.all([...running.keys()].map(stop));
  if (hasHelm) rmSync(folder, { recursive: true, force: true });
});

(hasHelm ? describe : describe.skip)('a release of the chart, as processes', () => {
  it('every pod of it is there', () => {
    expect(
      workloadsOf(objects)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
  });

  it('validators and a follower with keys of its own become ready, and agree on blocks', async () => {
    for (const name of names.filter((each) => each !== 'prime-v3-signer')) await isReady(name);
    const genesis = parseGenesis(readFileSync(join(mountOf('prime-v0', '/config'), 'genesis.json'), 'utf8'));
    // No test network: a follower that nobody listed is let in because the chart says so.
    expect(genesis.testNetwork).toBe(false);
    const height = await until('five blocks', async () => {
      const at = await heightOf('prime-followers');
      return at >= 5 && at;
    });
    const hashes = await Promise.all(
      ['prime-v0', 'prime-v3', 'prime-followers'].map((name) =>
        until(`${name} has block ${height}`, async () => {
          const block = (await ask(name, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false])) as {
            hash: string;
          } | null;
          return block?.hash ?? null;
        }),
      ),
    );
    expect(new Set(hashes).size).toBe(1);
  });

  it('a follower tells how many requests it has in work', async () => {
    const inFlight = async (): Promise<number> => {
      const text = await (await fetch(urlOf('prime-followers', '9100', '/metrics'))).text();
      return Number(/^prime_rpc_in_flight (\d+)$/m.exec(text)![1]);
    };
    expect(await inFlight()).toBe(0);
    const owner = join(folder, 'net', 'owners', 'validator0.json');
    const privateKey = (await run(['key', 'export', owner, '--yes'])).output.trim() as `0x${string}`;
    const raw = await privateKeyToAccount(privateKey).signTransaction({
      chainId: Number(await ask('prime-followers', 'eth_chainId')),
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 100_000_000_000n,
      to: `0x${'01'.repeat(20)}`,
      type: 'eip1559',
    });
    // Two of four are away: no block comes, and who waits for one goes on waiting.
    await Promise.all([stop('prime-v1'), stop('prime-v2')]);
    const waiting = ask('prime-followers', 'eth_sendRawTransactionSync', [raw, `0x${waitMs.toString(16)}`]);
    await until('a request is in work', async () => (await inFlight()) === 1);
    await Promise.all([start('prime-v1'), start('prime-v2')]);
    expect(await waiting).toMatchObject({ status: '0x1' });
    await until('none is', async () => (await inFlight()) === 0);
  });

  it('one validator after another is restarted with its claim, and the chain goes on', async () => {
    for (const name of ['prime-v0', 'prime-v3']) {
      expect([name, await stop(name)]).toEqual([name, 0]);
      expect(health(name, '/health')).toMatchObject({ status: 1, stderr: expect.stringContaining('is not reached') });
      const before = await heightOf('prime-v1');
      await until('the others go on', async () => (await heightOf('prime-v1')) > before + 2);
      await start(name);
      await isReady(name);
    }
  });

  it('a claim is refused to the keys of another validator', async () => {
    expect(await stop('prime-v1')).toBe(0);
    const { status, stderr } = provision('prime-v1', 'prime-v2');
    expect({ status, stderr }).toEqual({ status: 65, stderr: expect.stringContaining('[CLI_OTHER_HOME]') });
    await start('prime-v1');
    await isReady('prime-v1');
  });

  it('a follower that is started anew keeps its keys and its blocks', async () => {
    const file = join(mountOf('prime-followers', '/var/lib/prime'), 'keys', 'signer.json');
    const keys = readFileSync(file, 'utf8');
    expect(await stop('prime-followers')).toBe(0);
    await start('prime-followers');
    await isReady('prime-followers');
    expect(readFileSync(file, 'utf8')).toBe(keys);
  });
});
