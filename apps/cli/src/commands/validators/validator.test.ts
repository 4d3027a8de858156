import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ActionResult, encodeActionResult, hiddenHost, verifyNativeTransaction } from '@prime/codec';
import { createTestnet, homePaths, ownerKeyPath, placeFrom } from '@prime/config';
import { cryptoProvider, keccakHex } from '@prime/crypto';
import { generateTlsIdentity } from '@prime/network';
import { bytesToHex, hexToBytes, type TimestampMs } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import { Command } from 'commander';
import { keyOf } from '../../testing/keyOf.ts';
import { addValidatorCommands } from './validator.ts';

let folder: string;
let home: string;
let server: Server;
let url: string;
/** What requests said of who they are from. */
let authorizations: (string | undefined)[];
/** Raw transactions that the node was sent. */
let sent: string[];
let answer: ActionResult;
/** Hash of block 0 of the node. */
let genesis: string;
/** What the node says instead of an answer. */
let refusal: { readonly code: number; readonly message: string } | null;
/** The connection ends instead of an answer, as long as the node was sent so many raw transactions. */
let hangsUpAt: number | null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prime-validator-'));
  home = join(folder, 'validator0');
  const tls = await generateTlsIdentity();
  let byte = 1;
  const input = { preset: 'local', timestampMs: 1 as TimestampMs, places: [placeFrom(1000, 0)], tls: [tls] } as const;
  const randomBytes = (length: number): Uint8Array => new Uint8Array(length).fill(byte++);
  const { files, genesisHash } = createTestnet({ ...input, randomBytes, provider: await cryptoProvider() });
  for (const { path, text } of files) {
    const target = join(folder, path);
    mkdirSync(join(target, '..'), { recursive: true, mode: 0o700 });
    writeFileDurably(target, new TextEncoder().encode(text), 0o600);
  }
  genesis = genesisHash;
  sent = [];
  authorizations = [];
  answer = { ok: true, value: { type: 'done' } };
  refusal = null;
  hangsUpAt = null;
  server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const answered = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        ...(refusal === null ? { result: answerTo(body) } : { error: refusal }),
      });
      if (sent.length === hangsUpAt) request.socket.destroy();
      else response.end(answered);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function answerTo(body: string): unknown {
  const { method, params } = JSON.parse(body) as { readonly method: string; readonly params: readonly string[] };
  if (method === 'prime_registeredValidators') return [];
  if (method === 'eth_getBlockByNumber') return { hash: genesis };
  if (method === 'eth_getTransactionReceipt') return null;
  sent.push(params[0]!);
  const transactionHash = keccakHex(hexToBytes(params[0]!));
  return { transactionHash, blockNumber: '0x5', output: bytesToHex(encodeActionResult(answer)) };
}

async function prime(...args: readonly string[]): Promise<void> {
  const program = new Command().exitOverride();
  addValidatorCommands(program);
  await program.parseAsync(['validator', ...args, ...(args[0] === 'list' ? [] : ['--home', home]), '--rpc', url], {
    from: 'user',
  });
}

