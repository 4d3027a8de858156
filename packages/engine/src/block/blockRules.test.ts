import { describe, expect, it } from '@jest/globals';
import {
  factsOf,
  type ActionPayload,
  createProtocolSchedule,
  type Evidence,
  type ExecutableBlock,
  genesisHash,
  type Header,
  headerHash,
  type VerifiedAction,
  type Vote,
} from '@prime/codec';
import { advanceProposer, validatorsFromGenesis } from '@prime/consensus';
import { createCryptoProvider, keccak256, keccakHex } from '@prime/crypto';
import type { Address, Hash, Height, Round, TimestampMs } from '@prime/primitives';
import { utf8ToBytes } from '@prime/primitives';
import { checkBlockForm, evidenceBytes, type HeightContext, makeHeader } from './blockRules.ts';
import { simulatedGenesis } from '../testing/genesis.ts';

const provider = await createCryptoProvider();
const genesis = simulatedGenesis(
  [0, 1, 2, 3].map((index) => provider.publicKey(keccak256(utf8ToBytes(`validator ${index}`)))),
);
const validators = validatorsFromGenesis(genesis.validators);
const other = `0x${'77'.repeat(32)}` as Hash;
const root = `0x${'00'.repeat(32)}` as Hash;
const context: HeightContext = {
  chainId: genesis.chainId,
  rules: createProtocolSchedule([]).rulesAt(1 as Height)!,
  head: {
    height: 0 as Height,
    hash: genesisHash(genesis),
    roots: { stateRoot: root, receiptsRoot: root, eventsRoot: root, gasUsed: 0n },
    nextBaseFee: genesis.evm.initialBaseFee,
  },
  parentTimestampMs: genesis.timestampMs,
  gasLimit: genesis.evm.gasLimit,
  params: { ...genesis.consensus, maxBlockBytes: 1_000, maxBlockActions: 3 },
  openActions: true,
  validators,
  nextValidators: advanceProposer(validators),
};

const account = `0x${'a1'.repeat(20)}` as Address;
/** What verification would have made of some bytes. */
function action(
  bytes: number,
  changes: { readonly signer?: Address; readonly gateway?: boolean } = {},
): VerifiedAction {
  const raw = new Uint8Array(bytes).fill(bytes % 251);
  return {
    raw,
    hash: keccakHex(raw),
    signer: changes.signer ?? account,
    facts: factsOf({ type: 'noop' }),
    transaction: {
      chainId: genesis.chainId,
      nonce: 1,
      expiresAt: 0,
      account,
      payload: { type: 'noop' } as ActionPayload,
      signatureKind: changes.gateway === true ? 'gateway' : 'raw',
      signature: new Uint8Array(65),
    },
  };
}

const vote = (blockHash: Hash | null): Vote => ({
  type: 'prevote',
  height: 1 as Height,
  round: 0 as Round,
  blockHash,
  validator: account,
  signature: new Uint8Array(65),
});
const piece: Evidence = { kind: 'duplicateVote', first: vote(null), second: vote(other) };

interface Content {
  readonly actions?: readonly VerifiedAction[];
  readonly evidence?: readonly Evidence[];
}

/** A block as an honest proposer makes it. */
function blockOf({ actions = [], evidence = [] }: Content = {}): ExecutableBlock {
  const header = makeHeader({
    context,
    proposer: genesis.validators[0]!.address,
    timestampMs: (genesis.timestampMs + 1) as TimestampMs,
    transactionHashes: [],
    actionHashes: actions.map(({ hash }) => hash),
    evidence,
    lastCommit: null,
  });
  const block = { header, transactions: [], actions: actions.map(({ raw }) => raw), evidence, lastCommit: null };
  return { hash: headerHash(header), block, transactions: [], actions };
}

const withHeader = (changes: Partial<Header>, executable = blockOf()): ExecutableBlock => {
  const header = { ...executable.block.header, ...changes };
  return { ...executable, hash: headerHash(header), block: { ...executable.block, header } };
};

const reasonOf = (executable: ExecutableBlock, changes: Partial<HeightContext> = {}): string | null => {
  const verdict = checkBlockForm(executable, { ...context, ...changes });
  return verdict.ok ? null : verdict.reason;
};

describe('a block as it should be', () => {
  it('empty, and with actions and evidence: accepted', () => {
    expect(reasonOf(blockOf())).toBeNull();
    expect(reasonOf(blockOf({ actions: [action(10), action(20)], evidence: [piece] }))).toBeNull();
  });
});

