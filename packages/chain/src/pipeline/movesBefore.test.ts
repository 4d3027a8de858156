import { ordersAddress } from '@prime/codec';
import { describe, expect, it } from '@jest/globals';
import { cryptoProvider } from '@prime/crypto';
import { createNodeCommon, createTraceReader } from '@prime/evm';
import { createTestAccount, createTestVerifier } from '@prime/evm/testing';
import type { Address, Height } from '@prime/primitives';
import { readExecuted } from '../history/history.ts';
import { readMovesBefore } from './movesBefore.ts';
import { action, createTestChain, faucet, testGenesis } from '../testing/chain.ts';

const height = (value: number): Height => value as Height;

describe('wei that moves before the transactions of a block', () => {
  it('is recorded where transactions follow, and running them again finds what they found', async () => {
    const genesis = testGenesis({ faucet });
    const [common, provider] = await Promise.all([createNodeCommon(genesis.chainId), cryptoProvider()]);
    const carol = createTestAccount('carol', common, provider);
    const funded = { address: carol.address, balance: 10n ** 18n, nonce: 0, code: new Uint8Array(0), storage: [] };
    const chain = await createTestChain({ ...genesis, alloc: [...genesis.alloc, funded] });
    const verify = createTestVerifier(genesis.chainId, provider);
    const deposit = (amount: bigint) => action(carol.address, { type: 'deposit', amount });
    await chain.run({ actions: [deposit(1n)] });
    expect(readMovesBefore(chain.database, height(1))).toEqual([]);

    const to = `0x${'77'.repeat(20)}` as Address;
    const transaction = verify(carol.sign({ nonce: 0, to, value: 5n }));
    const { block } = await chain.run({ actions: [deposit(400n)], transactions: [transaction] });
    const moves = [{ from: carol.address, to: ordersAddress, amount: 400n }];
    expect(readMovesBefore(chain.database, height(2))).toEqual(moves);

    const { database } = chain;
    const reader = await createTraceReader({
      database,
      common,
      blockHashOf: () => null,
      callGasMax: 1_000_000n,
      charactersMax: 100_000,
      simulation: { blocksMax: 1, callsMax: 1 },
    });
    const { header } = block;
    const replayed = {
      environment: { ...header, prevRandao: header.parentHash },
      parentStateRoot: readExecuted(database, height(1))!.roots.stateRoot,
      movesBefore: moves,
      transactions: [transaction],
    };
    const settings = { diffMode: false, disableCode: false, disableStorage: false, includeEmpty: false };
    const tracer = { tracer: 'prestateTracer', ...settings } as const;
    const before = JSON.parse(await reader.transaction(replayed, 0, { tracer, timeoutMs: 10_000 })) as Record<
      string,
      { balance: string }
    >;
    expect(BigInt(before[carol.address]!.balance)).toBe(10n ** 18n - 401n);
  });
});
