import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';

/** A node that becomes a validator, changes its key, goes down, comes back and leaves: as its operator does it. */

const newcomer = 4;
const all = [0, 1, 2, 3, newcomer];
const someone = '0x00000000000000000000000000000000000000e5';
let testnet: Testnet;
let owner: string;

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    followers: 1,
    // Who is away while there are no blocks misses none: the window counts only where the test makes some.
    idlePace: 'still',
    genesis: (genesis) => {
      genesis['staking'] = { downtimeWindowMs: 6_000, downtimeMinSignedBps: 1_000, downtimeJailMs: 2_000 };
    },
  });
  await testnet.startAll();
  owner = await giveOwner();
});
afterAll(() => testnet.destroy());

interface Account {
  readonly address: string;
  readonly privateKey: string;
}

/** The owner of the new validator is an account that genesis gave wei to. */
async function giveOwner(): Promise<string> {
  const file = await readFile(join(testnet.home(0), 'keys', 'unlocked.json'), 'utf8');
  const { address, privateKey } = (JSON.parse(file) as { readonly accounts: readonly Account[] }).accounts[3]!;
  const hex = join(testnet.directory, 'owner.hex');
  await writeFile(hex, privateKey, { mode: 0o600 });
  await run(['key', 'import', hex, '--kind', 'owner', '--out', testnet.ownerKey(newcomer), '--light', '--remove']);
  return address;
}

const validator = (command: string, ...flags: readonly string[]): Promise<unknown> =>
  run(['validator', command, '--home', testnet.home(newcomer), '--rpc', testnet.url(0), ...flags]);

interface Registered {
  readonly address: string;
  readonly public_key: string;
  readonly status: string;
  readonly stake: string;
  readonly tombstoned: boolean;
}
const registered = async (index = 0): Promise<Registered | undefined> =>
  (await rpc<Registered[]>(testnet.url(index), 'prime_registeredValidators')).find(({ address }) => address === owner);
const members = async (index: number): Promise<string[]> =>
  (await rpc<{ address: string }[]>(testnet.url(index), 'prime_validators')).map(({ address }) => address);

/** Makes a block, and one for its results. */
const makeBlock = (): Promise<unknown> => rpc(testnet.url(0), 'primeorders_depositCollateral', [someone, '0x1']);

/** A block from now on is signed by the new validator. */
async function expectSigns(): Promise<void> {
  const from = Number(await rpc<string>(testnet.url(0), 'eth_blockNumber')) + 2;
  const signs = async (): Promise<boolean> => {
    await makeBlock();
    const commit = await rpc<{ height: string; signatures: { validator: string }[] }>(
      testnet.url(0),
      'prime_getCommit',
      ['latest'],
    );
    return Number(commit.height) >= from && commit.signatures.some((signature) => signature.validator === owner);
  };
  await until('the new validator signs', signs);
}

/** At the level that nodes have by default. */
const expectLogged = (words: string): Promise<unknown> =>
  until(`it is logged that a validator ${words}`, async () =>
    testnet
      .tail(0)
      .split('\n')
      .some((line) => line.includes(`"msg":"a validator ${words}"`) && line.includes(owner)),
  );

async function eventsOf(kind: string): Promise<number> {
  const filter = { fromBlock: '0x0', toBlock: 'latest', domain: 'validators', kind };
  const events = await rpc<{ data: { validator: string } }[]>(testnet.url(1), 'prime_getDomainEvents', [filter]);
  return events.filter(({ data }) => data.validator === owner).length;
}

async function becomeValidator(): Promise<void> {
  await testnet.kill(newcomer, 'SIGTERM');
  const path = join(testnet.home(newcomer), 'config.toml');
  const config = await readFile(path, 'utf8');
  await writeFile(path, config.replace(/^role = "full"/m, 'role = "validator"'));
  await testnet.start(newcomer);
}

const p2pPort = async (): Promise<string> => {
  const config = await readFile(join(testnet.home(newcomer), 'config.toml'), 'utf8');
  return /\[p2p\][^[]*?^listen = "[^"]*:(\d+)"/ms.exec(config)![1]!;
};

