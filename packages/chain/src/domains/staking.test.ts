import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ActionPayload,
  type ActionResult,
  decodeEventFrames,
  decodeResultFrames,
  defaultStakingParams,
  type Evidence,
  type Genesis,
  genesisHash,
  ordersAddress,
  signerProofDigest,
  stakingAddress,
  stakingRoot,
  type VerifiedAction,
  voteSignDigest,
} from '@prime/codec';
import { genesisStaking } from '@prime/consensus';
import { createCryptoProvider, type CryptoProvider, keccak256, keccakHex } from '@prime/crypto';
import { createAccountReader } from '@prime/evm/accounts';
import { createMemoryDatabase } from '@prime/evm/testing';
import { type Address, type Hash, type Height, type Round, utf8ToBytes } from '@prime/primitives';
import { action, alice, certificateOf, createTestChain, type TestChain, testGenesis } from '../testing/chain.ts';

const ether = 10n ** 18n;
const slotZero = `0x${'0'.repeat(64)}` as Hash;
const owner = (index: number): Address => `0x${(0xe0 + index).toString(16).padStart(40, '0')}` as Address;
let provider: CryptoProvider;
const keyOf = (index: number): Uint8Array => keccak256(utf8ToBytes(`validator ${index}`));

beforeAll(async () => {
  provider = await createCryptoProvider();
});

const genesisOf = (changes: Partial<Genesis> = {}): Genesis =>
  testGenesis({
    validators: [0, 1, 2, 3, 4].map((index) => ({
      address: owner(index),
      publicKey: provider.publicKey(keyOf(index)),
      stake: 10n * ether,
      moniker: `v${index}`,
    })),
    staking: { ...defaultStakingParams, unbondingMs: 3_000, evidenceMaxAgeMs: 3_600_000 },
    ...changes,
  });

/** Signed by the owner. */
const own = (account: Address, payload: ActionPayload): VerifiedAction => {
  const made = action(account, payload, 1_700_000_000_000 + count++);
  return { ...made, signer: account, transaction: { ...made.transaction, signatureKind: 'raw' } };
};
let count = 0;

function join(genesis: Genesis, account: Address, stake: bigint): VerifiedAction {
  const proof = provider.sign(signerProofDigest(genesis.chainId, genesisHash(genesis), account), keyOf(9));
  const claim = { publicKey: provider.publicKey(keyOf(9)), proof };
  const endpoint = { host: 'node', port: 1, spki: keccakHex(utf8ToBytes('tls')) };
  return own(account, { type: 'validatorJoin', stake, moniker: 'new', ...claim, ...endpoint });
}

function doubleVote(genesis: Genesis, index: number, height: number): Evidence {
  const vote = (byte: string) => {
    const place = { type: 'prevote', height: height as Height, round: 0 as Round } as const;
    const unsigned = { ...place, blockHash: `0x${byte.repeat(32)}` as Hash };
    const digest = voteSignDigest(genesis.chainId, genesisHash(genesis), unsigned);
    return { ...unsigned, validator: owner(index), signature: provider.sign(digest, keyOf(index)) };
  };
  return { kind: 'duplicateVote', first: vote('11'), second: vote('22') };
}

const codeOf = (result: ActionResult | undefined): string =>
  result === undefined ? 'none' : result.ok ? 'ok' : result.error.code;
const kindsOf = (events: readonly { readonly kind: string }[]): string[] => events.map(({ kind }) => kind);
const committedRoot = ({ database }: TestChain): Hash => createAccountReader(database).slot(stakingAddress, slotZero);

describe('genesis with staking', () => {
  it('puts the stake into the account of the staking state, and its root into slot 0', async () => {
    const genesis = genesisOf();
    const chain = await createTestChain(genesis);
    expect(chain.balance(stakingAddress)).toBe(50n * ether);
    expect(committedRoot(chain)).toBe(stakingRoot(genesisStaking(genesis.validators)));
    const { validators } = chain.pipeline.status();
    expect(validators?.map(({ address, status, power }) => [address, status, power])).toEqual(
      [0, 1, 2, 3, 4].map((index) => [owner(index), 'active', 10n]),
    );
  });

  it('without it: nothing of it, and validator actions are refused and cost nothing', async () => {
    const { staking: _staking, ...genesis } = genesisOf();
    const chain = await createTestChain(genesis);
    expect(chain.balance(stakingAddress)).toBe(0n);
    expect(chain.pipeline.status().validators).toBeUndefined();
    const delta = await chain.run({ actions: [join(genesis, alice, ether)] });
    expect(decodeResultFrames(delta.actionResults).map(codeOf)).toEqual(['STAKING_FIXED_VALIDATORS']);
    expect(kindsOf(decodeEventFrames(delta.events))).toEqual(['action_rejected']);
    expect(chain.balance(alice)).toBe(100n * ether);
  });
});

