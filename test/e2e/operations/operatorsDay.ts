import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { decodeHeader } from '@prime/codec';
import { rpc, toHex as hex } from '@prime/load/rpc';
import { hexToBytes } from '@prime/primitives';
import { until } from '@prime/testkit';
import { Newcomer, type NotTyped } from './newcomer.ts';

/** The day of an operator by its pages, in chapters. Each goes on with the network that the ones before it left. */

const operate = (page: string): string => `docs/operate/${page}.md`;
/** Pages of which every command is typed, in the order in which a day comes to them. */
export const dayPages = {
  firstNetwork: operate('first-network'),
  joining: operate('joining-and-leaving'),
  remoteSigners: operate('remote-signers'),
  backups: operate('backups'),
  snapshots: operate('snapshots'),
  upgrades: operate('upgrades'),
  why: operate('why'),
  stages: operate('stages'),
} as const;
const { firstNetwork, joining, remoteSigners, backups, snapshots, upgrades, why, stages } = dayPages;

/** Somebody who is going to have the whole day. */
export const beginDay = (): Promise<Newcomer> => Newcomer.begin(Object.values(dayPages), notTyped);

/** How blocks of commands begin that no day types, and why. */
export const notTyped: readonly NotTyped[] = [
  {
    page: operate('oracle'),
    begins: 'prime oracle feed --config feeder.toml',
    why: 'test/e2e/trading/oracle.test.ts runs feeders; the network of the day has no oracle',
  },
  {
    page: operate('oracle'),
    begins: 'prime key new --kind owner --out oracle.json',
    why: 'the same; packages/consensus and the CLI test the key of its own',
  },
  {
    page: operate('governance'),
    begins: 'prime market state ETH-USD halted',
    why: 'the network of the day has no admin; test/e2e/trading/marketLimits.test.ts changes parameters by votes',
  },
  {
    page: operate('governance'),
    begins: 'prime gov propose status',
    why: 'test/e2e/trading/marketLimits.test.ts does it; a market that is settled is gone for the rest of the day',
  },
  {
    page: 'docs/testnet.md',
    begins: 'prime testnet up --manifest net.toml',
    why: 'a choice of ways; test/e2e/operations/manifest.test.ts and test/nightly/exportedNetworks.test.ts take each',
  },
  {
    page: operate('homes-and-genesis'),
    begins: 'prime testnet init --validators 4 --out DIR',
    why: 'all that runs networks here begins with it (packages/testkit); the day makes its homes by hand',
  },
  {
    page: operate('remote-signers'),
    begins: 'prime testnet init --validators 4 --remote-signer',
    why: 'test/e2e/network/remoteSigner.test.ts runs a network of them; the day moves a key by hand',
  },
  {
    page: operate('keys'),
    begins: 'prime key import H/keys/owner.json',
    why: 'needs a home of an older version; apps/cli/src/commands/keys/key.test.ts makes such files',
  },
];

const validators = ['alice', 'bob', 'carol', 'dave'] as const;
/** Where the ports of each begin in the pages. */
const ports = { alice: 8_540, bob: 8_550, carol: 8_560, dave: 8_570, eve: 8_580, frank: 8_590 } as const;
type Name = keyof typeof ports;

const call = <Result>(day: Newcomer, node: Name, method: string, params: readonly unknown[] = []): Promise<Result> =>
  rpc(day.url(ports[node]), method, params);
const heightOf = async (day: Newcomer, node: Name): Promise<number> =>
  Number(await call<string>(day, node, 'eth_blockNumber'));
const comesTo = (day: Newcomer, node: Name, height: number): Promise<unknown> =>
  until(`${node} has block ${height}`, async () => (await heightOf(day, node)) >= height);

interface Commit {
  readonly height: string;
  readonly header: string;
  readonly block_hash: string;
  readonly signatures: readonly { readonly validator: string }[];
}
const commitOf = (day: Newcomer, node: Name, height: string): Promise<Commit> =>
  call(day, node, 'prime_getCommit', [height]);

interface Registered {
  readonly address: string;
  readonly public_key: string;
  readonly moniker: string;
  readonly status: string;
}
async function registered(day: Newcomer, moniker: string): Promise<Registered> {
  const all = await call<readonly Registered[]>(day, 'alice', 'prime_registeredValidators');
  return all.find((each) => each.moniker === moniker)!;
}

/** A block from now on holds its signature. */
async function signs(day: Newcomer, moniker: string): Promise<void> {
  const { address } = await registered(day, moniker);
  let next = (await heightOf(day, 'alice')) + 1;
  await until(`${moniker} signs`, async () => {
    for (const head = await heightOf(day, 'alice'); next <= head; next++) {
      const { signatures } = await commitOf(day, 'alice', hex(next));
      if (signatures.some(({ validator }) => validator === address)) return true;
    }
    return false;
  });
}

