import { readLastApplied, readLocation } from '@prime/chain';
import {
  type ActionPayload,
  batchItemsMax,
  type BlockDelta,
  decodeRecordFrames,
  type OrderFields,
  ordersAddress,
} from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import { simulatedGenesis } from '@prime/engine/testing';
import { createNodeCommon } from '@prime/evm';
import { createTestAccount, type TestAccount } from '@prime/evm/testing';
import type { Address, Hash, MarketId, Prng } from '@prime/primitives';
import { Violation } from '../../observer.ts';
import type { Coverage } from '../coverage.ts';
import type { NodeDisk } from '../node/disk.ts';
import type { VirtualTime } from '../time.ts';

const ether = 10n ** 18n;
/** `deposit()` of the contract at 0x…0100. */
const depositCall = Uint8Array.of(0xd0, 0xe3, 0x0d, 0xb0);
/** Stores its caller's value in slot 0 and returns nothing: `callvalue push0 sstore`, put there by `push3 … push1 3 …`. */
const initCode = Uint8Array.of(0x62, 0x34, 0x5f, 0x55, 0x5f, 0x52, 0x60, 0x03, 0x60, 0x1d, 0xf3);

const userNames = ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn'] as const;
/** These use the order book through its contract alone: an account that does is locked for unsigned calls from then on. */
const contractUsers = 2;
/** Orders that a user places at once, around the sizes at which tables of the order book grow: docs/testing-shapes.md. */
const burstSizes = [63, 64, 65, 66, 127, 129, 257] as const;
/** Records that end in one block from which on it counts as one that ends many. */
const many = 64;
/** What each of them has at genesis, wei. */
export const userBalance = 1_000n * ether;

/** A node as its clients see it, and the disk on which what they were told must be. */
export interface AskedNode {
  readonly label: string;
  readonly isUp: boolean;
  readonly disk: NodeDisk;
  /** An unsigned call. @returns its hash; null when the node refuses, which promises nothing */
  submitAction(account: Address, payload: ActionPayload): Promise<Hash | null>;
  /** A signed transaction. @returns its hash; null when the node refuses */
  submitTransaction(raw: Uint8Array): Promise<Hash | null>;
  /** The nonce that an account's next transaction should have. */
  nonceOf(address: Address): number;
}

interface UsersOptions {
  readonly accounts: readonly TestAccount[];
  /** How long there are faults, ms. */
  readonly faultsMs: number;
  readonly time: VirtualTime;
  readonly prng: Prng;
  readonly seen: Coverage;
}

/** The accounts of the users, for genesis. */
export async function createUsers(crypto: CryptoProvider): Promise<readonly TestAccount[]> {
  const common = await createNodeCommon(simulatedGenesis([]).chainId);
  return userNames.map((name) => createTestAccount(name, common, crypto));
}

/**
 * Clients that use whatever node is up: they pay each other, deploy and call contracts, deposit, trade and withdraw, one request at a time, and
 * take a write for acknowledged when the node that they asked shows it in a block. From then on it must be in that block everywhere and for good.
 */
export class Users {
  readonly acknowledged = new Map<Hash, number>();
  readonly #options: UsersOptions;
  readonly #accounts: readonly TestAccount[];
  readonly #prng: Prng;
  /** Requests that wait for their block, by the node that was asked. */
  readonly #waiting = new Map<AskedNode, Set<Hash>>();

  constructor(options: UsersOptions) {
    this.#options = options;
    this.#accounts = options.accounts;
    this.#prng = options.prng.fork();
  }

  /** Whose account is missing where somebody forges a state: it is there in every true one. */
  get victim(): Address {
    return this.#accounts.at(-1)!.address;
  }