describe('a fifth validator', () => {
  it('joins with its stake, and is in the set of all nodes after unjail', async () => {
    const place = ['--host', '127.0.0.1', '--port', await p2pPort()];
    const stake = (900n * 10n ** 18n).toString();
    await validator('join', '--stake', stake, '--moniker', 'fifth', ...place);
    expect(await registered()).toMatchObject({ status: 'jailed', stake: `0x${BigInt(stake).toString(16)}` });
    await becomeValidator();
    await validator('unjail');
    for (const index of all)
      await until(`node ${index} knows it`, async () => {
        await makeBlock();
        return (await members(index)).includes(owner);
      });
    await expectSigns();
    await expectLogged('is out of jail');
    expect([await eventsOf('joined'), await eventsOf('unjailed')]).toEqual([1, 1]);
  });

  it('rotates its signer while it runs, and goes on signing', async () => {
    const before = (await registered())!.public_key;
    await validator('rotate-signer');
    expect((await registered())!.public_key).not.toBe(before);
    await expectSigns();
    await expectLogged('has another signer');
    await testnet.kill(newcomer, 'SIGKILL');
    await testnet.start(newcomer);
    await expectSigns();
  });

  it('is reset to nothing but its keys and what it signed, fetches the chain anew, and signs on', async () => {
    const reset = ['node', 'reset', '--home', testnet.home(newcomer)];
    await expect(run([...reset, '--yes'])).rejects.toThrow(/exited with 64: .*DATA_DIR_LOCKED/);
    await testnet.kill(newcomer, 'SIGTERM');
    await expect(run(reset)).rejects.toThrow(/exited with 64: .*--yes.*CLI_USAGE/);
    const signed = await readFile(join(testnet.home(newcomer), 'sign-state.bin'));
    expect((await run([...reset, '--yes'])).output).toMatch(/^removed state, blocks, wal/);
    expect(await readFile(join(testnet.home(newcomer), 'sign-state.bin'))).toEqual(signed);
    await testnet.start(newcomer);
    // Nobody makes blocks meanwhile: it would be jailed for those that it misses.
    const height = Number(await rpc<string>(testnet.url(0), 'eth_blockNumber'));
    await until('it has the chain', async () => {
      return Number(await rpc<string>(testnet.url(newcomer), 'eth_blockNumber')) >= height;
    });
    await expectSigns();
    expect(await registered()).toMatchObject({ status: 'active', tombstoned: false });
  });

  it('is down for too long: slashed a little, jailed, and back after unjail', async () => {
    const before = BigInt((await registered())!.stake);
    await testnet.kill(newcomer, 'SIGKILL');
    await until('it is jailed', async () => {
      await makeBlock();
      return (await registered())?.status === 'jailed';
    });
    expect(before - BigInt((await registered())!.stake)).toBe(before / 10_000n);
    await expectLogged('was jailed');
    await until('the set is without it', async () => {
      await makeBlock();
      return !(await members(0)).includes(owner);
    });
    await testnet.start(newcomer);
    const unjail = (): Promise<boolean> =>
      validator('unjail').then(
        () => true,
        () => false,
      );
    await until('it may come back', unjail);
    await expectSigns();
    expect([await eventsOf('slashed'), await eventsOf('jailed')]).toEqual([1, 1]);
  });

  it('leaves while another one is down, and the others go on without it', async () => {
    // Of five four are needed for the block after the one in which it leaves, and it is one of them.
    const down = 3;
    await testnet.kill(down, 'SIGKILL');
    await expect(validator('leave')).rejects.toThrow(/exited with 64: .*comes back after 7 days.*--yes.*CLI_USAGE/);
    expect(await registered()).toMatchObject({ status: 'active' });
    await validator('leave', '--yes');
    for (const index of all.filter((each) => each !== down && each !== newcomer))
      await until(`node ${index} lets it go`, async () => {
        await makeBlock();
        return !(await members(index)).includes(owner);
      });
    expect(await registered()).toMatchObject({ status: 'left', stake: '0x0' });
    await expectLogged('left');
    const height = Number(await rpc<string>(testnet.url(0), 'eth_blockNumber'));
    await until('blocks go on', async () => {
      await makeBlock();
      return Number(await rpc<string>(testnet.url(0), 'eth_blockNumber')) > height + 3;
    });
    await testnet.start(down);
    await until('who was down lets it go', async () => !(await members(down)).includes(owner));
  });

  it('has left, is started again with the same home, and follows', async () => {
    await testnet.kill(newcomer, 'SIGKILL');
    await testnet.start(newcomer);
    await makeBlock();
    const height = Number(await rpc<string>(testnet.url(0), 'eth_blockNumber'));
    const reached = await until('it has the newest block', async () => {
      const head = Number(await rpc<string>(testnet.url(newcomer), 'eth_blockNumber'));
      return head >= height ? head : null;
    });
    expect(reached).toBeGreaterThanOrEqual(height);
  });
});

