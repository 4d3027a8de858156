import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  type ActionResult,
  decodeNativeTransaction,
  encodeActionResult,
  encodeHeader,
  genesisHash,
  type Header,
  headerHash,
  type NativeTransaction,
  subAccountAddress,
  validatorsHash,
  voteSignDigest,
} from '@prime/codec';
import { homePaths, parseGenesis } from '@prime/config';
import { validatorsFromGenesis } from '@prime/consensus';
import { cryptoProvider } from '@prime/crypto';
import type { SignStateRecord } from '@prime/engine';
import {
  type Address,
  bytesToHex,
  type Hash,
  hexToBytes,
  type Height,
  type Round,
  type TimestampMs,
  utf8ToBytes,
} from '@prime/primitives';
import { openSignState, openWal } from '@prime/storage';
import { keyOf } from '../testing/keyOf.ts';
import { usePrime } from '../testing/usePrime.ts';
import { closedPort, useServers } from '../testing/useServers.ts';

const { folder, printed, prime, home } = usePrime(4);
const { serve, serveRpc } = useServers();

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
/** The program as users start it. */
const cli = join(import.meta.dirname, '..', 'main.js');
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

/** A node that takes native transactions, and keeps them. @param more what it answers besides @param value the result of each */
async function takingNode(
  more: Readonly<Record<string, unknown>>,
  value: Extract<ActionResult, { readonly ok: true }>['value'] = { type: 'done' },
) {
  const taken: NativeTransaction[] = [];
  const done = bytesToHex(encodeActionResult({ ok: true, value }));
  const answers: Readonly<Record<string, unknown>> = { eth_chainId: '0x1eef', ...more };
  const { url } = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const asked = JSON.parse(body) as { readonly id: number; readonly method: string; readonly params: string[] };
      let result = answers[asked.method];
      if (asked.method === 'eth_sendRawTransactionSync') {
        taken.push(decodeNativeTransaction(hexToBytes(asked.params[0]!)));
        result = { transactionHash: `0x${'ab'.repeat(32)}`, blockNumber: '0x10', output: done };
      }
      const answer = result === undefined ? { error: { code: -32_601, message: asked.method } } : { result };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ id: asked.id, jsonrpc: '2.0', ...answer }));
    });
  });
  return { url, taken };
}

describe('prime sub-account', () => {
  const key = '01'.repeat(32);
  const owner = '0x1a642f0e3c3af545e7acbd38b07251b3990914f1' as Address;
  const keyFile = async (): Promise<string> => {
    const path = join(folder(), 'trader.key');
    await writeFile(path, key, { mode: 0o600 });
    return path;
  };

  it.each(['0', '4294967296', '1.5', '-1', 'x'])('create %s: CLI_USAGE, and no node is asked', async (index) => {
    const args = ['--rpc', `http://127.0.0.1:${await closedPort()}`, '--key-file', await keyFile(), '--', index];
    await expect(prime('sub-account', 'create', ...args)).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: 'INDEX' },
    });
  });

  it('create: sends the action of the owner, and says the address to trade for', async () => {
    const address = subAccountAddress(owner, 4_294_967_295);
    const made = { type: 'createSubAccount', address, owner, index: 4_294_967_295 } as const;
    const { url, taken } = await takingNode({}, made);
    await prime('sub-account', 'create', '4294967295', '--rpc', url, '--key-file', await keyFile(), '--json');
    expect(taken.map(({ account, payload }) => [account, payload])).toEqual([
      [owner, { type: 'createSubAccount', index: 4_294_967_295 }],
    ]);
    expect(JSON.parse(printed.join('\n'))).toMatchObject({
      address,
      owner,
      index: 4_294_967_295,
      block: 16,
    });
  });

  it('list: by index with collateral, of the key or of another owner; none is said in words', async () => {
    const address = subAccountAddress(owner, 7);
    const wei = ['equity', 'initial_margin', 'maintenance_margin', 'free_collateral', 'withdrawable', 'open_orders'];
    const zeros = Object.fromEntries(wei.map((name) => [name, '0x0']));
    const state = { liquidatable: false, locked: true, positions: [], sub_account: { owner, index: 7 } };
    const account = { address, collateral: '0xde0b6b3a7640000', ...zeros, ...state };
    const listed = [{ address, index: 7 }];
    const { url } = await serveRpc(
      (method) => ({ primeorders_getSubAccounts: listed, primeorders_getAccount: account })[method],
    );
    await prime('sub-account', 'list', '--rpc', url, '--key-file', await keyFile(), '--json');
    expect(JSON.parse(printed.splice(0).join('\n'))).toEqual([{ index: 7, address, collateral: '1' }]);
    const none = await serveRpc(() => []);
    await prime('sub-account', 'list', address, '--rpc', none.url);
    expect(printed).toEqual([`${address} has no sub-accounts`]);
  });
});