  /** As long as there are faults, and a little longer. */
  plan(nodes: readonly AskedNode[]): void {
    const prng = this.#prng;
    for (const account of this.#accounts)
      for (let atMs = 100 + prng.below(300); atMs < this.#options.faultsMs + 1_000; atMs += 60 + prng.below(500)) {
        const node = nodes[prng.below(nodes.length)]!;
        this.#options.time.after(atMs, () => this.#act(node, account));
      }
    // A deposit first: it covers the largest burst.
    for (const account of this.#accounts.slice(contractUsers))
      for (let atMs = 200 + prng.below(2_000); atMs < this.#options.faultsMs; atMs += 800 + prng.below(3_000)) {
        const node = nodes[prng.below(nodes.length)]!;
        const deposit: ActionPayload = { type: 'deposit', amount: 20n * ether };
        this.#options.time.after(atMs, () => this.#submit(node, account, deposit));
        this.#options.time.after(atMs + prng.below(300), () => this.#burst(node, account));
        // In the block of the orders or in a later one, which other validators may execute after a restart.
        this.#options.time.after(atMs + 200 + prng.below(1_000), () =>
          this.#submit(nodes[prng.below(nodes.length)]!, account, { type: 'cancelAll', marketId: null }),
        );
      }
  }

  /** A node executed a block for good and shows it. */
  onDelta(node: AskedNode, { block, transactionHashes, actionHashes, clobRecords }: BlockDelta): void {
    if (decodeRecordFrames(clobRecords).filter(({ value }) => value === null).length > many)
      this.#options.seen.manyRecordsEnded += 1;
    const waiting = this.#waiting.get(node);
    for (const hash of [...transactionHashes, ...actionHashes]) {
      if (waiting?.delete(hash) !== true) continue;
      this.acknowledged.set(hash, block.header.height);
      this.#options.seen.writesAcknowledged += 1;
    }
  }

  /** Its clients do not know what became of their requests. */
  onCrash(node: AskedNode): void {
    this.#waiting.delete(node);
  }

  /** Whether the node executed all blocks in which something was acknowledged. */
  hasExecuted(node: AskedNode): boolean {
    return (readLastApplied(node.disk.state) ?? 0) >= Math.max(0, ...this.acknowledged.values());
  }

  /** What was acknowledged is found where it was, by whoever asks any of the nodes. */
  check(node: AskedNode): void {
    for (const [hash, height] of this.acknowledged) {
      const found = readLocation(node.disk.state, hash)?.height;
      // A snapshot has the state and nothing of how it came about: if a later block holds an action again, only that one is known.
      if (height <= node.disk.before + 1 && node.disk.before > 0) continue;
      if (found !== height)
        throw new Violation(`${hash} was acknowledged in block ${height}, ${node.label} has it in ${found ?? 'none'}`);
    }
  }

  #act(node: AskedNode, user: TestAccount): void {
    if (!node.isUp) return;
    const prng = this.#prng;
    const isContractUser = this.#accounts.indexOf(user) < contractUsers;
    if (isContractUser || prng.chance(2, 5))
      this.#awaitBlock(node, node.submitTransaction(this.#transaction(node, user, isContractUser)));
    else this.#submit(node, user, this.#action(user.address));
  }

  /** Orders that rest far from the trades, in as many batches as it takes. */
  #burst(node: AskedNode, user: TestAccount): void {
    const size = burstSizes[this.#prng.below(burstSizes.length)]!;
    const items = Array.from({ length: size }, (_, index) => ({
      type: 'order' as const,
      ...this.#order(),
      side: 'buy' as const,
      price: BigInt(1 + (index % 20)) * 10n ** 15n,
      size: 1n,
      tif: 'gtc' as const,
    }));
    for (let from = 0; from < size; from += batchItemsMax)
      this.#submit(node, user, { type: 'batch', items: items.slice(from, from + batchItemsMax) });
  }

  #submit(node: AskedNode, user: TestAccount, payload: ActionPayload): void {
    if (node.isUp) this.#awaitBlock(node, node.submitAction(user.address, payload));
  }

  #awaitBlock(node: AskedNode, taken: Promise<Hash | null>): void {
    taken
      .then((hash) => {
        if (hash === null) return;
        const waiting = this.#waiting.get(node) ?? new Set();
        this.#waiting.set(node, waiting.add(hash));
      })
      .catch((error: unknown) => {
        throw error;
      });
  }

  #transaction(node: AskedNode, user: TestAccount, isContractUser: boolean): Uint8Array {
    const prng = this.#prng;
    // What the node says, which may be old: then it is refused.
    const nonce = node.nonceOf(user.address) + (prng.chance(1, 6) ? 1 : 0);
    const fees = { nonce, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: BigInt(1 + prng.below(9)) * 10n ** 9n };
    if (isContractUser && prng.chance(1, 2))
      return user.sign({ ...fees, to: ordersAddress, data: depositCall, value: ether, gasLimit: 500_000n });
    if (prng.chance(1, 4))
      return user.sign({ ...fees, to: null, data: initCode, value: BigInt(prng.below(3)), gasLimit: 200_000n });
    return user.sign({ ...fees, to: this.#other().address, value: BigInt(prng.below(1_000)) * 10n ** 15n });
  }

  #action(self: Address): ActionPayload {
    const prng = this.#prng;
    switch (prng.below(8)) {
      case 0:
      case 1:
        return { type: 'deposit', amount: BigInt(1 + prng.below(20)) * ether };
      case 2:
        return { type: 'withdraw', amount: BigInt(1 + prng.below(10)) * ether, to: self };
      case 3:
        return { type: 'transfer', to: this.#other().address, amount: BigInt(1 + prng.below(5)) * ether };
      case 4:
        return { type: 'cancelAll', marketId: null };
      default:
        return { type: 'order', ...this.#order() };
    }
  }

  #order(): OrderFields {
    const prng = this.#prng;
    return {
      marketId: 1 as MarketId,
      side: prng.chance(1, 2) ? 'buy' : 'sell',
      price: BigInt(95 + prng.below(11)) * 10n ** 15n,
      size: BigInt(1 + prng.below(20)),
      tif: prng.chance(1, 4) ? 'ioc' : 'gtc',
      postOnly: false,
      reduceOnly: false,
      selfTrade: 'cancel_maker',
      clientId: null,
      expiresAt: 0,
    };
  }

  #other(): TestAccount {
    return this.#accounts[this.#prng.below(this.#accounts.length)]!;
  }
}
