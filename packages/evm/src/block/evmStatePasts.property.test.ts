/** What a process saw before can not change a block's result: the same blocks in EVM states of different pasts, to the last byte. */
import { describe, expect, it } from '@jest/globals';
import type { VerifiedTransaction } from '@prime/codec';
import { bytesToHex, concatBytes, createPrng, type Hash, type Prng } from '@prime/primitives';
import fc from 'fast-check';
import { createEvmState } from './evmState.ts';
import { allocateState } from './genesisState.ts';
import type { EvmOutcome, EvmState } from '../ports.ts';
import { wordOf } from '../state/bytes.ts';
import { type CacheSizes, usualCacheSizes } from '../state/flatSource.ts';
import { createMemoryDatabase } from '../testing/index.ts';
import { allocation, common, environment, people, randomTransaction, verify } from '../testing/randomBlocks.ts';

interface Past {
  readonly name: string;
  readonly cacheSizes?: CacheSizes;
  /** Starts anew from the database after so many blocks, over and over. */
  readonly restartEvery?: number;
  /** Runs another block, or this one, and discards it before each. */
  readonly discards?: 'another' | 'same';
}

const least: CacheSizes = { accounts: 1, slots: 1, codeBytes: 1, nodes: 0 };
const small: CacheSizes = { accounts: 7, slots: 65, codeBytes: 64, nodes: 30 };
const pasts: readonly Past[] = [
  { name: 'was there all along' },
  { name: 'starts before each block', restartEvery: 1 },
  { name: 'starts now and then, and keeps little', restartEvery: 3, cacheSizes: small },
  { name: 'keeps nearly nothing', cacheSizes: least },
  { name: 'keeps little', cacheSizes: small },
  { name: 'runs each block twice', discards: 'same' },
  { name: 'runs what nobody commits', discards: 'another', cacheSizes: small },
];

/** Some blocks write their trie whole: the third since the last one, and those that change much. */
const window = { blocks: 3, changes: 100 };

type Block = readonly VerifiedTransaction[];

async function finish(evm: EvmState, height: number, transactions: Block) {
  const block = evm.begin(environment(height));
  await block.run(transactions);
  return { block, outcome: await block.finish() };
}

function createLane(past: Past) {
  const { stateRoot: genesisRoot, writes } = allocateState(allocation);
  const database = createMemoryDatabase(writes);
  const cacheSizes = past.cacheSizes ?? usualCacheSizes;
  const open = (stateRoot: Hash): Promise<EvmState> =>
    createEvmState({ database, common, blockHashOf: () => null, stateRoot, listsDropped: true, cacheSizes, window });
  let evm: EvmState | null = null;
  return {
    past,
    async run(height: number, transactions: Block, other: Block): Promise<EvmOutcome> {
      const root = evm?.stateRoot ?? genesisRoot;
      if (evm === null || (past.restartEvery !== undefined && height % past.restartEvery === 0)) evm = await open(root);
      if (past.discards !== undefined)
        (await finish(evm, height, past.discards === 'same' ? transactions : other)).block.discard();
      const { block, outcome } = await finish(evm, height, transactions);
      await database.write(outcome.writes, { sync: false });
      block.commit();
      return outcome;
    },
    nonceOf: (address: (typeof people)[number]['address']): number => evm?.account(address).nonce ?? 0,
  };
}

const told = ({ stateRoot, receiptsRoot, gasUsed, accounts, writes }: EvmOutcome): unknown => ({
  stateRoot,
  receiptsRoot,
  gasUsed,
  accounts,
  // Which of two records of a batch is written first is not in the database.
  writes: writes.map(({ key, value }) => `${bytesToHex(key)} ${value === null ? 'gone' : bytesToHex(value)}`).sort(),
});

/** Transactions of all kinds, or so many that store in slots of their own. */
function transactionsOf(random: Prng, count: number, nonceOf: (address: string) => number, stores: boolean): Block {
  const nonces = new Map(people.map(({ address }) => [address, nonceOf(address)]));
  return Array.from({ length: count }, (_, index) => {
    const person = people[random.below(people.length)]!;
    const nonce = nonces.get(person.address)!;
    const data = concatBytes(wordOf(BigInt(index)), wordOf(random.chance(1, 4) ? 0n : BigInt(random.next())));
    const raw = stores
      ? person.sign({ nonce, to: allocation[people.length]!.address, data, gasLimit: 100_000n })
      : randomTransaction(random, person, nonce);
    const verified = verify(raw);
    if (verified.nonce === nonce) nonces.set(person.address, nonce + 1);
    return verified;
  });
}

describe('EVM states of different pasts', () => {
  it('give the same root, receipts, accounts and records after every block', async () => {
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = createPrng(seed);
        const lanes = pasts.map(createLane);
        const [first] = lanes;
        const sizes = [3, 64, 9, 65, 1, 66, 12];
        for (const [index, size] of sizes.entries()) {
          const height = index + 1;
          const make = (count: number): Block =>
            transactionsOf(random, count, (address) => first!.nonceOf(address as never), count > 60);
          const [transactions, other] = [make(size), make(1 + random.below(70))];
          const expected = told(await first!.run(height, transactions, other));
          for (const lane of lanes.slice(1)) {
            const outcome = told(await lane.run(height, transactions, other));
            expect([lane.past.name, outcome]).toEqual([lane.past.name, expected]);
          }
          ran += transactions.length;
        }
      }),
      { numRuns: 4 },
    );
    expect(ran).toBe(4 * 220);
  });
});