/** The address of the owner of a home, as `prime node show` prints it into a file or onto the terminal. */
const ownerIn = (shown: string): string => /^# owner +(0x[0-9a-f]{40})$/m.exec(shown)![1]!;

/** The status of a node says this at last. */
const says = (day: Newcomer, page: string, begins: string): Promise<string> => day.type(page, begins, { again: true });

async function fourHomesByHand(day: Newcomer): Promise<void> {
  await day.type(firstNetwork, 'prime genesis declare --home alice');
  const made = await day.type(firstNetwork, 'prime key new --kind owner');
  const admin = /^(0x[0-9a-f]{40}), owner/m.exec(made)![1]!;
  await day.type(firstNetwork, 'prime genesis collect alice.json', { put: { '0xADMIN': admin } });
  const collected = await day.type(firstNetwork, "sed 's/");
  const [hash] = /0x[0-9a-f]{64}/.exec(collected)!;
  const genesis = await readFile(join(day.folder, 'prime-1', 'genesis.json'), 'utf8');
  expect(JSON.parse(genesis)).toMatchObject({ staking: { downtimeWindowMs: 180_000, downtimeJailMs: 30_000 } });
  const shown = await day.type(firstNetwork, 'prime node init --home alice');
  expect(shown.split('\n').filter((line) => line === `# genesis ${hash}`)).toHaveLength(validators.length);
  // Its peers do not run yet, as the page says.
  await day.type(firstNetwork, 'prime doctor --home alice', { codes: [1] });
  await day.type(firstNetwork, 'prime node start --home alice');
  for (const name of validators) await comesTo(day, name, 3);
  await says(day, firstNetwork, 'prime node status --home alice');
  await says(day, firstNetwork, 'prime status --rpc');
  await day.type(firstNetwork, 'prime verify-cert');
  for (const name of validators) await signs(day, name);
  const height = await heightOf(day, 'alice');
  for (const name of validators) await comesTo(day, name, height);
  const commits = await Promise.all(validators.map((name) => commitOf(day, name, hex(height))));
  expect(new Set(commits.map((commit) => commit.block_hash)).size).toBe(1);
  expect(day.left(firstNetwork)).toEqual([]);
}

async function eveJoins(day: Newcomer): Promise<void> {
  await day.type(joining, 'prime node init --home eve');
  await day.type(joining, 'prime peers add --home alice');
  await day.type(joining, 'prime node start --home eve');
  await day.type(joining, 'prime health', { again: true });
  const owner = ownerIn(await readFile(join(day.folder, 'eve.toml'), 'utf8'));
  await day.type(joining, 'prime deposit', { put: { '0xOWNER': owner } });
  await day.type(joining, 'prime validator join --home eve');
  expect(await registered(day, 'eve')).toMatchObject({ address: owner, status: 'jailed' });
  await day.stop('eve');
  await day.configure(joining, ['eve']);
  await day.type(joining, 'prime node start --home eve');
  await day.type(joining, 'prime health', { again: true });
  expect(await registered(day, 'eve')).toMatchObject({ address: owner, status: 'active' });
  await signs(day, 'eve');
}

async function eveRotatesHerSigner(day: Newcomer): Promise<void> {
  const { public_key: before } = await registered(day, 'eve');
  await day.type(joining, 'prime validator rotate-signer --home eve');
  expect((await registered(day, 'eve')).public_key).not.toBe(before);
  await signs(day, 'eve');
}

async function carolMovesHerKey(day: Newcomer): Promise<void> {
  await day.stop('carol');
  await day.type(remoteSigners, 'prime signer init --home carol-signer');
  await day.type(remoteSigners, 'prime signer start --home carol-signer');
  await says(day, remoteSigners, 'prime node status --home carol');
  await signs(day, 'carol');
  const { public_key: before } = await registered(day, 'carol');
  const owner = ownerIn(await day.type(remoteSigners, 'prime node show --home carol'));
  await day.type(remoteSigners, 'prime signer claim --next', { put: { '0xOWNER': owner } });
  await day.type(remoteSigners, 'kill -HUP');
  const known = join(day.folder, 'carol', 'keys', 'remote-signer.json');
  await until('the node has both keys', async () => {
    const { keys } = JSON.parse(await readFile(known, 'utf8')) as { readonly keys: readonly unknown[] };
    return keys.length === 2;
  });
  await day.type(remoteSigners, 'prime validator rotate-signer --home carol');
  expect((await registered(day, 'carol')).public_key).not.toBe(before);
  await signs(day, 'carol');
  await day.type(remoteSigners, 'mv carol-signer/keys/signer.next.json');
  await signs(day, 'carol');
}

async function daveIsLost(day: Newcomer): Promise<void> {
  await day.type(backups, 'prime backup create --home dave');
  await day.type(backups, 'cp dave/keys/password');
  await day.lose('dave');
  await day.type(backups, 'prime backup restore dave-backup', {
    // There is no terminal that could ask.
    put: { 'prime backup restore dave-backup --home dave': 'prime backup restore dave-backup --home dave --yes' },
  });
  await day.type(backups, 'prime node start --home dave');
  await says(day, backups, 'prime node status --home dave');
  await signs(day, 'dave');
}