/** After all of these changes, somebody who has nothing but genesis. */
describe('prime verify-cert through the changes of the set', () => {
  const genesisOf = (node: number): string => join(testnet.home(node), 'genesis.json');
  const verify = (...flags: readonly string[]): Promise<{ readonly output: string }> =>
    run(['verify-cert', '--genesis', genesisOf(0), ...flags]);
  interface Commit {
    height: string;
    block_hash: string;
    header: string;
    signatures: { validator: string; signature: string }[];
    validators: { address: string; voting_power: string }[];
  }
  let saved: string;
  const kept = async (): Promise<Commit[]> => JSON.parse(await readFile(saved, 'utf8')) as Commit[];
  const refusal = async (commits: readonly Commit[], ...flags: readonly string[]): Promise<string> => {
    const file = join(testnet.directory, 'forged.json');
    await writeFile(file, JSON.stringify(commits));
    return verify('--file', file, ...flags).then(
      ({ output }) => `proven: ${output}`,
      (error: unknown) => String(error),
    );
  };

  it('proves the newest block and blocks of every set before, from any node', async () => {
    saved = join(testnet.directory, 'proof.json');
    const head = Number(await rpc<string>(testnet.url(0), 'eth_blockNumber'));
    const { output } = await verify('--rpc', testnet.url(1), '--height', `${head}`, '--save', saved);
    expect(output).toContain(`block ${head} 0x`);
    expect(output).toContain('proven from genesis over');
    for (const height of [1, 2, Math.floor(head / 4), Math.floor(head / 2), head - 1])
      expect((await verify('--rpc', testnet.url(2), '--height', `${height}`)).output).toContain(`block ${height} 0x`);
    // Old keys, as if nobody answered for what he signed more than a second ago.
    const strict = await verify('--rpc', testnet.url(0), '--height', `${head}`, '--trusting-period', '1');
    expect(strict.output).toContain('needed more than 2/3');
  });

  it('proves it again from the file that it saved, without a node, and from a trusted block', async () => {
    const last = (await kept()).at(-1)!;
    expect((await verify('--file', saved)).output).toContain(last.block_hash);
    const height = Number(last.height) - 5;
    const { block_hash: hash } = await rpc<Commit>(testnet.url(0), 'prime_getCommit', [`0x${height.toString(16)}`]);
    const trusted = ['--trusted-height', `${height}`, '--trusted-hash', hash];
    expect((await verify('--rpc', testnet.url(0), ...trusted)).output).toContain(`proven from block ${height} over`);
    const wrong = ['--trusted-height', `${height}`, '--trusted-hash', last.block_hash];
    await expect(verify('--rpc', testnet.url(0), ...wrong)).rejects.toThrow('is not the one with hash');
  });

  it('refuses a forged certificate, a wrong set, too little power and another network, each in its own words', async () => {
    const [last, ...before] = (await kept()).toReversed() as [Commit, ...Commit[]];
    const rest = before.toReversed();
    const [first, second] = last.signatures as [Commit['signatures'][0], Commit['signatures'][0]];
    const swapped = [{ ...first, signature: second.signature }, ...last.signatures.slice(1)];
    expect(await refusal([...rest, { ...last, signatures: swapped }])).toContain('does not hold: invalidSignature');
    expect(await refusal([...rest, { ...last, signatures: [first, second] }])).toContain('voting power');
    const stranger = last.validators.map((one, index) => (index === 0 ? { ...one, voting_power: '0xffff' } : one));
    expect(await refusal([...rest, { ...last, validators: stranger }])).toContain('names other validators');
    const other = await rpc<Commit>(testnet.url(0), 'prime_getCommit', ['0x5']);
    expect(await refusal([...rest, { ...last, header: other.header }])).toContain('the header is of block 5');
    expect(await refusal([...rest, { ...last, block_hash: other.block_hash }])).toContain('for another block');
    const genesis = JSON.parse(await readFile(genesisOf(0), 'utf8')) as { chainId: number; networkName: string };
    const elsewhere = join(testnet.directory, 'elsewhere.json');
    await writeFile(elsewhere, JSON.stringify({ ...genesis, chainId: genesis.chainId + 1 }));
    const verifyElsewhere = (...from: readonly string[]): Promise<unknown> =>
      run(['verify-cert', '--genesis', elsewhere, ...from]);
    await expect(verifyElsewhere('--file', saved)).rejects.toThrow(
      /exited with 1: .*another network: the header is of chain/,
    );
    await writeFile(elsewhere, JSON.stringify({ ...genesis, networkName: 'another' }));
    await expect(verifyElsewhere('--file', saved)).rejects.toThrow(
      /exited with 1: .*another network.*invalidSignature/,
    );
    await expect(verifyElsewhere('--rpc', testnet.url(0))).rejects.toThrow(
      /exited with 1: .*is of another network: its genesis is 0x[0-9a-f]{64}/,
    );
  });
});
