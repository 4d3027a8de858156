import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  bodyRoot,
  evidenceHash,
  type Genesis,
  genesisHash,
  type Header,
  headerHash,
  lastCommitHash,
  type StoredBlock,
  type ValidatorSet,
  validatorsHash,
  voteSignDigest,
} from '@prime/codec';
import { validatorsFromGenesis } from '@prime/consensus';
import { type CryptoProvider, cryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import { type Hash, type Height, PrimeError, type Round, type TimestampMs, utf8ToBytes } from '@prime/primitives';
import { testGenesis } from '../testing/chain.ts';
import { type InspectedBlocks, inspectBlocks } from './blocks.ts';

const head = 5;
let provider: CryptoProvider;
let genesis: Genesis;
let set: ValidatorSet;
let keys: Map<string, Uint8Array>;
let made: StoredBlock[];

beforeAll(async () => {
  provider = await cryptoProvider();
  keys = new Map();
  const validators = [1, 2, 3, 4].map((index) => {
    const privateKey = keccak256(utf8ToBytes(`validator ${index}`));
    const publicKey = provider.publicKey(privateKey);
    const address = publicKeyToAddress(publicKey);
    keys.set(address, privateKey);
    return { address, publicKey, stake: 10n ** 22n, moniker: '' };
  });
  genesis = testGenesis({ validators });
  set = validatorsFromGenesis(validators);
  made = [];
  let parentHash = genesisHash(genesis);
  for (let height = 1; height <= head; height++) {
    made.push(block(height as Height, parentHash));
    parentHash = made.at(-1)!.hash;
  }
});

function block(height: Height, parentHash: Hash): StoredBlock {
  const zero = `0x${'00'.repeat(32)}` as Hash;
  const header: Header = {
    version: 1,
    chainId: genesis.chainId,
    height,
    timestampMs: (genesis.timestampMs + height) as TimestampMs,
    parentHash,
    proposer: set.validators[0]!.address,
    validatorsHash: validatorsHash(set.validators),
    nextValidatorsHash: validatorsHash(set.validators),
    bodyRoot: bodyRoot([], []),
    lastCommitHash: lastCommitHash(null),
    evidenceHash: evidenceHash([]),
    gasLimit: 30_000_000n,
    baseFee: 1n,
    parentResults: { stateRoot: zero, receiptsRoot: zero, eventsRoot: zero, gasUsed: 0n },
  };
  const blockHash = headerHash(header);
  const vote = { type: 'precommit', height, round: 0 as Round, blockHash } as const;
  const digest = voteSignDigest(genesis.chainId, genesisHash(genesis), vote);
  const signatures = set.validators
    .slice(0, 3)
    .map(({ address }) => ({ validator: address, signature: provider.sign(digest, keys.get(address)!) }));
  return {
    block: { header, transactions: [], actions: [], evidence: [], lastCommit: null },
    hash: blockHash,
    certificate: { height, round: 0 as Round, blockHash, signatures },
  };
}

const stored = (changes: Partial<InspectedBlocks> = {}): InspectedBlocks => ({
  base: () => 1 as Height,
  head: () => head as Height,
  get: (height) => made[height - 1] ?? null,
  heightOf: (hash) => made.find((one) => one.hash === hash)?.block.header.height ?? null,
  // As in a real store: those of the first block are in genesis.
  validators: (height) => (height === 1 ? null : set),
  ...changes,
});
const inspect = (changes: Partial<InspectedBlocks> = {}, newest: number | null = null) =>
  inspectBlocks(stored(changes), { genesis, provider }, newest);
/** Block 3 is another one than it was. */
const third = (change: (whole: StoredBlock) => StoredBlock | null): Partial<InspectedBlocks> => ({
  get: (height) => (height === 3 ? change(made[2]!) : (made[height - 1] ?? null)),
});

describe('stored blocks', () => {
  it('that are whole: from the first or the oldest to the head, or the newest ones', async () => {
    expect(await inspect()).toEqual({ from: 1, to: 5, faults: [] });
    expect(await inspect({ base: () => 3 as Height })).toEqual({ from: 3, to: 5, faults: [] });
    expect(await inspect({}, 2)).toEqual({ from: 4, to: 5, faults: [] });
    expect(await inspect({}, 99)).toEqual({ from: 1, to: 5, faults: [] });
    expect(await inspect({ head: () => 0 as Height })).toEqual({ from: 1, to: 0, faults: [] });
  });

  it.each<[string, () => Partial<InspectedBlocks>, string[]]>([
    ['a block is missing', () => third(() => null), ['block 3 is missing']],
    [
      'another header under its hash',
      () =>
        third((whole) => ({ ...whole, block: { ...whole.block, header: { ...whole.block.header, gasLimit: 1n } } })),
      ['block 3: its header is not the one of its hash'],
    ],
    [
      'a transaction that the header does not name',
      () => third((whole) => ({ ...whole, block: { ...whole.block, transactions: [Uint8Array.of(1)] } })),
      ['block 3: it holds something else than its header says'],
    ],
    [
      'a block of another branch, properly decided',
      () => third(() => block(3 as Height, `0x${'66'.repeat(32)}` as Hash)),
      [
        'block 3: it does not hang on the block before',
        'block 3: it is not found by its hash',
        'block 4: it does not hang on the block before',
      ],
    ],
    [
      'a signature that is another one',
      () =>
        third((whole) => {
          const [first, ...rest] = whole.certificate.signatures;
          const signatures = [{ ...first!, signature: rest[0]!.signature }, ...rest];
          return { ...whole, certificate: { ...whole.certificate, signatures } };
        }),
      ['block 3: its certificate does not prove it: invalidSignature'],
    ],
    [
      'too few signatures',
      () =>
        third((whole) => ({
          ...whole,
          certificate: { ...whole.certificate, signatures: whole.certificate.signatures.slice(1) },
        })),
      ['block 3: its certificate does not prove it: notEnoughPower'],
    ],
    [
      'other validators',
      () => ({
        validators: (height) => (height === 3 ? { ...set, validators: set.validators.slice(0, 3) } : set),
      }),
      ['block 3: its validators are others than its header says'],
    ],
    [
      'no validators',
      () => ({ validators: (height) => (height === 3 ? null : set) }),
      ['block 3: the validators of its height are missing'],
    ],
    [
      'no validators for the next height',
      () => ({ validators: (height) => (height === 6 ? null : set) }),
      ['the validators after block 5 are missing'],
    ],
    [
      'other validators for the next height',
      () => ({ validators: (height) => (height === 6 ? { ...set, validators: set.validators.slice(1) } : set) }),
      ['the validators after block 5 are others than its header says'],
    ],
    [
      'an index that lost a block',
      () => ({ heightOf: (hash) => (hash === made[2]!.hash ? null : stored().heightOf(hash)) }),
      ['block 3: it is not found by its hash'],
    ],
    [
      'bytes that do not decode',
      () =>
        third(() => {
          throw new PrimeError('the checksum is wrong', { code: 'BLOCK_STORE_CORRUPT' });
        }),
      ['block 3: the checksum is wrong'],
    ],
  ])('%s', async (_, changes, faults) => {
    expect(await inspect(changes())).toMatchObject({ faults });
  });

  it('of another chain', async () => {
    const { faults } = await inspectBlocks(stored(), { genesis: { ...genesis, chainId: 5 }, provider });
    expect(faults).toEqual(
      expect.arrayContaining(['block 1: it is of chain 7919', 'block 1: it does not hang on the block before']),
    );
    expect(faults).toHaveLength(2 * head + 1);
  });

  it('a disk that fails is no damage: the error goes through', async () => {
    const error = new PrimeError('EIO', { code: 'BLOCK_STORE_READ_FAILED' });
    const get = (): never => {
      throw error;
    };
    await expect(inspect({ get })).rejects.toBe(error);
  });
});
