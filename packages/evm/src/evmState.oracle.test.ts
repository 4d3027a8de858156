import { createBlock } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager';
import { createTxFromRLP } from '@ethereumjs/tx';
import { Account, Address as LibraryAddress } from '@ethereumjs/util';
import { createVM, runTx } from '@ethereumjs/vm';
import { describe, expect, it } from '@jest/globals';
import { type GenesisAccount, statePrefix, type VerifiedTransaction } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import {
  type Address,
  bytesToAddress,
  bytesToHex,
  concatBytes,
  createPrng,
  type Hash,
  type Height,
  hexToBytes,
  type Prng,
  type TimestampMs,
} from '@prime/primitives';
import fc from 'fast-check';
import { createCommon, createCustomCrypto } from './common.ts';
import { createEvmState } from './evmState.ts';
import { allocateState } from './genesisState.ts';
import type { BlockEnvironment } from './ports.ts';
import { historyAddress, predeploys } from './predeploys.ts';
import { decodeAccount } from './state/account.ts';
import { bytesOf, wordOf } from './state/bytes.ts';
import { createTrieSources } from './state/trieSource.ts';
import {
  createMemoryDatabase,
  createTestAccount,
  createTestVerifier,
  type MemoryDatabase,
  type TestAccount,
} from './testing.ts';

/**
 * Random blocks through our state and through the library's own VM on its MerkleStateManager with its own rules object: after every
 * block both must name the same root.
 */
const provider = await cryptoProvider();
const chainId = 7919;
const common = createCommon(chainId, createCustomCrypto(provider));
const verify = createTestVerifier(chainId, provider);
const people = Array.from({ length: 5 }, (_, index) => createTestAccount(`person ${index}`, common, provider));

const contract = (index: number): Address => `0x${(0xc000 + index).toString(16).padStart(40, '0')}` as Address;
/** What the contracts of the allocation do with the words of their input. */
const programs = {
  /** storage[in0] = in1 */
  store: '60203560003555',
  /** the same, then revert with one byte */
  storeAndRevert: '602035600035556001600053600160 00fd',
  /** SELFDESTRUCT to in0: since EIP-6780 it only moves the balance */
  destroy: '600035ff',
  /** calls in0 with value in1 and the rest as input */
  forward: '6040360360406000376000600060403603600060203560003561ffff f1600155'.replace('61ffff', '5a'),
  /** CREATE2 of the rest with salt in0, address into storage[1] */
  factory: '6020360360206000 37600035602036036000 6000f5600155',
  /** one topic, 32 bytes */
  log: '60003560206000a1',
};
const code = (program: string): Uint8Array => hexToBytes(`0x${program.replaceAll(' ', '')}`);
const allocation: readonly GenesisAccount[] = [
  ...people.map(({ address }) => ({ address, balance: 10n ** 20n, nonce: 0, code: new Uint8Array(0), storage: [] })),
  ...Object.values(programs).map((program, index) => ({
    address: contract(index),
    balance: 1000n,
    nonce: 1,
    code: code(program),
    storage: [{ slot: word(3n), value: word(5n) }],
  })),
  ...predeploys.map(({ address, code: bytes }) => ({ address, balance: 0n, nonce: 1, code: bytes, storage: [] })),
];

function word(value: bigint): Hash {
  return bytesToHex(wordOf(value)) as Hash;
}

/** Init code that stores, then destroys itself within its own transaction. */
const shortLived = code('60016001556002600255 33ff');
/** Init code of a contract that destroys itself when called. */
const destroyable = code('6460003 5ff00 600052 6005601bf3'.replaceAll(' ', ''));

const environment = (height: number): BlockEnvironment => ({
  height: height as Height,
  timestampMs: (1_700_000_000_000 + height * 250) as TimestampMs,
  proposer: `0x${'ee'.repeat(20)}` as Address,
  gasLimit: 30_000_000n,
  baseFee: 7n,
  parentHash: word(BigInt(height) * 1000003n + 12345n),
  prevRandao: word(99n),
});

function randomTransaction(prng: Prng, person: TestAccount, nonce: number): Uint8Array {
  const target = contract(prng.below(6));
  const slot = wordOf(BigInt(prng.below(5)));
  const value = wordOf(prng.chance(1, 2) ? 0n : BigInt(prng.next()));
  const someone = prng.chance(1, 2)
    ? people[prng.below(people.length)]!.address
    : (`0x${prng.below(6).toString(16).padStart(39, '5')}0` as Address);
  const gasLimit = 500_000n;
  switch (prng.below(8)) {
    case 0:
      return person.sign({ nonce, to: someone, value: BigInt(prng.below(3)), type: prng.chance(1, 2) ? 0 : 2 });
    case 1:
      return person.sign({ nonce, to: null, data: prng.chance(1, 2) ? shortLived : destroyable, gasLimit, value: 5n });
    case 2: {
      const init = prng.chance(1, 2) ? shortLived : destroyable;
      const data = concatBytes(slot, init);
      return person.sign({ nonce, to: contract(4), data, gasLimit });
    }
    case 3: {
      const inner = concatBytes(new Uint8Array(12), bytesOf(target), wordOf(BigInt(prng.below(3))), slot, value);
      return person.sign({ nonce, to: contract(3), data: inner, gasLimit, value: 1n });
    }
    case 4:
      return person.sign({ nonce, to: contract(2), data: concatBytes(new Uint8Array(12), bytesOf(someone)), gasLimit });
    case 5:
      return person.sign({ nonce: nonce + 1, to: someone });
    default:
      return person.sign({
        nonce,
        to: target,
        data: concatBytes(slot, value),
        gasLimit,
        type: prng.chance(1, 4) ? 1 : 2,
      });
  }
}

