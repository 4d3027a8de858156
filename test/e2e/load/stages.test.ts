import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeNativeTransaction, nativeSigningDigest } from '@prime/codec';
import { homePaths } from '@prime/config';
import { junkMnemonic } from '@prime/examples';
import { type Address, bytesToHex, hexToBytes } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { type Hex, keccak256, parseGwei } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { nodesOf } from '../nodes.ts';

/** Where time goes, as the nodes of a network stamp it. */

interface Page {
  readonly on: boolean;
  readonly words?: string;
  readonly rows: readonly (readonly [
    stage: string,
    height: number,
    block: string | null,
    item: string | null,
    atUs: number,
  ])[];
  readonly next: string;
  readonly lost: number;
  readonly more: boolean;
}

const nodes = [0, 1, 2, 3] as const;
/** Whose configuration asks for stamps. */
const configured = 3;
let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: nodes.length,
    environmentOf: (index) => (index === configured ? { PRIME_ADMIN_STAGE_STAMPS: '5000' } : {}),
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const page = async (index: number, query = ''): Promise<Page> =>
  (await (await fetch(`${testnet.adminUrl(index)}/stages${query}`)).json()) as Page;

/** All that a node still has. */
async function stampsOf(index: number): Promise<Page['rows']> {
  const rows: Page['rows'][number][] = [];
  for (let next = ''; ; ) {
    const read = await page(index, `?after=${next}`);
    rows.push(...read.rows);
    if (!read.more) return rows;
    ({ next } = read);
  }
}

