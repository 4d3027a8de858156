/** A book that nobody has to believe: the page verifies it, and shows a red mark where somebody between it and the validators changes anything. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rpc, toHex as hex } from '@prime/load/rpc';
import { bookChecksum } from '@prime/sdk';
import { until } from '@prime/testkit';
import type { Page } from 'playwright-core';
import { type Answered, LyingProxy } from '../e2e/sdk/lyingProxy.ts';
import { describePages, setScene } from './scene.ts';
import { barriers, expectCount, expectWords, photograph, views } from './visits.ts';

const marketId = 2;
const maker = `0x${'ab'.repeat(20)}`;
const size = 10n ** 16n;

interface WireLevel {
  readonly price: string;
  readonly size: string;
}
interface WireBook {
  readonly type: 'snapshot' | 'update';
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
}

/** Changes whole books on their way, with the checksum of what they are then: a lie that is well made. */
const forging =
  (forge: (book: WireBook) => Pick<WireBook, 'bids' | 'asks'>) =>
  (message: string): string => {
    const notice = JSON.parse(message) as { readonly params?: { readonly result?: Partial<WireBook> } };
    const book = notice.params?.result;
    if (book?.type !== 'snapshot') return message;
    const forged = forge(book as WireBook);
    const levels = (side: readonly WireLevel[]) =>
      side.map((level) => ({ price: BigInt(level.price), size: BigInt(level.size) }));
    const checksum = bookChecksum(levels(forged.bids).toReversed(), levels(forged.asks));
    return JSON.stringify({ ...notice, params: { ...notice.params, result: { ...book, ...forged, checksum } } });
  };

