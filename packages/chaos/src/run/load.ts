/**
 * Clients that write to whichever validator is up, and remember what was confirmed to them. What ends without an answer may have
 * happened or not: nothing is remembered of it.
 */
import type { AcknowledgedWrite } from '@prime/audit';
import type { Prng } from '@prime/primitives';
import { batchSizeMax } from '@prime/sdk';
import type { Load as Rates } from '../schedule/manifest.ts';
import { type Address, type Hash, numberToHex } from 'viem';
import type { NodeClient } from '../primeProgram.ts';
import type { ChaosNetwork } from './network.ts';

/** What has to be there because of a confirmed write. */
type Expected =
  /** `height` is that of its block. */
  | {
      readonly kind: 'transfer';
      readonly hash: Hash;
      readonly to: Address;
      readonly value: bigint;
      readonly height: number;
    }
  | { readonly kind: 'withdrawal'; readonly to: Address; readonly value: bigint }
  | { readonly kind: 'deposit'; readonly account: Address; readonly value: bigint }
  | { readonly kind: 'order'; readonly owner: Address; readonly orderId: number; readonly price: bigint }
  | { readonly kind: 'cancel'; readonly owner: Address; readonly orderId: number }
  | { readonly kind: 'cancelAll'; readonly owner: Address }
  | { readonly kind: 'trade'; readonly buyer: Address; readonly height: number; readonly orderId: number };

/** A confirmed write and what has to be there because of it. */
export type Promised = Expected & { readonly write: AcknowledgedWrite };

/** What a load needs of a network: its doors, who seems to serve, and where it is noted to whom something was paid for sure. */
type LoadedNetwork = Pick<ChaosNetwork, 'homes' | 'client' | 'serving' | 'recipients'>;

/** Resting orders per owner before the oldest is cancelled. */
const restingMax = 50;
/** Orders of a burst: around the sizes at which the tables of the order book grow, docs/testing-shapes.md. */
const burstSizes = [63, 64, 65, 66, 127, 129, 257] as const;
/** How long a receipt is waited for, ms. */
const receiptMs = 10_000;
/** For the first deposits, when the network has just begun, ms. */
const prepareMsMax = 30_000;
const prepareRetryMs = 500;
const marketId = 1;
/** Resting orders are far below the price at which trades happen: they never match by accident. */
const tradePrice = 1_000_000n;
const plenty = 10n ** 15n;

const named = (name: string, number = 0): Address =>
  `0x${`${Buffer.from(name).toString('hex')}${number.toString(16).padStart(8, '0')}`.padEnd(40, '0')}`;

interface RestingOrder {
  readonly orderId: number;
  readonly promised: Promised;
}

/** The clients of a run: makers, traders and senders that write until they are stopped, and the promises that they were given. */
export class Load {
  readonly #network: LoadedNetwork;
  readonly #rates: Rates;
  readonly #prng: Prng;
  /** By what is promised; a cancelled order is not promised to rest any more. */
  readonly #promised = new Set<Promised>();
  /** Everyone who may hold something in the order book, confirmed or not. */
  readonly accounts = new Set<Address>();
  readonly #makers = [named('maker', 1), named('maker', 2)] as const;
  readonly #traders = [named('seller'), named('buyer')] as const;
  readonly #treasury = named('treasury');
  readonly #burster = named('burster');
  readonly #resting = new Map<string, RestingOrder[]>();
  #counter = 0;
  #stopped = false;
  #acknowledged = 0;
  #loops: Promise<void>[] = [];

