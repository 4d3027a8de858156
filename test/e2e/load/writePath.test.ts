import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unsignedTransaction } from '@prime/codec';
import { cryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import { type Address, bytesToHex, utf8ToBytes } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** What a transaction costs each validator, in counts that do not depend on the machine. */

const all = [0, 1, 2, 3];
const senders = 8;
const perSender = 120;
const receiver = `0x${'d5'.repeat(20)}` as Address;
const wei = 10n ** 18n;

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const { call } = nodesOf(() => testnet);

/** Counters of a node by their whole names, labels included. */
async function counters(index: number): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${testnet.adminUrl(index)}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

const provider = await cryptoProvider();
const keys = Array.from({ length: senders }, (_, index) => keccak256(utf8ToBytes(`sender ${index}`)));

/** Transfers of each of the senders, in the order of their nonces, the senders in turns. */
function transfers(chainId: number): string[] {
  return Array.from({ length: senders * perSender }, (_, place) => {
    const unsigned = unsignedTransaction(chainId, Math.floor(place / senders), {
      to: receiver,
      value: 1n,
      data: new Uint8Array(0),
      gas: 21_000n,
      accessList: [],
      authorizationList: [],
      fees: { kind: 'dynamic', maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n },
    });
    return bytesToHex(unsigned.encode(provider.sign(keccak256(unsigned.message), keys[place % senders]!)));
  });
}

/** Each sender gets some ether from an account that the node holds. */
async function fund(): Promise<void> {
  const [from] = await call<string[]>(0, 'eth_accounts');
  for (const key of keys) {
    const to = publicKeyToAddress(provider.publicKey(key));
    await call(0, 'eth_sendTransaction', [{ from, to, value: `0x${(10n * wei).toString(16)}` }]);
  }
  for (const index of all)
    for (const key of keys)
      await until(
        'the sender has ether',
        async () =>
          (await call<string>(index, 'eth_getBalance', [publicKeyToAddress(provider.publicKey(key)), 'latest'])) !==
          '0x0',
      );
}

describe('a burst of transfers that comes to all four validators at once, some of it to several', () => {
  it('each validator recovers each signature once, and executes each transfer once', async () => {
    await fund();
    const chainId = Number(await call<string>(0, 'eth_chainId'));
    const raws = transfers(chainId);
    const recovered = 'prime_signatures_recovered_total{kind="transactions"}';
    const known = 'prime_signatures_known_total{kind="transactions"}';
    const before = await Promise.all(all.map(counters));
    // In turns to one validator each, and every third one to the next as well, whoever is first.
    const send = (index: number, raw: string): Promise<unknown> =>
      call(index, 'eth_sendRawTransaction', [raw]).catch((error: unknown) => error);
    const sent: Promise<unknown>[] = [];
    for (const [place, raw] of raws.entries()) {
      sent.push(send(place % 4, raw));
      if (place % 3 === 0) sent.push(send((place + 1) % 4, raw));
    }
    await Promise.all(sent);
    for (const index of all)
      await until(`validator${index} has them all`, async () => {
        const balance = await call<string>(index, 'eth_getBalance', [receiver, 'latest']);
        return Number(balance) === raws.length;
      });
    const executed = 'prime_consensus_transactions_total';
    const grownSince = (now: ReadonlyMap<string, number>, index: number, name: string): number =>
      now.get(name)! - before[index]!.get(name)!;
    // Callers see a block before consensus hears that it is written.
    for (const index of all)
      await until(`validator${index} has counted them`, async () => {
        return grownSince(await counters(index), index, executed) >= raws.length;
      });
    const after = await Promise.all(all.map(counters));
    const grown = (index: number, name: string): number => grownSince(after[index]!, index, name);
    for (const name of [recovered, executed])
      expect(all.map((index) => grown(index, name))).toEqual(all.map(() => raws.length));
    expect(all.every((index) => Number.isFinite(grown(index, known)))).toBe(true);
  });
});
