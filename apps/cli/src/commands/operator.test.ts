import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { encodeHeader, genesisHash, type Header, headerHash, validatorsHash, voteSignDigest } from '@prime/codec';
import { homePaths, parseGenesis } from '@prime/config';
import { validatorsFromGenesis } from '@prime/consensus';
import { cryptoProvider } from '@prime/crypto';
import type { SignStateRecord } from '@prime/engine';
import { bytesToHex, type Hash, type Height, type Round, type TimestampMs, utf8ToBytes } from '@prime/primitives';
import { openSignState, openWal } from '@prime/storage';
import { keyOf } from '../testing/keyOf.ts';
import { usePrime } from '../testing/usePrime.ts';

const { folder, printed, prime, home } = usePrime(4);

const record = (height: number, text: string): SignStateRecord => ({
  height: height as Height,
  round: 0 as Round,
  step: 2,
  signBytes: utf8ToBytes(text),
  signature: new Uint8Array(65).fill(7),
  lockedRound: -1 as Round,
  lockedValue: null,
  validRound: 0 as Round,
  validValue: `0x${'ab'.repeat(32)}` as Hash,
});
const genesisOf = (path: string) => genesisHash(parseGenesis(readFileSync(homePaths(path).genesis, 'utf8')));
function sign(path: string, ...records: readonly SignStateRecord[]): void {
  const store = openSignState(homePaths(path).signState, genesisOf(path));
  for (const each of records) store.write(each);
  store.close();
}
describe('prime snapshot', () => {
  it('a home without blocks: there is nothing to take, list or restore', async () => {
    await expect(prime('snapshot', 'create', '--home', home(0))).rejects.toMatchObject({ code: 'SNAPSHOT_TOO_EARLY' });
    await prime('snapshot', 'list', '--home', home(0));
    const from = join(home(0), 'snapshots');
    expect(printed).toEqual([`no snapshots in ${from}`]);
    await expect(prime('snapshot', 'restore', '--home', home(1), '--from', from)).rejects.toMatchObject({
      code: 'CLI_NO_SNAPSHOT',
    });
  });
});

describe('prime db check', () => {
  it('a home that never ran is whole', async () => {
    await prime('db', 'check', '--home', home(0));
    expect(printed).toEqual([
      'sign state  absent: whole',
      'log         absent: whole',
      'blocks      none: whole',
      'state       none: it is made of the blocks at the next start: whole',
    ]);
  });

  it('a sign state that is damaged: said with what to do, HOME_DAMAGED names the part', async () => {
    await writeFile(homePaths(home(0)).signState, new Uint8Array(8192));
    await expect(prime('db', 'check', '--home', home(0))).rejects.toMatchObject({
      code: 'HOME_DAMAGED',
      detail: { parts: ['sign state'] },
    });
    expect(printed[0]).toBe('sign state  DAMAGED');
    // Of the home, and not of the folder that was looked at.
    expect(printed[1]).toContain(homePaths(home(0)).signState);
    expect(printed[2]).toMatch(/-> do not start this validator/);
  });

  it('a number of blocks that is none: CLI_USAGE', async () => {
    await expect(prime('db', 'check', '--home', home(0), '--blocks', '0')).rejects.toMatchObject({ code: 'CLI_USAGE' });
  });
});

describe('prime wal repair', () => {
  it('sets a damaged log aside and says what the sign state holds', async () => {
    const paths = homePaths(home(0));
    const genesis = parseGenesis(await readFile(paths.genesis, 'utf8'));
    sign(home(0), record(5, 'five'));
    const wal = openWal(paths.wal, { genesisHash: genesisHash(genesis) });
    wal.beginHeight(5 as Height);
    for (const text of ['first', 'second']) {
      wal.append(utf8ToBytes(text));
      wal.sync();
    }
    wal.close();
    await prime('wal', 'repair', '--home', home(0));
    expect(printed).toEqual(['the log is not damaged: nothing to repair']);
    const bytes = await readFile(join(paths.wal, 'wal.1'));
    bytes[bytes.indexOf('first')]! ^= 1;
    await writeFile(join(paths.wal, 'wal.1'), bytes);
    await prime('wal', 'repair', '--home', home(0));
    expect(printed.slice(2)).toEqual([
      `set aside as ${paths.wal}.damaged`,
      'the node signs nothing at or before height 5, round 0, step 2',
    ]);
  });

  it('does nothing without an intact sign state', async () => {
    await writeFile(homePaths(home(0)).signState, new Uint8Array(8192));
    await expect(prime('wal', 'repair', '--home', home(0))).rejects.toMatchObject({ code: 'SIGN_STATE_CORRUPT' });
  });
});

