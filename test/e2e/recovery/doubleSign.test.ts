import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseSignBytes, type Vote } from '@prime/codec';
import { decodeWalEntry } from '@prime/engine';
import { rpc } from '@prime/load/rpc';
import { dumpWal, openSignState } from '@prime/storage';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** One validator key in two processes, as it happens when a machine is copied: what the guard prevents, and what the chain does without it. */

/** `COPY_RUNS=` takes more; the nightly run does, because CI has time for a few. */
const copies = Number(process.env['COPY_RUNS'] ?? 4);
const victim = 4;
let testnet: Testnet;
let scratch: string;
let owner: string;

beforeAll(async () => {
  // Five: a jailing may not leave fewer than four. Few blocks to watch, so that the test is short.
  testnet = await createTestnet({ validators: 5, environment: { PRIME_CONSENSUS_WATCH_BLOCKS: '8' } });
  scratch = await mkdtemp(join(tmpdir(), 'prime-double-'));
  await testnet.startAll();
  owner = await selfOf(victim);
});
afterAll(async () => {
  await testnet.destroy();
  await rm(scratch, { recursive: true, force: true });
});

interface Registered {
  readonly address: string;
  readonly status: string;
  readonly stake: string;
  readonly tombstoned: boolean;
}
interface DomainEvent {
  readonly kind: string;
  readonly data: { readonly validator: string; readonly reason?: string };
}

const selfOf = async (index: number): Promise<string> => {
  const status = (await (await fetch(`${testnet.adminUrl(index)}/consensus`)).json()) as { readonly self: string };
  return status.self;
};
const { heightOf } = nodesOf(() => testnet);
const registered = async (index = 0): Promise<Registered> => {
  const all = await rpc<Registered[]>(testnet.url(index), 'prime_registeredValidators');
  return all.find(({ address }) => address === owner)!;
};
const eventsOf = async (kind: string): Promise<DomainEvent[]> => {
  const filter = { fromBlock: '0x0', toBlock: 'latest', domain: 'validators', kind };
  const events = await rpc<DomainEvent[]>(testnet.url(0), 'prime_getDomainEvents', [filter]);
  return events.filter(({ data }) => data.validator === owner);
};
const goesOn = async (blocks: number): Promise<void> => {
  const from = await heightOf(0);
  await until('blocks go on', async () => (await heightOf(0)) >= from + blocks);
};

/** A copy of the victim's home as it was; taken while it is down, as a backup of a machine would be. */
async function copyHome(name: string): Promise<string> {
  const home = join(scratch, name);
  await testnet.kill(victim, 'SIGTERM');
  await cp(testnet.home(victim), home, { recursive: true });
  await testnet.start(victim);
  return home;
}

/** A copy of the victim's home at one moment of its run, as that of a machine; what names its process stays behind. */
async function copyAsItRuns(name: string): Promise<string> {
  const home = join(scratch, name);
  testnet.pause(victim);
  try {
    await cp(testnet.home(victim), home, { recursive: true });
  } finally {
    testnet.resume(victim);
  }
  for (const file of ['LOCK', 'lock.db', 'node.pid', 'admin.token'])
    await rm(join(home, file), { recursive: true, force: true });
  return home;
}

interface Place {
  readonly height: number;
  readonly round: number;
  /** 1 proposal, 2 prevote, 3 precommit. */
  readonly step: number;
  readonly blockHash: string | null;
}
const shown = ({ height, round, step, blockHash }: Place): string => `${height} ${round} ${step} ${blockHash}`;

/** The newest message that the signer of a home signed, as far as its sign state knows. */
function signedIn(home: string): string {
  const store = openSignState(join(home, 'sign-state.bin'), null);
  try {
    return shown(parseSignBytes(store.read()!.signBytes)!);
  } finally {
    store.close();
  }
}

/** All messages of the victim that the log of a home has. */
function loggedIn(home: string): string[] {
  const votesIn = (votes: readonly Vote[]): string[] =>
    votes
      .filter(({ validator }) => validator === owner)
      .map((vote) => shown({ ...vote, step: vote.type === 'prevote' ? 2 : 3 }));
  const entries = dumpWal(join(home, 'wal')).flatMap(({ entries: raw }) => raw.map(decodeWalEntry));
  return entries.flatMap((entry) => {
    if (entry.kind === 'vote') return votesIn([entry.vote]);
    if (entry.kind === 'votes') return votesIn(entry.votes);
    return entry.kind === 'proposal' && entry.proposal.proposer === owner
      ? [shown({ ...entry.proposal, step: 1 })]
      : [];
  });
}

/** Whether the newest block holds a signature of the victim's key. */
async function signs(): Promise<boolean> {
  const commit = await rpc<{ signatures: { validator: string }[] }>(testnet.url(0), 'prime_getCommit', ['latest']);
  return commit.signatures.some(({ validator }) => validator === owner);
}

/**
 * The guards off, and two validators to talk to. Two processes with one identity push each other's connections out: who comes back has less
 * and less of a connection, and says what contradicts the other one when nobody listens, or everybody is heights ahead.
 */
const unguarded = async (links: readonly number[]): Promise<Record<string, string>> => ({
  PRIME_CONSENSUS_WATCH_BLOCKS: '0',
  PRIME_P2P_SENTRIES: JSON.stringify(await Promise.all(links.map(selfOf))),
});