describe('prime oracle feed', () => {
  const units = { tick_size: '0x1', lot_size: '0x1', base_decimals: 16, quote_decimals: 18 };
  const margin = { initial_margin_bps: 1_000, maintenance_margin_bps: 500 };
  const state = { status: 'trading', last_price: null, mark_price: null };
  const market = { market_id: 1, symbol: 'ETH/USD', ...units, ...margin, ...state };
  const oracle = { index_price: null, premium: '0x0', stale_since_ms: '0x0', resumes_at_ms: null };
  const known = (...markets: readonly object[]) => ({ primeorders_getMarkets: markets });
  /** A feeder that reads the price of a file. */
  const configured = async (symbol = 'ETH/USD'): Promise<string[]> => {
    const [file, config] = ['price.json', 'fed.json'].map((name) => join(folder(), name)) as [string, string];
    await writeFile(file, '{"usd": "3012.55"}');
    const sources = [{ kind: 'file', file, path: 'usd' }];
    const fed = { symbol, quorum: 1, max_age_ms: 600_000, outlier_bps: 300, sources };
    await writeFile(config, JSON.stringify({ interval_ms: 1_000, markets: [fed] }));
    return ['--config', config];
  };
  const feed = (...args: readonly string[]): Promise<void> => prime('oracle', 'feed', ...args);

  it.each([
    ['neither home nor network', [], { code: 'CLI_USAGE', detail: { argument: '--home' } }],
    ['both', ['--home', 'a', '--network', 'b'], { code: 'CLI_USAGE', detail: { argument: '--home' } }],
    ['a key for a network', ['--network', 'a', '--key', 'k'], { code: 'CLI_USAGE', detail: { argument: '--key' } }],
    ['a folder without validators', ['--network', 'none'], { code: 'CLI_NOT_FOUND' }],
    ['a home that is none', ['--home', 'none'], { code: 'CLI_NOT_FOUND' }],
  ])('%s: refused before a node is asked', async (_, flags, refused) => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    await expect(feed(...(await configured()), '--rpc', url, ...flags)).rejects.toMatchObject(refused);
  });

  it('without a file of sources, and with one that makes no sense: said which key', async () => {
    await expect(feed('--rpc', 'http://127.0.0.1:1', '--home', home(0))).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: '--config' },
    });
    const config = join(folder(), 'bad.toml');
    await writeFile(config, 'interval_ms = 1000\n');
    await expect(feed('--rpc', 'http://127.0.0.1:1', '--home', home(0), '--config', config)).rejects.toMatchObject({
      code: 'CLI_FEEDER_INVALID',
      detail: { key: 'markets' },
    });
  });

  it.each([
    ['a market that the network has not', [market], 'X/USD', { code: 'CLI_USAGE' }],
    ['a market without oracle', [market], 'ETH/USD', { code: 'CLI_USAGE' }],
    ['a key that signs for no validator', [{ ...market, oracle }], 'ETH/USD', { code: 'CLI_NOT_FOUND' }],
  ])('%s: it ends, and reports nothing', async (_, markets, symbol, refused) => {
    const { url, taken } = await takingNode({ ...known(...markets), prime_validators: [] });
    await expect(feed(...(await configured(symbol)), '--rpc', url, '--home', home(0))).rejects.toMatchObject(refused);
    expect(taken).toEqual([]);
  });

  it('reports the price in the decimals of the market with the key of the home, until a signal comes', async () => {
    const { url, taken } = await takingNode(known({ ...market, oracle }));
    const validator = `0x${'c1'.repeat(20)}`;
    const args = ['oracle', 'feed', ...(await configured()), '--rpc', url, '--home', home(0), '--validator', validator];
    const child = spawn(process.execPath, [cli, ...args, '--log-format', 'json'], { timeout: 30_000 });
    const lines: string[] = [];
    child.stdout.on('data', (chunk) => lines.push(String(chunk)));
    while (taken.length === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGTERM');
    expect([(await once(child, 'exit'))[0], lines.join('')]).toEqual([0, expect.stringContaining('"msg":"stopped"')]);
    const { account, payload } = taken[0]!;
    expect([account, payload]).toEqual([
      validator,
      { type: 'oracleReport', observedAtMs: expect.any(Number), prices: [{ marketId: 1, price: 301_255n }] },
    ]);
  });
});