describe('validator actions in a block', () => {
  it('join moves the stake, unjail makes a member, and the next status tells it', async () => {
    const genesis = genesisOf();
    const chain = await createTestChain(genesis);
    const joined = await chain.run({ actions: [join(genesis, alice, 9n * ether)] });
    expect(decodeResultFrames(joined.actionResults).map(codeOf)).toEqual(['ok']);
    expect(decodeEventFrames(joined.events).filter(({ domain }) => domain === 'validators')).toEqual([
      {
        domain: 'validators',
        kind: 'joined',
        actionIndex: 0,
        data: { validator: alice, stake: 9n * ether, power: 9n },
      },
    ]);
    expect([chain.balance(alice), chain.balance(stakingAddress)]).toEqual([91n * ether, 59n * ether]);
    await chain.run({ actions: [own(alice, { type: 'validatorUnjail' })] });
    const { validators } = chain.pipeline.status();
    expect(validators?.find(({ address }) => address === alice)).toMatchObject({ status: 'active', moniker: 'new' });
  });

  it('refused: the wei return, the result and an event say why', async () => {
    const genesis = genesisOf();
    const chain = await createTestChain(genesis);
    const bond = own(alice, { type: 'validatorBond', amount: ether });
    const delta = await chain.run({ actions: [bond, join(genesis, alice, 101n * ether)] });
    expect(decodeResultFrames(delta.actionResults).map(codeOf)).toEqual([
      'STAKING_UNKNOWN_VALIDATOR',
      'STAKING_INSUFFICIENT_FUNDS',
    ]);
    expect(kindsOf(decodeEventFrames(delta.events))).toEqual(['action_rejected', 'action_rejected']);
    expect([chain.balance(alice), chain.balance(stakingAddress)]).toEqual([100n * ether, 50n * ether]);
  });

  it('vouched for by a gateway: refused, nobody but the owner may do that', async () => {
    const chain = await createTestChain(genesisOf());
    const delta = await chain.run({ actions: [action(owner(0), { type: 'validatorLeave' })] });
    expect(decodeResultFrames(delta.actionResults).map(codeOf)).toEqual(['CLOB_UNAUTHORIZED']);
  });

  it.each(['deposit', 'enqueueEvmToOrders'] as const)(
    'unsigned in the name of the account of the stake: refused, and blocks go on (%s)',
    async (type) => {
      const chain = await createTestChain(genesisOf());
      const delta = await chain.run({ actions: [action(stakingAddress, { type, to: alice, amount: 6n } as never)] });
      expect(decodeResultFrames(delta.actionResults).map(codeOf)).toEqual(['CLOB_INSUFFICIENT_FUNDS']);
      expect(chain.balance(stakingAddress)).toBe(50n * ether);
      await chain.run({});
    },
  );

  it('leave: the stake comes back when its time is over, and the books balance all the way', async () => {
    const chain = await createTestChain(genesisOf());
    await chain.run({ actions: [own(owner(0), { type: 'validatorLeave' })] });
    await chain.run({});
    await chain.run({});
    expect([chain.balance(owner(0)), chain.balance(stakingAddress)]).toEqual([0n, 50n * ether]);
    await chain.run({});
    expect([chain.balance(owner(0)), chain.balance(stakingAddress)]).toEqual([10n * ether, 40n * ether]);
  });

  it('a block that is given up leaves no trace', async () => {
    const genesis = genesisOf();
    const [chain, other] = [await createTestChain(genesis), await createTestChain(genesis)];
    const given = chain.block({ actions: [join(genesis, alice, 9n * ether)] });
    await chain.pipeline.check(given);
    await chain.pipeline.execute(given.hash);
    const [one, two] = [await chain.run({}), await other.run({})];
    expect(one.roots).toEqual(two.roots);
    expect(chain.pipeline.status().validators).toEqual(other.pipeline.status().validators);
  });

  it('a restart finds the same state; the same blocks on another node give the same root', async () => {
    const genesis = genesisOf();
    const database = createMemoryDatabase();
    const chain = await createTestChain(genesis, database);
    const other = await createTestChain(genesis);
    const blocks = [
      [join(genesis, alice, 9n * ether)],
      [own(alice, { type: 'validatorUnjail' }), own(owner(1), { type: 'validatorUnbond', amount: ether })],
      [own(owner(2), { type: 'validatorLeave' })],
    ];
    for (const actions of blocks)
      expect((await chain.run({ actions })).roots).toEqual((await other.run({ actions })).roots);
    const again = await createTestChain(genesis, database);
    expect(again.pipeline.status()).toEqual(chain.pipeline.status());
    expect((await again.run({})).roots).toEqual((await other.run({})).roots);
  });

  it('records that do not fit the root are noticed at start', async () => {
    const genesis = genesisOf();
    const database = createMemoryDatabase();
    const chain = await createTestChain(genesis, database);
    await chain.run({ actions: [join(genesis, alice, 9n * ether)] });
    for await (const [key] of database.entries(Uint8Array.of(0x76, 2))) {
      await database.write([{ key, value: null }], { sync: false });
      break;
    }
    await expect(createTestChain(genesis, database)).rejects.toMatchObject({ code: 'CHAIN_STAKING_ROOT_MISMATCH' });
  });
});

