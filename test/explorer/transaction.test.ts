/** The page of a transaction: of the EVM and of the exchange, done and failed, waiting and unknown. */
import { beforeAll, expect, it } from '@jest/globals';
import { primeOrdersAbi, primeOrdersAddress } from '@prime/contracts';
import { RefusalError } from '@prime/sdk';
import { encodeErrorResult, encodeFunctionData, type Hash, type Hex, keccak256, parseAbi, parseEther } from 'viem';
import { alice, bob, carol, makingOf, readerOf, revertingWith, transferring, walletOf } from './people.ts';
import { describePages, setScene } from './scene.ts';
import { barriers, expectWords, photograph, sidewaysPixels, views } from './visits.ts';

/** A reason that a contract gives with bad intent. */
const hostile = '<img src=x onerror=alert(1)>"';
const stringError = parseAbi(['error Error(string)']);
const ownAbi = ['function shout(string what, uint256 times)'] as const;

describePages('the page of a transaction', () => {
  const scene = setScene({ validators: 1 });
  const { open } = scene;
  const url = (): string => scene.testnet.url(0);
  let deposit: Hash;
  let reverted: Hash;
  let logged: Hash;
  let action: Hash;
  let refused: Hash;

  beforeAll(async () => {
    const wallet = walletOf(url(), alice);
    const reader = readerOf(url());
    const mined = (hash: Hash) => reader.waitForTransactionReceipt({ hash });
    const made = async (code: Hex): Promise<Hex> =>
      (await mined(await wallet.sendTransaction({ data: makingOf(code), gas: 300_000n }))).contractAddress!;
    const data = encodeFunctionData({ abi: primeOrdersAbi, functionName: 'deposit' });
    deposit = await wallet.sendTransaction({ to: primeOrdersAddress, data, value: parseEther('2') });
    await mined(deposit);
    const complaint = encodeErrorResult({ abi: stringError, errorName: 'Error', args: [hostile] });
    const shout = encodeFunctionData({ abi: parseAbi(ownAbi), args: [hostile, 3n] });
    reverted = await wallet.sendTransaction({ to: await made(revertingWith(complaint)), data: shout, gas: 100_000n });
    logged = await wallet.sendTransaction({ to: await made(transferring(alice.address, bob.address)), gas: 100_000n });
    await mined(reverted);
    await mined(logged);
    action = (await wallet.depositCollateral({ amount: parseEther('1') })).hash;
    const [market] = await wallet.getMarkets();
    const order = { market: market!, side: 'buy', price: market!.tickSize * 1_000n, size: 10n ** 18n } as const;
    const thrown: unknown = await walletOf(url(), bob)
      .placeOrder(order)
      .catch((error: unknown) => error);
    if (!(thrown instanceof RefusalError)) throw new Error('the order was not refused', { cause: thrown });
    refused = thrown.hash!;
  });

  it.each(views)('tells what a call did to the exchange: $name', async (view) => {
    const { page, heard, close } = await open(`/tx/${deposit}`, view);
    await page.locator('.badge', { hasText: 'final' }).waitFor();
    const overview = page.locator('.keys');
    await expectWords(overview, deposit);
    await expectWords(overview, /Value\s+2 PRIME/);
    await page.locator('.outcome', { hasText: 'calls deposit' }).waitFor();
    await page.locator('.logs .badge', { hasText: 'Action' }).waitFor();
    await photograph(page, 'transaction', view);
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('region', { name: 'Events' }).getByText('collateral deposited').waitFor();
    await page.getByRole('tab', { name: 'Calls' }).click();
    await page.getByRole('list', { name: 'Calls in their order' }).getByText('deposit').first().waitFor();
    await photograph(page, 'transaction-calls', view);
    await page.getByRole('tab', { name: 'Raw' }).click();
    await expectWords(page.getByRole('tabpanel'), `"hash": "${deposit}"`);
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    expect(heard).toEqual([]);
    await close();
  });

  it('tells why it reverted, as text whatever it is, and reads it with an ABI that is pasted', async () => {
    const { page, heard, close } = await open(`/tx/${reverted}`);
    await page.locator('.failure', { hasText: hostile }).waitFor();
    const abi = page.getByLabel('ABI of the contract');
    await abi.fill(hostile);
    await page.getByRole('button', { name: 'Read with it' }).click();
    await page.getByText('can be read neither as JSON').waitFor();
    await abi.fill(ownAbi[0]);
    await page.getByRole('button', { name: 'Read with it' }).click();
    const outcome = page.locator('.outcome');
    await outcome.getByText('shout').waitFor();
    await expectWords(outcome.locator('.values'), hostile);
    await photograph(page, 'transaction-reverted', views[0]);
    await page.getByRole('tab', { name: 'Calls' }).click();
    await page.getByRole('list', { name: 'Calls in their order' }).getByText(hostile).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(heard).toEqual([]);
    // It is nowhere but in the window.
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain('shout');
    await page.getByRole('button', { name: 'Forget it' }).click();
    await outcome.getByText('Nobody told this page what that is').waitFor();
    await close();
  });

  it('reads logs of tokens', async () => {
    const { page, heard, close } = await open(`/tx/${logged}`);
    const logs = page.locator('.logs');
    await logs.getByText('Transfer').waitFor();
    await logs.getByText('read as ERC-20').waitFor();
    await expectWords(logs, /value uint256\s+1/);
    expect(heard).toEqual([]);
    await close();
  });

  it.each(views)('tells what became of an action of the exchange: $name', async (view) => {
    const { page, heard, close } = await open(`/tx/${action}`, view);
    await page.locator('.badge', { hasText: 'final' }).waitFor();
    await page.locator('.outcome', { hasText: '1 PRIME, 3 PRIME afterwards' }).waitFor();
    await page.getByRole('region', { name: 'Events' }).getByText('collateral deposited').waitFor();
    await photograph(page, 'action', view);
    await page.getByRole('tab', { name: 'Signed fields' }).click();
    await page.getByRole('tabpanel').getByText('0xde0b6b3a7640000').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    expect(heard).toEqual([]);
    await close();
  });

  it('tells why an action was refused, with the figures', async () => {
    const { page, heard, close } = await open(`/tx/${refused}`);
    await page.locator('.page-head .badge', { hasText: 'refused' }).waitFor();
    await expectWords(page.locator('.outcome'), /margin|collateral/);
    await photograph(page, 'action-refused', views[0]);
    expect(heard).toEqual([]);
    await close();
  });

  it('that waits says for what, and is shown when a block took it in', async () => {
    const wallet = walletOf(url(), carol);
    const nonce = await readerOf(url()).getTransactionCount({ address: carol.address });
    const send = (more: number): Promise<Hash> =>
      wallet.sendTransaction({ to: alice.address, value: 1n, gas: 21_000n, nonce: nonce + more });
    const hash = await send(1);
    const { page, heard, close } = await open(`/tx/${hash}`);
    await page.getByText('1 transaction of its sender with a lower one is in no block yet').waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'transaction-pending', views[0]);
    await send(0);
    await page.locator('.badge', { hasText: 'final' }).waitFor();
    expect(await page.getByText('It waits for a block').count()).toBe(0);
    expect(heard).toEqual([]);
    await close();
  });

  it('that is not known is looked for until it comes', async () => {
    const wallet = walletOf(url(), bob);
    const request = await wallet.prepareTransactionRequest({ to: alice.address, value: 1n, gas: 21_000n });
    const raw = await wallet.signTransaction(request);
    const { page, heard, close } = await open(`/tx/${keccak256(raw)}`);
    await page.getByText('The node knows no transaction with this hash').waitFor();
    expect(await barriers(page)).toEqual([]);
    await photograph(page, 'transaction-unknown', views[0]);
    await wallet.sendRawTransaction({ serializedTransaction: raw });
    await page.locator('.badge', { hasText: 'final' }).waitFor();
    expect(heard).toEqual([]);
    await close();
  });
});