async function createOracle() {
  const rules = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Prague });
  const stateManager = new MerkleStateManager({ common: rules, caches: new Caches() });
  const vm = await createVM({ common: rules, stateManager });
  await stateManager.checkpoint();
  for (const { address, balance, nonce, code: bytes, storage } of allocation) {
    const key = new LibraryAddress(bytesOf(address));
    await stateManager.putAccount(key, new Account(BigInt(nonce), balance));
    if (bytes.length > 0) await stateManager.putCode(key, bytes);
    for (const { slot, value } of storage) await stateManager.putStorage(key, bytesOf(slot), bytesOf(value));
  }
  await stateManager.commit();
  return {
    async run(at: BlockEnvironment, transactions: readonly VerifiedTransaction[]) {
      const history = new LibraryAddress(bytesOf(historyAddress));
      await stateManager.checkpoint();
      await stateManager.putStorage(history, wordOf(BigInt(at.height - 1) % 8191n), bytesOf(at.parentHash));
      await stateManager.commit();
      const header = {
        number: at.height,
        timestamp: Math.floor(at.timestampMs / 1000),
        coinbase: new LibraryAddress(bytesOf(at.proposer)),
        gasLimit: at.gasLimit,
        baseFeePerGas: at.baseFee,
        mixHash: bytesOf(at.prevRandao),
      };
      const block = createBlock({ header }, { common: rules, skipConsensusFormatValidation: true });
      const results: { status: number; gas: bigint; created: Address | null }[] = [];
      for (const { raw } of transactions) {
        try {
          const result = await runTx(vm, { tx: createTxFromRLP(raw, { common: rules }), block });
          const failed = result.execResult.exceptionError !== undefined;
          const created = result.createdAddress === undefined ? null : bytesToAddress(result.createdAddress.bytes);
          results.push({ status: failed ? 0 : 1, gas: result.totalGasSpent, created });
        } catch {
          results.push({ status: 0, gas: 0n, created: null });
        }
      }
      return { root: bytesToHex(await stateManager.getStateRoot()), results };
    },
  };
}

/** Every account and slot of the flat tables stands in the trie with the same value. */
async function expectFlatEqualsTrie(database: MemoryDatabase, root: Hash): Promise<void> {
  const trie = createTrieSources(database)(root);
  let count = 0;
  for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.account))) {
    expect(trie.account(bytesToAddress(key.subarray(1)))).toEqual(decodeAccount(value));
    count++;
  }
  for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.storage))) {
    const [address, slot] = [bytesToAddress(key.subarray(1, 21)), bytesToHex(key.subarray(21)) as Hash];
    expect([address, slot, trie.storage(address, slot)]).toEqual([address, slot, value]);
    count++;
  }
  expect(count).toBeGreaterThan(allocation.length);
}

describe('EVM state beside the library’s own', () => {
  it('random blocks: same root, status, gas and created address after every block', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const prng = createPrng(seed);
        const { stateRoot, writes } = allocateState(allocation);
        const database = createMemoryDatabase(writes);
        const options = { database, common, blockHashOf: () => null };
        let evm = await createEvmState({ ...options, stateRoot });
        const oracle = await createOracle();
        const kinds = { ran: 0, created: 0, skipped: 0 };
        for (let height = 1; height <= 5; height++) {
          const nonces = new Map(people.map(({ address }) => [address, evm.account(address).nonce]));
          const transactions = Array.from({ length: 1 + prng.below(12) }, () => {
            const person = people[prng.below(people.length)]!;
            const nonce = nonces.get(person.address)!;
            const verified = verify(randomTransaction(prng, person, nonce));
            if (verified.nonce === nonce) nonces.set(person.address, nonce + 1);
            return verified;
          });
          const expected = await oracle.run(environment(height), transactions);
          const block = evm.begin(environment(height));
          await block.run(transactions);
          const outcome = await block.finish();
          const results = outcome.receipts.map(({ status, gasUsed, contractAddress }) => ({
            status,
            gas: gasUsed,
            created: contractAddress,
          }));
          expect(results).toEqual(expected.results);
          expect(outcome.stateRoot).toBe(expected.root);
          await database.write(outcome.writes, { sync: false });
          block.commit();
          for (const { gas, created } of results) {
            if (gas === 0n) kinds.skipped++;
            else kinds.ran++;
            if (created !== null) kinds.created++;
          }
          // A restart must find in the database all that the caches knew.
          if (prng.chance(1, 3)) evm = await createEvmState({ ...options, stateRoot: outcome.stateRoot });
        }
        expect(kinds.ran).toBeGreaterThan(0);
        await expectFlatEqualsTrie(database, evm.stateRoot);
      }),
      { numRuns: 12 },
    );
  });
});