describe('prime validator', () => {
  it('sends what the owner of the home signed', async () => {
    await prime('stake', '--add', '5');
    const provider = await cryptoProvider();
    const owner = await keyOf(ownerKeyPath(home), 'owner');
    const verified = verifyNativeTransaction(hexToBytes(sent[0]!), 7919, provider);
    expect(verified).toMatchObject({
      signer: owner.address,
      transaction: { account: owner.address, payload: { type: 'validatorBond', amount: 5n } },
    });
  });

  it('says what was done in which block, with the hash that finds it', async () => {
    const lines: string[] = [];
    jest.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
    try {
      await prime('unjail');
    } finally {
      jest.restoreAllMocks();
    }
    const hash = keccakHex(hexToBytes(sent[0]!));
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^validatorUnjail of 0x[0-9a-f]{40} in block 5, ${hash}$`)),
    ]);
  });

  it('a connection that ends before the answer is no outcome: the same bytes are sent again', async () => {
    hangsUpAt = 1;
    await prime('unjail');
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
  });

  it('shows an API key where the node wants one, and nothing otherwise', async () => {
    const file = join(home, 'api.key');
    writeFileSync(file, 'prime_0123abcd\n');
    await prime('unjail', '--api-key-file', file);
    await prime('list', '--api-key-file', file);
    expect(new Set(authorizations)).toEqual(new Set(['Bearer prime_0123abcd']));
    authorizations = [];
    await prime('unjail');
    expect(new Set(authorizations)).toEqual(new Set([undefined]));
  });

  it('a file without one key: refused, and nothing is sent or written', async () => {
    const file = join(home, 'api.key');
    const rotate = (): Promise<void> => prime('rotate-signer', '--api-key-file', file);
    const refused = expect.objectContaining({ code: 'CLI_USAGE', message: expect.stringContaining('--api-key-file') });
    await expect(rotate()).rejects.toMatchObject({ code: 'CLI_NOT_FOUND', detail: { what: file } });
    for (const text of ['', 'two words', 'caf\u00e9']) {
      writeFileSync(file, text);
      await expect(rotate()).rejects.toEqual(refused);
    }
    expect(authorizations).toEqual([]);
    expect(existsSync(homePaths(home).nextSignerKey)).toBe(false);
  });

  it('a node that is too busy is no mistake of whoever asks: CLI_UNREACHABLE', async () => {
    refusal = { code: -32_005, message: 'the node is overloaded, try again later' };
    await expect(prime('unjail')).rejects.toMatchObject({
      code: 'CLI_UNREACHABLE',
      message: expect.stringMatching(/overloaded/),
    });
    refusal = { code: -32_000, message: 'nonce too old' };
    await expect(prime('unjail')).rejects.toMatchObject({
      code: 'CLI_NODE_REFUSED',
      message: expect.stringMatching(/nonce too old/),
    });
  });

  it('a validator behind sentries tells nobody where it is; any other has to', async () => {
    await prime('set-endpoint', '--hidden');
    const verified = verifyNativeTransaction(hexToBytes(sent[0]!), 7919, await cryptoProvider());
    expect(verified).toMatchObject({ transaction: { payload: { type: 'validatorSetEndpoint', host: hiddenHost } } });
    await expect(prime('set-endpoint', '--host', 'a.example')).rejects.toMatchObject({ code: 'CLI_USAGE' });
  });

  it('an owner key that is kept elsewhere: CLI_NOT_FOUND names the option', async () => {
    rmSync(ownerKeyPath(home));
    await expect(prime('unjail')).rejects.toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: expect.stringContaining('--owner-key'),
    });
  });

  it('a node of another network: nothing is sent, and both hashes are told', async () => {
    const own = genesis;
    genesis = `0x${'cd'.repeat(32)}`;
    await expect(prime('stake', '--add', '5')).rejects.toMatchObject({
      code: 'CLI_OTHER_NETWORK',
      detail: { url, genesisHash: genesis },
      message: expect.stringContaining(own),
    });
    expect(sent).toEqual([]);
  });

  it('leave asks, and where nobody can be asked it needs --yes: says what it means, and sends nothing', async () => {
    await expect(prime('leave')).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: '--yes' },
      message: expect.stringMatching(
        /leaves the validators of prime-local: .* comes back after 7 days, and answers for/,
      ),
    });
    expect(sent).toEqual([]);
    await prime('leave', '--yes');
    expect(sent).toHaveLength(1);
  });

  it('unjail of a home whose node does not vote: warned of, and sent', async () => {
    const warned: string[] = [];
    jest.spyOn(console, 'error').mockImplementation((line: unknown) => void warned.push(String(line)));
    try {
      await prime('unjail');
      expect(warned).toEqual([]);
      const { config } = homePaths(home);
      writeFileSync(config, readFileSync(config, 'utf8').replace('role = "validator"', 'role = "full"'));
      await prime('unjail');
      expect(warned).toEqual([expect.stringMatching(/config\.toml has role = "full".*set role = "validator"/)]);
      expect(sent).toHaveLength(2);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('a refusal of the chain is an error with its words', async () => {
    const error = { code: 'STAKING_NOT_JAILED', message: 'not jailed', data: { kind: 'not_jailed' } };
    answer = { ok: false, error };
    await expect(prime('unjail')).rejects.toMatchObject({
      code: 'CLI_ACTION_REFUSED',
      message: 'refused: not jailed (not_jailed)',
      detail: { refusal: 'not_jailed' },
    });
  });

  it('a new signer is kept until it is registered: asked again, the same key is sent', async () => {
    await prime('rotate-signer');
    await prime('rotate-signer');
    const provider = await cryptoProvider();
    const keys = sent.map((raw) => {
      const verified = verifyNativeTransaction(hexToBytes(raw), 7919, provider);
      const payload = 'failure' in verified ? null : verified.transaction.payload;
      return payload?.type === 'validatorRotateSigner' ? bytesToHex(payload.publicKey) : null;
    });
    expect(keys[0]).not.toBeNull();
    expect(keys[1]).toBe(keys[0]);
  });

  it('neither more nor less stake, or both: says how it is meant', async () => {
    await expect(prime('stake')).rejects.toMatchObject({ code: 'CLI_USAGE' });
    await expect(prime('stake', '--add', '1', '--remove', '1')).rejects.toMatchObject({ code: 'CLI_USAGE' });
    await expect(prime('stake', '--add', '1.5')).rejects.toMatchObject({ code: 'CLI_USAGE' });
  });
});
