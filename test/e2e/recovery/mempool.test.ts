import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** What a node has taken is mined, whatever happens to the proposers meanwhile. */

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const all = [0, 1, 2, 3];
const perNode = 5;
const receiver = '0x00000000000000000000000000000000000000d4';
/** Complete, so that nothing has to be read for it. */
const transfer = { to: receiver, value: '0x1', gas: '0x5208', gasPrice: '0x2540be400' };
const { call } = nodesOf(() => testnet);

/** Transactions of an account of the node's own, all at once: the node gives them consecutive nonces. */
async function send(index: number): Promise<string[]> {
  const from = (await call<string[]>(index, 'eth_accounts'))[index];
  const one = (): Promise<string> => call(index, 'eth_sendTransaction', [{ from, ...transfer }]);
  return Promise.all(Array.from({ length: perNode }, one));
}

interface Receipt {
  readonly status: string;
  readonly blockNumber: string;
}

describe('proposers that are killed', () => {
  it('every transaction that a living node took is mined once, by whoever is left', async () => {
    const sent: string[] = [];
    for (const victim of [...all, ...all]) {
      const others = all.filter((index) => index !== victim);
      // The victim is gone while these are on their way, in whichever round it was to propose.
      const [hashes] = await Promise.all([Promise.all(others.map(send)), testnet.kill(victim, 'SIGKILL')]);
      for (const [place, ofNode] of hashes.entries())
        for (const hash of ofNode)
          await until(`${hash}, taken by validator${others[place]}, is mined without validator${victim}`, async () => {
            const receipt = await call<Receipt | null>(others[0]!, 'eth_getTransactionReceipt', [hash]);
            return receipt?.status === '0x1';
          });
      sent.push(...hashes.flat());
      await testnet.start(victim);
    }
    expect(new Set(sent).size).toBe(all.length * 2 * 3 * perNode);
    const head = Number(await call<string>(0, 'eth_blockNumber'));
    for (const index of all) {
      await until(`validator${index} has it all`, async () => Number(await call(index, 'eth_blockNumber')) >= head);
      expect([index, Number(await call<string>(index, 'eth_getBalance', [receiver, 'latest']))]).toEqual([
        index,
        sent.length,
      ]);
    }
    for (const index of all)
      await until(`nothing waits at validator${index}`, async () => {
        const { pending, queued } = await call<{ pending: string; queued: string }>(index, 'txpool_status');
        return pending === '0x0' && queued === '0x0';
      });
  });

  it('what waits reaches a validator that joins late, which proposes it when the others are blind to it', async () => {
    const [from] = await call<string[]>(1, 'eth_accounts');
    await testnet.kill(3, 'SIGKILL');
    const nonce = Number(await call<string>(1, 'eth_getTransactionCount', [from, 'latest']));
    // Behind a gap: nobody can mine it, so it is still there when the other one comes back.
    const ahead = { from, ...transfer, nonce: nonce + 1 };
    const hash = await call<string>(1, 'eth_sendTransaction', [ahead]);
    await testnet.start(3);
    await until('the newcomer knows it', async () => (await call(3, 'eth_getTransactionByHash', [hash])) !== null);
    await call(3, 'eth_sendTransaction', [{ ...ahead, nonce }]);
    const receipt = await until('both are mined', () => call<Receipt | null>(0, 'eth_getTransactionReceipt', [hash]));
    expect(receipt.status).toBe('0x1');
  });
});