describePages('a proven book', () => {
  const scene = setScene({
    genesis: (genesis) => {
      Object.assign(genesis['clob'] as object, { levelProofs: true });
    },
  });
  let proxy: LyingProxy;
  const call = <Result>(method: string, params: readonly unknown[]): Promise<Result> =>
    rpc(scene.testnet.url(0), method, params);
  const order = (side: 'buy' | 'sell', price: number, amount = size) =>
    call('primeorders_submitOrder', [
      { owner: maker, market_id: marketId, side, price: hex(price), size: hex(amount), tif: 'gtc' },
    ]);
  beforeAll(async () => {
    proxy = await LyingProxy.before(scene.testnet.url(0));
    await call('primeorders_depositCollateral', [maker, hex(10n ** 24n)]);
    for (const level of [1, 2, 4, 8]) {
      await order('buy', 300_000 - 5 * level);
      await order('sell', 300_000 + 5 * level);
    }
  });
  afterAll(() => proxy?.close());

  const mark = (page: Page) => page.locator('.proof-mark');
  /** Opens the page through the proxy, as it is then, and lets it check. */
  async function check() {
    const opened = await scene.openAt(proxy.url, '/market/ETH-USD');
    await opened.page.locator('.ladder .rung[data-price]').first().waitFor();
    await mark(opened.page).click();
    return opened;
  }
  const blockAfter = async ({ result }: Answered): Promise<void> => {
    const { block_number: proven } = result as { readonly block_number: string };
    await until('the next block is there', async () => Number(await call('eth_blockNumber', [])) > Number(proven));
  };
  const reset = (): void => {
    proxy.lie = (_, ask) => ask();
    proxy.twist = (message) => message;
  };

  it('is what the validators signed: every level, every gap, and the account', async () => {
    reset();
    const { page, heard, close } = await check();
    await mark(page).getByText('✓ signed').waitFor();
    const dialog = page.getByRole('dialog');
    await expectWords(dialog, /Levels compared\s+8\s[\s\S]*Gaps with nothing in them\s+10\s/);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expectCount(page.locator('.ladder .proven'), 8);
    const [account] = await call<string[]>('eth_accounts', []);
    await call('primeorders_depositCollateral', [account, hex(10n ** 21n)]);
    // A block comes before each answer: what is asked for after one is of another block.
    proxy.lie = async ({ method }, ask) => {
      const answer = await ask();
      if (method === 'primeorders_getProof') await blockAfter(answer);
      return answer;
    };
    await page.getByLabel('Use a test account').selectOption(account!);
    await mark(page).click();
    await dialog.getByText('collateral and positions are signed').waitFor();
    await photograph(page, 'market-proof', views[0]);
    reset();

    // What changes is proven anew.
    await page.keyboard.press('Escape');
    await order('buy', 299_985);
    await page.locator('.ladder .proven[data-price="299985"]').waitFor();
    expect(await page.locator('.proof-note').count()).toBe(0);
    expect(heard).toEqual([]);
    await close();
  });

  it.each([
    [
      'changes one size',
      (book: WireBook) => ({
        bids: book.bids,
        asks: book.asks.map((level, index) => (index === 1 ? { ...level, size: hex(size + 1n) } : level)),
      }),
      'The node shows a size that nobody signed.',
    ],
    [
      'hides one level',
      (book: WireBook) => ({ bids: book.bids.toSpliced(1, 1), asks: book.asks }),
      'The node hides a price level.',
    ],
    [
      'hides the best level',
      (book: WireBook) => ({ bids: book.bids, asks: book.asks.slice(1) }),
      'The node hides a price level.',
    ],
    ['hides a whole side', (book: WireBook) => ({ bids: [], asks: book.asks }), 'The node hides a price level.'],
    [
      'makes up a level',
      (book: WireBook) => ({ bids: [...book.bids, { price: hex(300_000), size: hex(size) }], asks: book.asks }),
      'The node shows a size that nobody signed.',
    ],
  ] as const)('somebody who %s is seen', async (name, forge, words) => {
    reset();
    proxy.twist = forging(forge);
    const { page, heard, close } = await check();
    await mark(page).getByText('✕ not what was signed').waitFor();
    await page.keyboard.press('Escape');
    await expectCount(page.getByRole('alert').filter({ hasText: words }), 1);
    if (name === 'changes one size') {
      expect(await page.locator('.ladder .wrong').getAttribute('data-price')).toBe('300010');
      expect(await barriers(page)).toEqual([]);
      await photograph(page, 'market-lie', views[0]);
    }
    expect(heard).toEqual([]);
    await close();
  });

  it.each([
    ['replays the proofs of an old block', (old: Answered) => old, /proves an older one/],
    [
      'says of an old block that it is the newest',
      (old: Answered, now: Answered) => ({
        result: { ...(old.result as object), block_number: (now.result as { block_number: string }).block_number },
      }),
      /does not lead from the state root/,
    ],
  ] as const)('somebody who %s is seen', async (_, replay, words) => {
    reset();
    const kept = new Map<string, Answered>();
    let isOver = false;
    proxy.lie = async ({ method, params }, ask) => {
      const answer = await ask();
      if (method !== 'primeorders_getProof') return answer;
      const key = JSON.stringify(params);
      const old = kept.get(key);
      if (!isOver || old === undefined) {
        kept.set(key, answer);
        return answer;
      }
      return replay(old, answer);
    };
    const { page, close } = await check();
    await mark(page).getByText('✓ signed').waitFor();
    await page.keyboard.press('Escape');
    isOver = true;
    // The book changes without a level that was not there before.
    await order('sell', 300_005);
    await mark(page).getByText('✕ not what was signed').waitFor();
    await expectWords(page.locator('.proof-note'), words);
    await close();
  });

  it('of another network than at the first visit is not believed before somebody says so', async () => {
    reset();
    const { page, close } = await check();
    await mark(page).getByText('✓ signed').waitFor();
    await page.evaluate(
      `localStorage.setItem('prime.genesis.' + ${JSON.stringify(proxy.url)}, '0x' + '12'.repeat(32))`,
    );
    await page.reload();
    await mark(page).getByText('✕ not what was signed').waitFor();
    await expectWords(page.locator('.proof-note'), /another genesis/);
    await mark(page).click();
    await page.getByRole('button', { name: 'Trust its genesis from now on' }).click();
    await mark(page).getByText('✓ signed').waitFor();
    await close();
  });
});
