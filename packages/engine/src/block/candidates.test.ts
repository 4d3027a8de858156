import { expect, it } from '@jest/globals';
import type { VerifiedTransaction } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import type { Address, Hash, Round } from '@prime/primitives';
import { createBlockAssembler } from './candidates.ts';
import type { ProposalMessage, Verifier } from '../ports.ts';
import { silentMetrics } from '../testing/genesis.ts';
import { createVerifiedItems } from '../submission/verifiedItems.ts';

const peer = '0x00000000000000000000000000000000000000aa' as Address;
const raw = Uint8Array.of(1, 2, 3);
const hash = keccakHex(raw) as Hash;

/** Nothing is known, and nothing waits. */
const itemsOf = (verifier: Verifier) => ({
  items: createVerifiedItems({
    verifier,
    mempool: { transaction: () => null, action: () => null },
    metrics: silentMetrics,
  }),
  waiting: () => null,
});

it('a block that is proposed again while its bodies are fetched is complete for both proposals', async () => {
  const verified = { raw, hash } as VerifiedTransaction;
  const timers = new Set<() => void>();
  let requests = 0;
  const assembler = createBlockAssembler({
    ...itemsOf({ transactions: async () => [verified], actions: async () => [] }),
    clock: {
      nowMs: () => 0,
      monotonicMs: () => 0,
      after: (_delayMs, callback) => {
        timers.add(callback);
        return () => timers.delete(callback);
      },
    },
    peers: () => [peer],
    send: () => {
      requests += 1;
      return true;
    },
  });
  const blockHash = keccakHex(Uint8Array.of(9)) as Hash;
  const message = (round: number) =>
    ({
      proposal: { blockHash, round: round as Round },
      transactionHashes: [hash],
      actionHashes: [],
      bodies: null,
    }) as unknown as ProposalMessage;
  let assembled = 0;
  const both = [0, 1].map((round) =>
    assembler.assemble(peer, message(round)).then(({ kind }) => {
      if (kind === 'block') assembled += 1;
    }),
  );
  assembler.onBodies(peer, { kind: 'bodies', blockHash, transactions: [raw], actions: [] });
  await Promise.race([Promise.all(both), new Promise((resolve) => setImmediate(resolve))]);
  expect({ assembled, requests, timers: timers.size }).toEqual({ assembled: 2, requests: 1, timers: 0 });
});

it('a body whose signature does not hold makes the block invalid, and says why', async () => {
  const assembler = createBlockAssembler({
    ...itemsOf({ transactions: async () => [{ failure: 'invalid signature' }], actions: async () => [] }),
    clock: { nowMs: () => 0, monotonicMs: () => 0, after: () => () => undefined },
    peers: () => [peer],
    send: () => true,
  });
  const message = {
    proposal: { blockHash: keccakHex(Uint8Array.of(9)) as Hash, round: 0 as Round },
    transactionHashes: [hash],
    actionHashes: [],
    bodies: { transactions: [raw], actions: [] },
  } as unknown as ProposalMessage;
  expect(await assembler.assemble(peer, message)).toEqual({ kind: 'invalid', reason: 'invalid signature' });
});

it('bodies that a peer holds back are asked of the next one, and only what is missing; others than wanted are not taken', async () => {
  const bodies = [1, 2, 3].map((byte) => Uint8Array.of(byte));
  const hashes = bodies.map((body) => keccakHex(body) as Hash);
  const [proposer, second] = [peer, '0x00000000000000000000000000000000000000bb' as Address];
  const asked: [Address, readonly Hash[]][] = [];
  let wait: (() => void) | null = null;
  const assembler = createBlockAssembler({
    ...itemsOf({
      transactions: async (raws) => raws.map((one) => ({ raw: one, hash: keccakHex(one) }) as VerifiedTransaction),
      actions: async () => [],
    }),
    clock: {
      nowMs: () => 0,
      monotonicMs: () => 0,
      after: (_delayMs, callback) => {
        wait = callback;
        return () => (wait = null);
      },
    },
    peers: () => [proposer, second],
    send: (to, message) => {
      if (message.kind === 'bodiesRequest') asked.push([to, message.hashes]);
      return true;
    },
  });
  const blockHash = keccakHex(Uint8Array.of(9)) as Hash;
  const assembled = assembler.assemble(proposer, {
    proposal: { blockHash, round: 0 as Round },
    header: {},
    transactionHashes: hashes,
    actionHashes: [],
    bodies: null,
  } as unknown as ProposalMessage);
  const pass = (): void => (wait as unknown as () => void)();
  assembler.onBodies(proposer, {
    kind: 'bodies',
    blockHash,
    transactions: [bodies[1]!, Uint8Array.of(77)],
    actions: [],
  });
  pass();
  assembler.onBodies(second, { kind: 'bodies', blockHash, transactions: [bodies[0]!], actions: [] });
  pass();
  expect(asked).toEqual([
    [proposer, hashes],
    [second, [hashes[0], hashes[2]]],
    [proposer, [hashes[2]]],
  ]);
  assembler.onBodies(proposer, { kind: 'bodies', blockHash, transactions: [bodies[2]!], actions: [] });
  expect(await assembled).toMatchObject({
    kind: 'block',
    executable: { transactions: hashes.map((one) => ({ hash: one })) },
  });
  expect(wait).toBeNull();
});