  /** @param rates of what it writes, a second */
  constructor(network: LoadedNetwork, rates: Rates, prng: Prng) {
    this.#network = network;
    this.#rates = rates;
    this.#prng = prng;
    for (const owner of [...this.#makers, ...this.#traders, this.#treasury, this.#burster]) this.accounts.add(owner);
  }

  /** Writes that were confirmed so far, whatever became of them since. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  get promised(): readonly Promised[] {
    return [...this.#promised];
  }

  /** Gives the accounts of the order book something to trade with. @throws when a node refuses for as long as it is waited for */
  async prepare(): Promise<void> {
    const client = this.#network.client(this.#network.homes.publicUrls[0]!, prepareMsMax);
    const endMs = performance.now() + prepareMsMax;
    for (const address of this.accounts)
      while (
        !(await client.callDepositCollateral({ address, amount: plenty }).then(
          () => true,
          (error: unknown) => {
            // A network that has just begun on a busy machine is overloaded for a moment; twice as much does no harm.
            if (performance.now() >= endMs) throw error;
            return false;
          },
        ))
      )
        await pause(prepareRetryMs);
  }

  start(): void {
    const { transfers, orders, trades, deposits, withdrawals, bursts } = this.#rates;
    this.#loops = [
      ...[1, 2].map((account) => this.#loop(transfers / 2, () => this.#transfer(account))),
      ...this.#makers.map((owner) => this.#loop(orders / 2, () => this.#order(owner))),
      this.#loop(trades, () => this.#trade()),
      this.#loop(deposits, () => this.#deposit()),
      this.#loop(withdrawals, () => this.#withdraw()),
      this.#loop(bursts, () => this.#burst()),
    ];
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #loop(perSecond: number, work: () => Promise<void>): Promise<void> {
    if (perSecond === 0) return;
    while (!this.#stopped) {
      const waited = pause(1_000 / perSecond);
      // Whatever goes wrong, nothing was confirmed: the next attempt is another write.
      await work().catch(() => undefined);
      await waited;
    }
  }

  /** Of a validator that seems to be up. @throws when there is none */
  #client(): NodeClient {
    const { homes, client } = this.#network;
    const up = this.#network.serving();
    if (up.length === 0) throw new Error('nobody serves');
    return client(homes.publicUrls[up[this.#prng.below(up.length)]!]!);
  }

  #promise(id: string, words: string, expected: Expected): Promised {
    const promised = { ...expected, write: { kind: expected.kind, id, words } };
    this.#promised.add(promised);
    this.#acknowledged += 1;
    if (expected.kind === 'transfer' || expected.kind === 'withdrawal') this.#network.recipients.push(expected.to);
    return promised;
  }

  async #transfer(account: number): Promise<void> {
    const number = ++this.#counter;
    const value = BigInt(number);
    const to = named('to', number);
    const client = this.#client();
    const from = (await client.request({ method: 'eth_accounts' }))[account]!;
    const hash = await client.request({
      method: 'eth_sendTransaction',
      params: [{ from, to, value: numberToHex(value) }],
    });
    const end = performance.now() + receiptMs;
    while (performance.now() < end) {
      const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] });
      if (receipt !== null) {
        const height = Number(receipt.blockNumber);
        this.#promise(hash, `${value} wei to ${to}`, { kind: 'transfer', hash, to, value, height });
        return;
      }
      await pause(50);
    }
  }

  async #order(owner: Address): Promise<void> {
    const price = (BigInt(++this.#counter) % (tradePrice / 2n)) + 1n;
    const resting = this.#resting.get(owner) ?? [];
    this.#resting.set(owner, resting);
    const order = { owner, market: marketId, side: 'buy', price, size: 1n, tif: 'gtc' } as const;
    const { orderId } = await this.#client().callSubmitOrder(order);
    const words = `buy 1 at ${numberToHex(price)} of ${owner}`;
    const promised = this.#promise(numberToHex(orderId), words, { kind: 'order', owner, orderId, price });
    resting.push({ orderId, promised });
    if (resting.length > restingMax) await this.#cancel(owner, resting.shift()!);
  }

  async #cancel(owner: Address, { orderId, promised }: RestingOrder): Promise<void> {
    // From here on it may be gone or not; it is promised to be gone once that is confirmed.
    this.#promised.delete(promised);
    await this.#client().callCancelOrder({ orderId });
    this.#promise(numberToHex(orderId), `of ${owner}`, { kind: 'cancel', owner, orderId });
  }

  /** Buyer and seller take turns, so that positions stay small. */
  async #trade(): Promise<void> {
    const number = ++this.#counter;
    const [maker, taker] = number % 2 === 0 ? this.#traders : this.#traders.toReversed();
    const common = { market: marketId, price: tradePrice, size: 1n };
    await this.#client().callSubmitOrder({ owner: maker!, side: 'sell', tif: 'gtc', ...common });
    const bought = await this.#client().callSubmitOrder({ owner: taker!, side: 'buy', tif: 'ioc', ...common });
    if (bought.filled !== 1n) return;
    const { orderId, blockNumber } = bought;
    const height = Number(blockNumber);
    this.#promise(numberToHex(orderId), `1 at ${tradePrice}`, { kind: 'trade', buyer: taker!, height, orderId });
  }

  /** Many orders of one account, which then end in one block. */
  async #burst(): Promise<void> {
    const owner = this.#burster;
    for (const promised of this.#promised) if (promised.kind === 'cancelAll') this.#promised.delete(promised);
    const size = burstSizes[this.#prng.below(burstSizes.length)]!;
    const orders = Array.from({ length: size }, (_, index) => {
      const price = BigInt(1 + (index % 40));
      return { type: 'order', market: marketId, side: 'buy', price, size: 1n, tif: 'gtc' } as const;
    });
    const batches: Promise<unknown>[] = [];
    for (let from = 0; from < size; from += batchSizeMax)
      batches.push(this.#client().callBatch({ owner, items: orders.slice(from, from + batchSizeMax) }));
    // One that is not answered may still come behind the cancelAll: then nothing is promised.
    const outcomes = await Promise.allSettled(batches);
    const { blockNumber: height } = await this.#client().callCancelAll({ owner });
    if (outcomes.some(({ status }) => status === 'rejected')) return;
    this.#promise(`${owner} in ${numberToHex(height)}`, `${size} orders`, { kind: 'cancelAll', owner });
  }

  async #deposit(): Promise<void> {
    const number = ++this.#counter;
    const value = BigInt(number);
    const account = named('saver', number);
    this.accounts.add(account);
    await this.#client().callDepositCollateral({ address: account, amount: value });
    this.#promise(account, `${value} wei`, { kind: 'deposit', account, value });
  }

  /** Queued first and carried out by whoever asks next: both are confirmed by blocks of their own. */
  async #withdraw(): Promise<void> {
    const number = ++this.#counter;
    const value = BigInt(number);
    const to = named('back', number);
    await this.#client().callEnqueueOrdersToEvm({ from: this.#treasury, to, amount: value });
    this.#promise(to, `${value} wei`, { kind: 'withdrawal', to, value });
    await this.#client().callDequeueOrdersToEvm();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
