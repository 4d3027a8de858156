import { expect, it } from '@jest/globals';
import type { VerifiedTransaction } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import type { Address, Hash, Round } from '@prime/primitives';
import { createBlockAssembler } from './candidates.ts';
import type { ProposalMessage } from './ports.ts';

const peer = '0x00000000000000000000000000000000000000aa' as Address;
const raw = Uint8Array.of(1, 2, 3);
const hash = keccakHex(raw) as Hash;

it('a block that is proposed again while its bodies are fetched is complete for both proposals', async () => {
  const verified = { raw, hash } as VerifiedTransaction;
  const timers = new Set<() => void>();
  let requests = 0;
  const assembler = createBlockAssembler({
    known: { transaction: () => null, action: () => null },
    verifier: { transactions: async () => [verified], actions: async () => [] },
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
    known: { transaction: () => null, action: () => null },
    verifier: { transactions: async () => [{ failure: 'invalid signature' }], actions: async () => [] },
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