async function keep(index: number, stamps: unknown): Promise<{ readonly status: number; readonly answer: unknown }> {
  const token = (await readFile(homePaths(testnet.home(index)).adminToken, 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}` };
  const body = JSON.stringify({ stamps });
  const response = await fetch(`${testnet.adminUrl(index)}/stages/keep`, { method: 'POST', headers, body });
  return { status: response.status, answer: await response.json() };
}

const account = mnemonicToAccount(junkMnemonic, { addressIndex: 7 });
const address = account.address.toLowerCase() as Address;
const { call } = nodesOf(() => testnet);

async function transfer(): Promise<Hex> {
  const nonce = Number(await call<Hex>(0, 'eth_getTransactionCount', [account.address, 'pending']));
  return account.signTransaction({
    type: 'eip1559',
    chainId: 7919,
    nonce,
    to: '0x00000000000000000000000000000000000000c7',
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: parseGwei('100'),
    maxPriorityFeePerGas: parseGwei('1'),
  });
}

let newest = 0;
async function signedAction(): Promise<Hex> {
  newest = Math.max(Date.now(), newest + 1);
  const payload = { type: 'noop' } as const;
  const unsigned = {
    chainId: 7919,
    nonce: newest,
    expiresAt: 0,
    account: address,
    payload,
    signatureKind: 'raw',
  } as const;
  const signature = hexToBytes(await account.sign({ hash: bytesToHex(nativeSigningDigest(unsigned)) as Hex }));
  signature[64]! %= 27;
  return bytesToHex(encodeNativeTransaction({ ...unsigned, signature })) as Hex;
}

describe('stages of transactions and actions', () => {
  it('are not stamped unless somebody asks for it: the node says so, and how to', async () => {
    for (const index of nodes.filter((each) => each !== configured))
      expect(await page(index)).toMatchObject({
        on: false,
        words: expect.stringContaining('stamps of stages are off'),
      });
  });

  it('are there from the first block on where the configuration says so', async () => {
    const read = await until('a block is delivered', async () => {
      const found = await page(configured);
      return found.rows.some(([stage]) => stage === 'delivered') && found;
    });
    expect(read).toMatchObject({ on: true, stamps: 5_000, lost: 0 });
    expect(read.rows.find(([stage]) => stage === 'durable')![1]).toBe(1);
  });

  it('nobody switches them on without the token of the node, nor with a number that it does not take', async () => {
    const body = JSON.stringify({ stamps: 1_000 });
    const answer = await fetch(`${testnet.adminUrl(0)}/stages/keep`, { method: 'POST', body });
    expect(answer.status).toBe(401);
    expect(await keep(0, 4_194_305)).toMatchObject({
      status: 400,
      answer: { error: { code: 'OPERATOR_REQUEST_INVALID' } },
    });
    expect((await page(0)).on).toBe(false);
  });

  it.each([
    ['a transfer', transfer],
    ['a signed action', signedAction],
  ])(
    '%s that another node proposes: stamped in order by the proposer, and by the node that it was sent to',
    async (_, make) => {
      for (const index of nodes)
        expect(await keep(index, 10_000)).toMatchObject({ status: 200, answer: { on: true, stamps: 10_000 } });
      // Who proposes next is up to the network: it is sent until somebody else does.
      const { item, block, hash, proposer } = await until('another node proposes it', async () => {
        const raw = await make();
        const { blockHash } = await call<{ readonly blockHash: Hex }>(0, 'eth_sendRawTransactionSync', [raw]);
        const found = { item: keccak256(raw).slice(0, 18), block: blockHash.slice(0, 18), hash: blockHash };
        for (const index of nodes.slice(1)) {
          const taken = (await stampsOf(index)).some(
            (row) => row[0] === 'taken' && row[2] === found.block && row[3] === found.item,
          );
          if (taken) return { ...found, proposer: index };
        }
        return null;
      });
      const { number } = await call<{ readonly number: Hex }>(0, 'eth_getBlockByHash', [hash, false]);
      /** What a node stamped of this item and this block, each stage the first time: a block may be proposed again in a later round. */
      const wayAt = async (index: number): Promise<Page['rows']> => {
        const rows = (await stampsOf(index)).filter(
          ([stage, , ofBlock, ofItem]) =>
            (ofBlock === block && (ofItem === null || ofItem === item)) || (stage === 'pooled' && ofItem === item),
        );
        const sorted = [...rows].sort((a, b) => a[4] - b[4]);
        return sorted.filter(([stage], at) => sorted.findIndex((row) => row[0] === stage) === at);
      };
      const isDelivered = async (index: number) => {
        const way = await wayAt(index);
        return way.some(([stage]) => stage === 'delivered') && way;
      };
      const own = await until('the proposer has delivered the block', () => isDelivered(proposer));
      const other = await until('the other one has delivered the block', () => isDelivered(0));
      // Who waited in vain for the last prevote has no polka, and decides with the others' precommits.
      const ends = (way: Page['rows']): readonly string[] => {
        const hasPolka = way.some(([stage]) => stage === 'polka');
        return (hasPolka ? ['polka'] : []).concat('decided', 'durable', 'executed', 'visible', 'delivered');
      };
      // The block is proposed and its items are taken at one moment.
      const ownStages = own.map(([stage]) => stage);
      expect(ownStages).toContain('taken');
      expect(ownStages.filter((stage) => stage !== 'taken')).toEqual(['pooled', 'proposed', ...ends(own)]);
      expect(other.map(([stage]) => stage)).toEqual(['pooled', 'received', ...ends(other)]);
      for (const [stage, height] of [...own, ...other])
        expect([stage, height]).toEqual([stage, stage === 'pooled' ? 0 : Number(number)]);
      // One machine, so one wall clock: the way from node to node is forwards, too.
      expect(other[0]![4]).toBeLessThanOrEqual(own.find(([stage]) => stage === 'proposed')![4]);
      expect(own.at(-1)![4] - own[0]![4]).toBeGreaterThan(0);
    },
  );

  it('are forgotten when they are switched off', async () => {
    for (const index of nodes) expect(await keep(index, 0)).toMatchObject({ status: 200, answer: { on: false } });
    await call(0, 'eth_sendRawTransactionSync', [await transfer()]);
    for (const index of nodes) expect((await page(index)).on).toBe(false);
  });
});
