import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  factsOf,
  type Block,
  createProtocolSchedule,
  type Evidence,
  genesisHash,
  headerHash,
  type VerifiedAction,
  type Vote,
} from '@prime/codec';
import { advanceProposer, validatorsFromGenesis } from '@prime/consensus';
import { createCryptoProvider } from '@prime/crypto';
import { type Address, type Hash, type Height, toRound } from '@prime/primitives';
import { applyDecided, type DecidedContext } from './decided.ts';
import type { StoredBlock } from '../ports.ts';
import { Cluster } from '../testing/cluster.ts';

const other = `0x${'77'.repeat(32)}` as Hash;
let stored: StoredBlock;
let context: DecidedContext;

/** The first block that four engines decide, and what a fifth knows when it is handed that block. */
beforeAll(async () => {
  const cluster = await Cluster.create(4, 21);
  for (const { index } of cluster.nodes) await cluster.start(index);
  await cluster.time.runUntil(() => cluster.height(0) >= 1, 10_000);
  stored = cluster.nodes[0]!.disk.blocks[0]!;
  const { genesis } = cluster;
  const validators = validatorsFromGenesis(genesis.validators);
  context = {
    height: {
      chainId: genesis.chainId,
      rules: createProtocolSchedule([]).rulesAt(1 as Height)!,
      head: {
        height: 0 as Height,
        hash: genesisHash(genesis),
        roots: stored.block.header.parentResults,
        nextBaseFee: genesis.evm.initialBaseFee,
      },
      parentTimestampMs: genesis.timestampMs,
      gasLimit: genesis.evm.gasLimit,
      params: genesis.consensus,
      openActions: true,
      validators,
      nextValidators: advanceProposer(validators),
    },
    protocol: createProtocolSchedule([]),
    domain: { chainId: genesis.chainId, genesisHash: genesisHash(genesis) },
    provider: await createCryptoProvider(),
    checkLastCommit: () => ({ ok: true }),
    execution: {
      status: () => Promise.reject(new Error('not asked')),
      judgeEvidence: async () => [],
      check: async () => ({ ok: true }),
      commit: () => Promise.reject(new Error('not asked')),
    },
    verifier: { transactions: async () => [], actions: async (raws) => raws.map(signed) },
  };
});

const vote: Vote = {
  type: 'prevote',
  height: 1 as Height,
  round: toRound(0),
  blockHash: null,
  validator: `0x${'a2'.repeat(20)}` as Address,
  signature: new Uint8Array(65),
};
const twice: Evidence = { kind: 'duplicateVote', first: vote, second: { ...vote, blockHash: other } };

/** An action that some account signed itself. */
const signed = (raw: Uint8Array): VerifiedAction => ({
  raw,
  hash: other,
  signer: `0x${'a1'.repeat(20)}` as Address,
  facts: factsOf({ type: 'noop' }),
  transaction: {
    chainId: 7919,
    nonce: 1,
    expiresAt: 0,
    account: `0x${'a1'.repeat(20)}` as Address,
    payload: { type: 'noop' },
    signatureKind: 'raw',
    signature: new Uint8Array(65),
  },
});

const checkedAs = (verdict: Awaited<ReturnType<DecidedContext['execution']['check']>>): DecidedContext => ({
  ...context,
  execution: { ...context.execution, check: async () => verdict },
});

it('a certified block is verified and handed on as it is', async () => {
  const executable = await applyDecided(stored, context);
  expect(executable.hash).toBe(headerHash(stored.block.header));
  expect(executable.block).toBe(stored.block);
});

describe('the source lies: ENGINE_UNCERTIFIED_BLOCK', () => {
  const uncertified = { code: 'ENGINE_UNCERTIFIED_BLOCK', detail: { height: 1 } };
  const withBlock = (change: (block: Block) => Block): StoredBlock => ({ ...stored, block: change(stored.block) });

  it('a header that the certificate does not name', async () => {
    const changed = withBlock((block) => ({ ...block, header: { ...block.header, bodyRoot: other } }));
    await expect(applyDecided(changed, context)).rejects.toMatchObject(uncertified);
  });

  it('a certificate of another round than its votes were signed for', async () => {
    const certificate = { ...stored.certificate, round: toRound(stored.certificate.round + 1) };
    await expect(applyDecided({ ...stored, certificate }, context)).rejects.toMatchObject(uncertified);
  });

  it('a certificate of another network', async () => {
    const elsewhere = { ...context, domain: { ...context.domain, chainId: 1 } };
    await expect(applyDecided(stored, elsewhere)).rejects.toMatchObject(uncertified);
  });

  it('a body that is not the one of the header', async () => {
    const changed = withBlock((block) => ({ ...block, actions: [...block.actions, Uint8Array.of(1)] }));
    await expect(applyDecided(changed, context)).rejects.toMatchObject(uncertified);
  });

  it('a certificate of the parent, or evidence, that is not the one of the header', async () => {
    const changes: readonly ((block: Block) => Block)[] = [
      (block) => ({ ...block, lastCommit: stored.certificate }),
      (block) => ({ ...block, evidence: [twice] }),
    ];
    for (const change of changes)
      await expect(applyDecided(withBlock(change), context)).rejects.toMatchObject(uncertified);
  });

  it('a body whose signatures are invalid', async () => {
    const changed = withBlock((block) => ({ ...block, actions: [Uint8Array.of(1)] }));
    const verifier = { ...context.verifier, actions: async () => [{ failure: 'invalid signature' }] };
    await expect(applyDecided(changed, { ...context, verifier })).rejects.toMatchObject(uncertified);
  });
});

describe('the validators decided what this node can not follow', () => {
  const invalid = { code: 'ENGINE_INVALID_DECISION', detail: { height: 1 } };

  it('other results of the parent: ENGINE_DIVERGED', async () => {
    const diverged = checkedAs({ ok: false, diverged: true, reason: 'state root' });
    await expect(applyDecided(stored, diverged)).rejects.toMatchObject({
      code: 'ENGINE_DIVERGED',
      detail: { height: 1, reason: 'state root' },
    });
  });

  it('a block that execution refuses: ENGINE_INVALID_DECISION', async () => {
    const refused = checkedAs({ ok: false, diverged: false, reason: 'base fee' });
    await expect(applyDecided(stored, refused)).rejects.toMatchObject(invalid);
  });

  it('a header that breaks the rules of this height: ENGINE_INVALID_DECISION', async () => {
    const later = { ...context.height, parentTimestampMs: stored.block.header.timestampMs };
    await expect(applyDecided(stored, { ...context, height: later })).rejects.toMatchObject(invalid);
  });

  it('decided in round 0 though another one proposes first by the priorities here: ENGINE_INVALID_DECISION', async () => {
    expect(stored.certificate.round).toBe(0);
    const { proposer } = stored.block.header;
    const last = (address: Address): bigint => (address === proposer ? -(10n ** 6n) : 0n);
    const validators = {
      validators: context.height.validators.validators.map((each) => ({
        ...each,
        proposerPriority: last(each.address),
      })),
    };
    await expect(applyDecided(stored, { ...context, height: { ...context.height, validators } })).rejects.toMatchObject(
      invalid,
    );
  });

  it('a certificate of the parent that is not one: ENGINE_INVALID_DECISION', async () => {
    const checkLastCommit = () => ({ ok: false, diverged: false, reason: 'too little power' }) as const;
    await expect(applyDecided(stored, { ...context, checkLastCommit })).rejects.toMatchObject(invalid);
  });
});