describe('a copied home on a live network', () => {
  it(
    'while the other one signs: each copy ends with 77 and signs nothing, the other one does not notice',
    async () => {
      await until('it signs', signs);
      const backup = await copyHome('backup');
      await goesOn(6);
      // Two validators that start at once may connect to each other twice.
      const begin = new Set(testnet.tail(victim).split('\n'));
      for (let run = 0; run < copies; run++) {
        // Of a machine that is copied as it runs, and of one that was copied some time ago: a short watch is enough only for the first.
        const home = run % 2 === 0 ? await copyAsItRuns(`live${run}`) : backup;
        const known = [signedIn(home), ...loggedIn(home)];
        const twin = await testnet.another(home, { PRIME_CONSENSUS_WATCH_BLOCKS: '8' });
        await twin.start().catch(() => undefined);
        await until('the copy gives up', async () => !twin.running).catch((cause: unknown) => {
          throw new Error(`copy ${run}: ${String(cause)}\n${twin.tail}`, { cause });
        });
        expect({ run, code: twin.exitCode, tail: twin.exitCode === 77 ? '' : twin.tail }).toEqual({
          run,
          code: 77,
          tail: '',
        });
        expect(twin.tail).toMatch(/ENGINE_KEY_IN_USE/);
        expect(twin.tail).toMatch(/connected to another living process .*its key is in use elsewhere/);
        // A log that is ahead of the sign state raises it: that was signed before the copy was made.
        expect(known).toContain(signedIn(home));
        expect(testnet.running(victim)).toBe(true);
        if (home !== backup) await rm(home, { recursive: true });
      }
      const said = testnet.tail(victim).split('\n');
      expect(said.filter((line) => !begin.has(line) && /NETWORK_DUPLICATE|peer disconnected/.test(line))).toEqual([]);
      expect(await registered()).toMatchObject({ status: 'active', tombstoned: false });
      expect([await eventsOf('slashed'), await eventsOf('jailed')]).toEqual([[], []]);
      await until('the other one signs on', signs);
      await goesOn(3);
    },
    600_000 + copies * 60_000,
  );

  it('after the other one is gone for good: the copy observes first, then signs', async () => {
    const home = await copyHome('restored');
    // What the copy finds in the blocks, and does not know of: on a busy machine the first ones come before it is back.
    const from = await heightOf(0);
    await until('it signs behind the copy', async () => (await heightOf(0)) > from + 1 && (await signs()));
    await goesOn(2);
    await testnet.kill(victim, 'SIGKILL');
    const copy = await testnet.another(home, { PRIME_CONSENSUS_WATCH_BLOCKS: '8' });
    await copy.start();
    await until('it watches', async () => /not signing: watching/.test(copy.tail));
    await until('it signs', signs);
    expect(await copy.kill('SIGTERM')).toBe(0);
    expect(await registered()).toMatchObject({ status: 'active', tombstoned: false });
  });

  it('with the guards off and the sign state gone: evidence, slashed and jailed once, and the chain goes on', async () => {
    const { stake } = await registered();
    const home = join(scratch, 'forged');
    await cp(testnet.home(victim), home, { recursive: true });
    for (const file of ['sign-state.bin', 'wal']) await rm(join(home, file), { recursive: true });
    const original = await testnet.another(testnet.home(victim), await unguarded([0, 1]));
    const twin = await testnet.another(home, await unguarded([2, 3]));
    await Promise.all([original.start(), twin.start()]);
    await until('it is convicted', async () => (await registered()).tombstoned);
    await goesOn(3);
    const convicted = await registered();
    expect(convicted.status).toBe('jailed');
    expect(BigInt(stake) - BigInt(convicted.stake)).toBe(BigInt(stake) / 20n);
    // More of its contradictions come in and change nothing.
    await goesOn(5);
    expect([(await eventsOf('slashed')).length, (await eventsOf('jailed')).length]).toEqual([1, 1]);
    expect((await registered()).stake).toBe(convicted.stake);
    await Promise.all([original.kill('SIGKILL'), twin.kill('SIGKILL')]);
    await goesOn(3);
    // Whoever asks is told what it signed, and where that is proven.
    const { output } = await run(['why', 'jailed', owner, '--rpc', testnet.url(0), '--json']);
    const told = JSON.parse(output) as { readonly title: string; readonly text: string };
    expect(told.title).toMatch(/is out for ever: it signed twice$/);
    expect(told.text).toMatch(
      /^Its key signed two (?:prevotes|precommits|proposals) at height [\d,]+, round \d+: one for (?:no block|block 0x\w+…\w+) and one for block 0x\w+…\w+\. Block [\d,]+ holds both as evidence\. [\d.,]+ PRIME of its stake were taken\./,
    );
    const members = await rpc<{ address: string }[]>(testnet.url(1), 'prime_validators');
    expect(members.map(({ address }) => address)).not.toContain(owner);
    // For ever: not even its owner brings it back.
    const unjail = run(['validator', 'unjail', '--home', testnet.home(victim), '--rpc', testnet.url(0)]);
    await expect(unjail).rejects.toThrow(/\(tombstoned\) \[CLI_ACTION_REFUSED\]/);
    expect(await registered()).toMatchObject({ status: 'jailed', tombstoned: true });
    const hashes = await Promise.all(
      [0, 1, 2, 3].map(async (index) => {
        const block = await rpc<{ hash: string }>(testnet.url(index), 'eth_getBlockByNumber', ['0x5', false]);
        return block.hash;
      }),
    );
    expect(new Set(hashes).size).toBe(1);
  });
});