describe('a header that does not fit its height', () => {
  it.each<[string, Partial<Header>, RegExp]>([
    ['another version', { version: 2 }, /^version 2/],
    ['another chain', { chainId: 1 }, /^chain id 1/],
    ['the height of its parent', { height: 0 as Height }, /^height 0/],
    ['a height that is too far', { height: 2 as Height }, /^height 2/],
    ['the time of its parent', { timestampMs: genesis.timestampMs }, /^time/],
    ['a proposer that is no validator', { proposer: account }, /^proposer/],
    ['other validators', { validatorsHash: other }, /^validators hash/],
    ['other validators of the next height', { nextValidatorsHash: other }, /^next validators hash/],
    ['another body', { bodyRoot: other }, /^body root/],
    ['other evidence', { evidenceHash: other }, /^evidence hash/],
    ['another certificate', { lastCommitHash: other }, /^last commit hash/],
  ])('%s: refused', (_, changes, reason) => {
    expect(reasonOf(withHeader(changes))).toMatch(reason);
  });

  it('one that keeps quiet about its evidence, or lists its actions in another order: refused', () => {
    const { header } = blockOf().block;
    expect(reasonOf(withHeader({ evidenceHash: header.evidenceHash }, blockOf({ evidence: [piece] })))).toMatch(
      /^evidence hash/,
    );
    const [first, second] = [action(10), action(20)];
    const { bodyRoot } = blockOf({ actions: [second, first] }).block.header;
    expect(reasonOf(withHeader({ bodyRoot }, blockOf({ actions: [first, second] })))).toMatch(/^body root/);
  });
});

describe('sizes', () => {
  it('as many bytes of body and evidence as genesis allows are accepted, and one more is not', () => {
    const weight = evidenceBytes([piece]);
    expect(reasonOf(blockOf({ actions: [action(400), action(600)] }))).toBeNull();
    expect(reasonOf(blockOf({ actions: [action(400), action(601)] }))).toMatch(/^1001 bytes of body/);
    expect(reasonOf(blockOf({ actions: [action(1_000 - weight)], evidence: [piece] }))).toBeNull();
    expect(reasonOf(blockOf({ actions: [action(1_001 - weight)], evidence: [piece] }))).toMatch(/^1001 bytes of body/);
  });

  it('as many actions as genesis allows are accepted, and one more is not', () => {
    const actions = [action(10), action(11), action(12)];
    expect(reasonOf(blockOf({ actions }))).toBeNull();
    expect(reasonOf(blockOf({ actions: [...actions, action(13)] }))).toMatch(/^4 actions/);
  });

  it('as much evidence as the version allows is accepted, and a byte more is not', () => {
    const weight = evidenceBytes([piece]);
    const rules = (evidenceBytesMax: number) => ({ rules: { ...context.rules, evidenceBytesMax } });
    expect(reasonOf(blockOf({ evidence: [piece] }), rules(weight))).toBeNull();
    expect(reasonOf(blockOf({ evidence: [piece] }), rules(weight - 1))).toMatch(/bytes of evidence/);
  });
});

describe('a call that somebody vouches for', () => {
  const signer = validators.validators[2]!.signer;

  it('a validator of this height, where unsigned calls are taken: accepted', () => {
    expect(reasonOf(blockOf({ actions: [action(10, { gateway: true, signer })] }))).toBeNull();
  });

  it('anybody else, or where they are not taken: refused', () => {
    const stranger = blockOf({ actions: [action(9), action(10, { gateway: true })] });
    expect(reasonOf(stranger)).toMatch(/is not vouched for by a validator/);
    const vouched = blockOf({ actions: [action(10, { gateway: true, signer })] });
    expect(reasonOf(vouched, { openActions: false })).toMatch(/is not vouched for by a validator/);
  });
});

describe('price reports', () => {
  const report = (bytes: number, validator: Address): VerifiedAction => {
    const plain = action(bytes);
    const payload: ActionPayload = { type: 'oracleReport', observedAtMs: 1 as TimestampMs, prices: [] };
    return { ...plain, facts: factsOf(payload), transaction: { ...plain.transaction, account: validator, payload } };
  };
  const [one, two] = [account, `0x${'b2'.repeat(20)}` as Address];

  it('one of each account is accepted, and two of one are not', () => {
    expect(reasonOf(blockOf({ actions: [report(10, one), report(20, two), action(30)] }))).toBeNull();
    expect(reasonOf(blockOf({ actions: [report(10, one), action(30), report(20, one)] }))).toBe(
      `two price reports of ${one}`,
    );
  });
});