describe('prime verify-cert', () => {
  /** What prime_getCommit would answer for a block that the given validators decided. */
  async function commitOf(signers: readonly number[], changes: Partial<Header> = {}): Promise<Record<string, unknown>> {
    const provider = await cryptoProvider();
    const genesis = parseGenesis(await readFile(homePaths(home(0)).genesis, 'utf8'));
    const { validators } = validatorsFromGenesis(genesis.validators);
    const zero = `0x${'00'.repeat(32)}` as Hash;
    const header: Header = {
      version: 1,
      chainId: genesis.chainId,
      height: 3 as Height,
      timestampMs: (genesis.timestampMs + 3) as TimestampMs,
      parentHash: zero,
      proposer: validators[0]!.address,
      validatorsHash: validatorsHash(validators),
      nextValidatorsHash: validatorsHash(validators),
      bodyRoot: zero,
      lastCommitHash: zero,
      evidenceHash: zero,
      gasLimit: 30_000_000n,
      baseFee: 1n,
      parentResults: { stateRoot: zero, receiptsRoot: zero, eventsRoot: zero, gasUsed: 0n },
      ...changes,
    };
    const blockHash = headerHash(header);
    const digest = voteSignDigest(genesis.chainId, genesisHash(genesis), {
      type: 'precommit',
      height: header.height,
      round: 0 as Round,
      blockHash,
    });
    const keys = new Map<string, Uint8Array>();
    for (const index of signers) {
      const path = homePaths(home(index)).signerKey;
      const { address, privateKey } = await keyOf(path, 'signer');
      keys.set(address, privateKey);
    }
    const signatures = validators.flatMap(({ address, signer }) => {
      const key = keys.get(signer);
      return key === undefined ? [] : [{ validator: address, signature: bytesToHex(provider.sign(digest, key)) }];
    });
    return { height: '0x3', block_hash: blockHash, header: bytesToHex(encodeHeader(header)), round: '0x0', signatures };
  }

  async function verify(commit: unknown): Promise<void> {
    const file = join(folder(), 'commit.json');
    await writeFile(file, JSON.stringify(commit));
    await prime('verify-cert', '--genesis', homePaths(home(1)).genesis, '--file', file);
  }

  it('accepts what more than 2/3 signed', async () => {
    await verify(await commitOf([0, 1, 2]));
    expect(printed[0]).toMatch(/^block 3 0x/);
    expect(printed[1]).toMatch(/^decided in round 0 by 3 validators with voting power \d+ of \d+$/);
  });

  it('refuses too few signatures, a changed header, other validators, a wrong signature, and nonsense', async () => {
    const good = await commitOf([0, 1, 2]);
    const [first, ...rest] = good['signatures'] as { validator: string; signature: string }[];
    const other = await commitOf([0, 1, 2], { gasLimit: 1n });
    const bad = [
      await commitOf([0, 1]),
      { ...good, header: other['header'] },
      await commitOf([0, 1, 2], { validatorsHash: `0x${'11'.repeat(32)}` as Hash }),
      { ...good, signatures: [{ ...first, signature: rest[0]!.signature }, ...rest] },
      { ...good, round: '0x1' },
      { block: 3 },
    ];
    for (const commit of bad) await expect(verify(commit)).rejects.toMatchObject({ code: 'CLI_NOT_PROVEN' });
    const { genesis } = homePaths(home(1));
    await expect(prime('verify-cert', '--genesis', genesis)).rejects.toMatchObject({ code: 'CLI_USAGE' });
  });

  it('of another network, by chain id or by anything else of genesis: says so', async () => {
    const file = join(folder(), 'commit.json');
    await writeFile(file, JSON.stringify(await commitOf([0, 1, 2])));
    const text = await readFile(homePaths(home(1)).genesis, 'utf8');
    const elsewhere = join(folder(), 'elsewhere.json');
    for (const [from, to, words] of [
      [
        '"chainId": 7919',
        '"chainId": 7920',
        /^NOT proven: block 3: it is of another network: .* of chain 7919, and genesis of chain 7920$/,
      ],
      [
        '"prime-local"',
        '"prime-other"',
        /^NOT proven: block 3: it is of another network, or made up: none of its signatures/,
      ],
    ] as const) {
      await writeFile(elsewhere, text.replace(from, to));
      await expect(prime('verify-cert', '--genesis', elsewhere, '--file', file)).rejects.toMatchObject({
        code: 'CLI_NOT_PROVEN',
        message: expect.stringMatching(words),
      });
    }
  });

  it('files that are not there: CLI_NOT_FOUND', async () => {
    const none = join(folder(), 'none');
    for (const args of [
      ['--genesis', none, '--rpc', 'http://127.0.0.1:1'],
      ['--genesis', homePaths(home(1)).genesis, '--file', none],
    ])
      await expect(prime('verify-cert', ...args)).rejects.toMatchObject({
        code: 'CLI_NOT_FOUND',
        detail: { what: none },
      });
  });

  it('files that are no JSON, and heights that are none: CLI_USAGE', async () => {
    const { genesis, config } = homePaths(home(1));
    const rpc = ['--rpc', 'http://127.0.0.1:1'];
    for (const args of [
      ['--genesis', genesis, '--file', config],
      ['--genesis', genesis, '--height', '-1', ...rpc],
      ['--genesis', genesis, '--height', '0x5', ...rpc],
    ])
      await expect(prime('verify-cert', ...args)).rejects.toMatchObject({ code: 'CLI_USAGE' });
  });
});