describe('what consensus is told of the validators', () => {
  async function commit(chain: TestChain, content: Parameters<TestChain['block']>[0]) {
    const block = chain.block(content);
    expect(await chain.pipeline.check(block)).toEqual({ ok: true });
    return chain.pipeline.commit(block.hash, certificateOf(block));
  }

  it('nothing after a block that only counts who did not sign, and all of them when something changed', async () => {
    const chain = await createTestChain(genesisOf());
    const first = chain.block({});
    expect(await commit(chain, {})).not.toHaveProperty('validators');
    const before = committedRoot(chain);
    expect(await commit(chain, { lastCommit: certificateOf(first) })).not.toHaveProperty('validators');
    expect(committedRoot(chain)).not.toBe(before);
    const left = await commit(chain, { actions: [own(owner(0), { type: 'validatorLeave' })] });
    expect(left.validators).toEqual(chain.pipeline.status().validators);
    expect(left.validators?.find(({ address }) => address === owner(0))).toMatchObject({ status: 'left' });
  });
});

describe('evidence in a block', () => {
  it('slashes once; the wei are where genesis says, and the same again makes a block invalid', async () => {
    const genesis = genesisOf();
    const chain = await createTestChain(genesis);
    await chain.run({});
    const evidence = [doubleVote(genesis, 3, 1)];
    expect(await chain.pipeline.judgeEvidence(evidence)).toEqual([{ ok: true, validator: owner(3) }]);
    const delta = await chain.run({ evidence });
    expect(kindsOf(decodeEventFrames(delta.events))).toEqual(['slashed', 'jailed']);
    expect(chain.balance(defaultStakingParams.slashedTo)).toBe(ether / 2n);
    expect(chain.balance(stakingAddress)).toBe(50n * ether - ether / 2n);
    expect(chain.balance(ordersAddress)).toBe(0n);
    const reason = `${owner(3)} is convicted already`;
    expect(await chain.pipeline.check(chain.block({ evidence }))).toEqual({ ok: false, diverged: false, reason });
    expect(await chain.pipeline.judgeEvidence(evidence)).toEqual([{ ok: false, reason, forged: false }]);
  });

  it('that does not hold makes a block invalid, and so does any where validators never change', async () => {
    const genesis = genesisOf();
    const chain = await createTestChain(genesis);
    await chain.run({});
    const { staking: _staking, ...fixed } = genesis;
    const forged = doubleVote(fixed, 3, 1);
    const refused = { ok: false, diverged: false, reason: 'a signature is wrong' };
    expect(await chain.pipeline.check(chain.block({ evidence: [forged] }))).toEqual(refused);
    const without = await createTestChain(fixed);
    await without.run({});
    expect(await without.pipeline.check(without.block({ evidence: [forged] }))).toMatchObject({ ok: false });
    expect(await without.pipeline.judgeEvidence([forged])).toMatchObject([{ ok: false, forged: false }]);
  });
});
