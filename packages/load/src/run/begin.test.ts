/** What keeps a run from beginning, as its user is told: nothing was sent by then, but to accounts of the run. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { type Address, hexToBytes } from '@prime/primitives';
import { FakeNode, type FakeRequest } from '../testing/fakeNode.ts';
import { Crew } from './worker/crew.ts';
import { readNodes } from './facts.ts';
import { faucetOf, type Funder, pay } from './funding.ts';
import { setUp } from './setup.ts';

const nodes: FakeNode[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});

async function start(answer: FakeNode['answer']): Promise<FakeNode> {
  const node = await FakeNode.start(answer);
  nodes.push(node);
  return node;
}

const network = (genesis: string) =>
  start(({ method }) => ({ result: method === 'eth_getBlockByNumber' ? { hash: genesis } : '0x5' }));

describe('readNodes', () => {
  it('takes nodes of one network, with their heads', async () => {
    const urls = [(await network('0xa')).url, (await network('0xa')).url];
    expect(await readNodes(urls)).toMatchObject(urls.map((url) => ({ url, head: 5 })));
  });

  it('refuses nodes of two networks, and names both', async () => {
    const [one, other] = [await network('0xa'), await network('0xb')];
    await expect(readNodes([one.url, other.url])).rejects.toMatchObject({
      detail: { code: 'LOAD_NETWORK_UNFIT', reason: expect.stringContaining(`${other.url} with 0xb`) },
    });
  });

  it('refuses a node that does not answer', async () => {
    const node = await network('0xa');
    const { url } = node;
    await node.stop();
    nodes.length = 0;
    await expect(readNodes([url])).rejects.toMatchObject({ detail: { code: 'LOAD_NETWORK_UNFIT' } });
  });
});

type Payer = Exclude<Funder, { readonly kind: 'faucet' }>;
const to = `0x${'b'.repeat(40)}` as Address;
const key: Payer = { kind: 'key', privateKey: hexToBytes(`0x${'42'.repeat(32)}`, 32) };

/** A node whose accounts have so many wei, and which puts everything in a block at once. */
const bank = (wei: bigint, accounts: readonly string[] = []) => {
  const answers: Readonly<Record<string, unknown>> = {
    eth_accounts: accounts,
    eth_gasPrice: '0x1',
    eth_chainId: '0x1eef',
    eth_getTransactionCount: '0x0',
    eth_getBalance: `0x${wei.toString(16)}`,
    eth_sendRawTransaction: `0x${'1'.repeat(64)}`,
    eth_sendTransaction: `0x${'1'.repeat(64)}`,
    eth_getTransactionReceipt: { status: '0x1' },
  };
  return start(({ method }: FakeRequest) => ({ result: answers[method] }));
};

describe('pay', () => {
  it('pays from a key with consecutive nonces, and from unlocked accounts', async () => {
    const provider = await createCryptoProvider();
    for (const [funder, method] of [
      [key, 'eth_sendRawTransaction'],
      [{ kind: 'unlocked' }, 'eth_sendTransaction'],
    ] as const) {
      const node = await bank(10n ** 18n, [`0x${'c'.repeat(40)}`]);
      const payments = Array.from({ length: 70 }, () => ({ to, wei: 5n }));
      await pay(node.url, funder, payments, provider);
      const sent = node.requests.filter((request) => request.method === method);
      expect(sent).toHaveLength(70);
      if (funder.kind === 'key') expect(new Set(sent.map(({ params }) => params[0])).size).toBe(70);
    }
  });

  it.each<[name: string, funder: Payer, wei: bigint]>([
    ['a key that has too little', key, 84_004n],
    ['a node without unlocked accounts', { kind: 'unlocked' }, 10n ** 18n],
  ])('says what is missing, before anything is sent: %s', async (_name, funder, wei) => {
    const node = await bank(wei);
    const paying = pay(node.url, funder, [{ to, wei: 5n }], await createCryptoProvider());
    await expect(paying).rejects.toMatchObject({ detail: { code: 'LOAD_FUNDS_MISSING' } });
    expect(node.requests.some(({ method }) => method.startsWith('eth_send'))).toBe(false);
  });

  it('one wei more is enough', async () => {
    const node = await bank(84_005n);
    await pay(node.url, key, [{ to, wei: 5n }], await createCryptoProvider());
    expect(node.requests.some(({ method }) => method === 'eth_sendRawTransaction')).toBe(true);
  });
});

describe('faucetOf', () => {
  const withGenesis = (genesis: object) => start(() => ({ result: genesis }));

  it('is the one that genesis names', async () => {
    expect(await faucetOf((await withGenesis({ faucet: to })).url, false)).toBe(to);
  });

  it.each([
    ['a network without one', {}, false],
    ['a scenario that needs gas', { faucet: to }, true],
  ])('does not pay for %s', async (_name, genesis, needsGas) => {
    const { url } = await withGenesis(genesis);
    await expect(faucetOf(url, needsGas)).rejects.toMatchObject({ detail: { code: 'LOAD_FUNDS_MISSING' } });
  });
});

describe('setUp', () => {
  const operation = (text: string) => ({
    kind: 'deposit',
    method: 'eth_sendRawTransaction',
    params: JSON.stringify([text]),
    hash: `0x${'1'.repeat(64)}` as const,
    sender: null,
  });
  const step = { name: 'collateral', operations: [operation('0x50a')] as never };

  it('sends again what a node was too busy for', async () => {
    let busy = 2;
    const node = await start(({ method }) => {
      if (method !== 'eth_sendRawTransaction') return { result: { status: '0x1' } };
      return busy-- > 0 ? { error: { code: -32_005, message: 'busy' } } : { result: '0x1' };
    });
    await setUp(node.url, [step], () => undefined);
    expect(node.requests.filter(({ method }) => method === 'eth_sendRawTransaction')).toHaveLength(3);
  });

  it.each<[name: string, answer: FakeNode['answer'], words: string]>([
    [
      'refused',
      ({ method }) =>
        method === 'eth_sendRawTransaction'
          ? { error: { code: -32_000, message: 'invalid signature' } }
          : { result: null },
      'invalid signature',
    ],
    [
      'failed',
      ({ method }) => ({ result: method === 'eth_sendRawTransaction' ? '0x1' : { status: '0x0', output: '0x' } }),
      'no reason given',
    ],
  ])('names the step and the first operation that was %s', async (_name, answer, words) => {
    const node = await start(answer);
    await expect(setUp(node.url, [step], () => undefined)).rejects.toMatchObject({
      detail: { code: 'LOAD_SETUP_FAILED', step: 'collateral', reason: expect.stringContaining(words) },
    });
  });
});

it('a crew whose workers are all gone says why each is', async () => {
  const events = { onAnnounced: () => undefined, onOutcomes: () => undefined, onDeath: () => undefined };
  const crew = await Crew.open(
    [({ onEnd }) => ({ name: 'one', send: () => onEnd('no memory'), close: () => undefined })],
    events,
    () => 0,
  );
  await expect(crew.sign(1)).rejects.toMatchObject({
    message: 'no worker is left: one: no memory',
    detail: { code: 'LOAD_NO_WORKER', workers: 1 },
  });
});