async function frankFollows(day: Newcomer): Promise<void> {
  await day.stop('dave');
  await day.stop('alice');
  await day.configure(snapshots, ['alice']);
  await day.type(snapshots, 'prime node start --home alice');
  await says(day, snapshots, 'prime snapshot list --home alice');
  await day.type(snapshots, 'prime node show --home alice');
  const shown = await day.type(snapshots, 'prime rpc eth_getBlockByNumber latest');
  const { number, hash } = JSON.parse(shown) as { readonly number: string; readonly hash: string };
  await day.configure(snapshots, ['frank'], { '120000': `${Number(number)}`, '0x…': hash });
  await day.type(snapshots, 'prime node start --home frank');
  await says(day, snapshots, 'prime node status --home frank');
  const height = await heightOf(day, 'alice');
  await comesTo(day, 'frank', height);
  expect((await commitOf(day, 'frank', hex(height))).block_hash).toBe(
    (await commitOf(day, 'alice', hex(height))).block_hash,
  );
  // It began with a snapshot, and not with the first block.
  await expect(call(day, 'frank', 'eth_getBlockByNumber', ['0x1', false])).rejects.toMatchObject({ code: 4444 });
}

/** Dave is away since before {@link frankFollows}. */
async function daveIsJailed(day: Newcomer): Promise<void> {
  // The window is as long as one wait may last, so that each block is waited for by itself.
  while ((await registered(day, 'dave')).status !== 'jailed')
    await comesTo(day, 'alice', (await heightOf(day, 'alice')) + 1);
  await day.type(joining, 'prime why jailed dave');
  await day.restart('dave');
  await day.type(joining, 'prime health', { again: true });
  await signs(day, 'dave');
}

const everybody: readonly Name[] = [...validators, 'eve', 'frank'];
const versionAt = async (day: Newcomer, node: Name, height: number): Promise<number> =>
  decodeHeader(hexToBytes((await commitOf(day, node, hex(height))).header)).version;
/** Blocks until the new version: enough for all to be told of it, and to get the new program one by one. */
const blocksOfUpgrade = 150;

/** @param install makes `prime` the new program; what all have run until now is an older one */
async function allMoveOn(day: Newcomer, install: () => Promise<void>): Promise<void> {
  const height = (await heightOf(day, 'alice')) + blocksOfUpgrade;
  const put = { '100000': `${height}` };
  await day.configure(upgrades, everybody, put);
  for (const name of everybody) await day.stop(name);
  await day.type(upgrades, 'prime node start --home alice');
  for (const name of everybody) {
    await day.stop(name);
    if (name === 'alice') {
      await install();
      await day.type(upgrades, 'prime node start --home alice');
      await day.type(upgrades, 'prime health', { again: true });
    } else {
      await day.restart(name);
      await comesTo(day, name, await heightOf(day, 'alice'));
    }
  }
  await says(day, upgrades, 'prime node status --home alice');
  expect(await heightOf(day, 'alice')).toBeLessThan(height);
  for (const name of everybody) {
    await comesTo(day, name, height + 1);
    expect([await versionAt(day, name, height - 1), await versionAt(day, name, height)]).toEqual([1, 2]);
  }
  for (const name of [...validators, 'eve']) await signs(day, name);
}

async function twoOfFiveAreStopped(day: Newcomer): Promise<void> {
  await day.stop('dave');
  await day.stop('eve');
  await says(day, why, 'prime why no-block');
  const height = await heightOf(day, 'alice');
  await Promise.all(['dave', 'eve'].map((name) => day.restart(name)));
  await comesTo(day, 'alice', height + 3);
}

async function whereTimeGoes(day: Newcomer): Promise<void> {
  const shown = await day.type(stages, 'curl -H');
  expect(shown).toContain('"rows":');
}

/** Its first chapters, by what they show. */
export const morning = [
  ['makes four homes by hand, and they are a network', fourHomesByHand],
  ['brings a fifth validator into it', eveJoins],
  ['rotates its signer', eveRotatesHerSigner],
] as const;

/** What comes behind them, on a build of before that learns of a new version. */
export const restOfDay = [
  ['moves a hot key into a remote signer, and rotates it there', carolMovesHerKey],
  ['loses a validator, and restores it', daveIsLost],
  ['brings up a follower from a snapshot of another node', frankFollows],
  ['has a validator jailed that was stopped meanwhile, and brings it back', daveIsJailed],
  ['moves all to the next version of the protocol', (day: Newcomer) => allMoveOn(day, () => day.install(null))],
  ['is told why there is no block', twoOfFiveAreStopped],
  ['is told where the time goes', whereTimeGoes],
] as const;
