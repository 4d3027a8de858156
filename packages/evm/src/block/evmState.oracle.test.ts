import { createBlock } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager';
import { createTxFromRLP } from '@ethereumjs/tx';
import { Account, Address as LibraryAddress } from '@ethereumjs/util';
import { createVM, runTx } from '@ethereumjs/vm';
import { describe, expect, it } from '@jest/globals';
import { statePrefix, type VerifiedTransaction } from '@prime/codec';
import { type Address, bytesToAddress, bytesToHex, createPrng, type Hash } from '@prime/primitives';
import fc from 'fast-check';
import { createEvmState } from './evmState.ts';
import { allocateState } from './genesisState.ts';
import type { BlockEnvironment } from '../ports.ts';
import { historyAddress } from './predeploys.ts';
import { decodeAccount } from '../state/account.ts';
import { bytesOf, wordOf } from '../state/bytes.ts';
import { createTrieSources } from '../state/trieSource.ts';
import { createMemoryDatabase, type MemoryDatabase } from '../testing/index.ts';
import {
  allocation,
  chainId,
  common,
  environment,
  people,
  randomTransaction,
  verify,
} from '../testing/randomBlocks.ts';

/**
 * Random blocks through our state and through the library's own VM on its MerkleStateManager with its own rules object: after every
 * block both must name the same root.
 */
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
