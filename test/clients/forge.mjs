/** forge against a Prime network: see lib/report.mjs for what it is given and what it tells. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowed, chainId, parallelSends } from './lib/expectations.mjs';
import { foundry } from './lib/program.mjs';
import { absent, readTask, report } from './lib/report.mjs';

const task = readTask();
/** A key that nobody else has: its account is given code. */
const authority = `0x${randomBytes(32).toString('hex')}`;
/** What the scripts and tests in `forge/` read from their environment. */
const environment = {
  PROBE_AUTHORITY: authority,
  PROBE_KEY: task.privateKey,
  PROBE_PEER: task.peer,
  PROBE_URL: task.rpcUrl,
};
const forge = foundry('forge', environment);
const cast = foundry('cast');
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const rpc = ['--rpc-url', task.rpcUrl];
const key = ['--private-key', task.privateKey];
const probe = 'src/Probe.sol:Probe';

/** A project as a user has it; solc is the one of npm, since forge would fetch its own. */
async function prepare() {
  await mkdir(join(task.directory, 'src'));
  await cp(at('contracts/Probe.sol'), join(task.directory, 'src', 'Probe.sol'));
  for (const folder of ['script', 'test'])
    await cp(at(`forge/${folder}`), join(task.directory, folder), { recursive: true });
  const settings = [
    '[profile.default]',
    `solc = ${JSON.stringify(at('solc.mjs'))}`,
    'evm_version = "prague"',
    'optimizer = true',
    'offline = true',
    'fs_permissions = [{ access = "read-write", path = "./" }]',
  ];
  await writeFile(join(task.directory, 'foundry.toml'), `${settings.join('\n')}\n`);
  await forge('build');
}
await prepare();

const created = (output) => {
  const address = /Deployed to: (0x[0-9a-fA-F]{40})/.exec(output)?.[1];
  assert.ok(address, output);
  return address;
};
const read = (address, signature, ...args) => cast('call', address, signature, ...args, ...rpc);
const create = async (...options) =>
  created(await forge('create', probe, '--broadcast', ...options, ...rpc, '--constructor-args', `${allowed}`));

/** Runs a script of forge/script/Probe.s.sol. @returns the receipts of what it has broadcast */
async function script(name, ...options) {
  const target = `script/Probe.s.sol:${name}`;
  await forge('script', target, '--broadcast', '--non-interactive', ...options, ...rpc);
  const path = join(task.directory, 'broadcast', 'Probe.s.sol', `${chainId}`, 'run-latest.json');
  const { receipts } = JSON.parse(await readFile(path, 'utf8'));
  for (const { status } of receipts) assert.equal(status, '0x1');
  return receipts;
}

/** Runs one test of forge/test/Fork.t.sol on the live state. */
const forked =
  (name, url = task.rpcUrl) =>
  async () => {
    const output = await forge('test', '--match-test', name, '--fork-url', url, '--no-storage-caching');
    assert.match(output, /1 passed; 0 failed/);
  };

/** Contracts of the script. */
let places;

const byCast = absent('cast does it');
const none = absent('it has no such thing');
await report({
  connect: async () => {
    environment.PROBE_BLOCK = await cast('block-number', ...rpc);
    assert.equal(Number(await cast('chain-id', ...rpc)), chainId);
  },
  addresses: byCast,
  deploy: async () => {
    assert.equal(await read(await create(...key), 'allowed()(uint256)'), `${allowed}`);
  },
  nodeSigned: async () => {
    const address = await create('--unlocked', '--from', task.address);
    assert.equal(await read(address, 'allowed()(uint256)'), `${allowed}`);
  },
  dynamicFee: async () => {
    const receipts = await script('DeployProbe');
    assert.deepEqual(
      receipts.map(({ type }) => type),
      Array(5).fill('0x2'),
    );
    places = JSON.parse(await readFile(join(task.directory, 'places.json'), 'utf8'));
    environment.PROBE = places.probe;
  },
  write: async () => {
    assert.equal(await read(places.probe, 'valueAt(uint256)(uint256)', '1'), '42');
    assert.equal(await cast('balance', places.probe, ...rpc), '8');
  },
  create2: async () => {
    assert.equal(await read(places.create2, 'valueAt(uint256)(uint256)', '2'), '43');
  },
  read: forked('testReadsTheForkedState'),
  history: forked('testReadsAPastBlock'),
  overrides: forked('testWritesOnTopOfIt'),
  reverts: forked('testRefusals'),
  events: forked('testReadsEvents'),
  multicall: forked('testMulticall'),
  webSocket: forked('testReadsTheForkedState', task.wsUrl),
  legacy: async () => {
    assert.deepEqual([...new Set((await script('SendMany', '--legacy')).map(({ type }) => type))], ['0x0']);
  },
  nonces: async () => assert.equal((await script('SendMany')).length, parallelSends),
  setCode: async () => {
    assert.deepEqual(
      (await script('DelegateProbe')).map(({ type }) => type),
      ['0x4'],
    );
    const address = await cast('wallet', 'address', authority);
    assert.equal(await read(address, 'valueAt(uint256)(uint256)', '1'), '9');
  },
  fees: async () => {
    const [receipt] = await script('SendMany', '--gas-estimate-multiplier', '100');
    assert.equal(BigInt(receipt.gasUsed), 21_000n);
  },
  typedErrors: async () => {
    const poor = create('--private-key', `0x${'5e'.repeat(32)}`);
    await assert.rejects(poor, /insufficient funds for gas \* price \+ value|insufficient funds/i);
  },
  accessListTransaction: none,
  sendSync: none,
  failedTransactions: none,
  watch: none,
  batch: none,
  pool: none,
  proof: byCast,
  accessList: byCast,
  simulate: none,
  trace: byCast,
});
