import { describe, expect, it } from '@jest/globals';
import type {
  ActionPayload,
  ActionResult,
  DomainEvent,
  Genesis,
  ReportedPrice,
  SignatureKind,
  VerifiedAction,
} from '@prime/codec';
import { keyPair } from '@prime/config';
import { createCryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { type Address, type Hash, type Height, type MarketId, toTimestampMs } from '@prime/primitives';
import { Audit } from './audit.ts';
import type { DecidedBlock } from './decidedBlock.ts';
import { actionOf, addressOf, blockOf, done, eventOf, refusal } from './testing/blocks.ts';
import { fakeGenesis } from './testing/fakeNode.ts';
import { AuditedValidators } from './validators.ts';

const provider = await createCryptoProvider();
const keys = [1, 2, 3, 4, 5].map((digit) => keyPair(provider, new Uint8Array(32).fill(digit)).publicKey);
const signers = keys.map(publicKeyToAddress);
const [v0, v1, v2] = [addressOf('b0'), addressOf('b1'), addressOf('b2')];
const newcomer = addressOf('b4');
const ether = 10n ** 18n;
const { staking } = fakeGenesis;
const genesis: Genesis = {
  ...fakeGenesis,
  validators: [v0, v1, v2].map((address, index) => ({
    address,
    publicKey: keys[index]!,
    stake: 100n * ether,
    moniker: `validator${index}`,
  })),
};

/** An event of validators. @param actionIndex null for what the block does itself */
const told = (
  kind: string,
  validator: Address,
  stake: bigint,
  actionIndex: number | null = 0,
  more: DomainEvent['data'] = {},
): DomainEvent => ({
  domain: 'validators',
  kind,
  actionIndex,
  data: { validator, stake, power: stake / ether, ...more },
});

/** A block of actions, each with its account; all are done unless results say otherwise. */
const acted = (
  height: number,
  acts: readonly (readonly [Address, ActionPayload])[],
  events: readonly DomainEvent[],
  results: readonly ActionResult[] = acts.map(() => done),
): DecidedBlock =>
  blockOf(height, { actions: acts.map(([account, payload]) => actionOf(account, payload)), results, events });

const claim = { proof: new Uint8Array(65), host: 'node', port: 1, spki: `0x${'11'.repeat(32)}` as Hash };
const join = (stake: bigint, key = 3): ActionPayload => ({
  type: 'validatorJoin',
  stake,
  moniker: 'newcomer',
  publicKey: keys[key]!,
  ...claim,
});
const slashed = (stake: bigint, bps: number): bigint => stake - (stake * BigInt(bps)) / 10_000n;

/** The set in few words: powers and keys by validator. */
const setOf = (validators: AuditedValidators): Record<string, unknown> =>
  Object.fromEntries(validators.reporters.reporters.map((one) => [one.validator, [one.power, ...one.keys]]));

describe('validators as an audit follows them', () => {
  it('are those of genesis, with the keys that they sign with', () => {
    const validators = new AuditedValidators(genesis);
    expect(setOf(validators)).toEqual({ [v0]: [100n, signers[0]], [v1]: [100n, signers[1]], [v2]: [100n, signers[2]] });
    expect(validators.reporters.precisionMs).toBe(genesis.consensus.precisionMs);
  });

  it('come in when they are let out, count with what they bond, report with their keys, and leave', () => {
    const validators = new AuditedValidators(genesis);
    const own = (): unknown => setOf(validators)[newcomer];
    const step = (payload: ActionPayload, event: DomainEvent | null, expected: unknown): void => {
      expect(validators.add(acted(1, [[newcomer, payload]], event === null ? [] : [event]))).toEqual([]);
      expect(own()).toEqual(expected);
    };
    step(join(20n * ether), told('joined', newcomer, 20n * ether), undefined);
    const oracleKey = addressOf('c0');
    step({ type: 'validatorSetOracleKey', key: oracleKey }, null, undefined);
    step({ type: 'validatorUnjail' }, told('unjailed', newcomer, 20n * ether), [20n, signers[3], oracleKey]);
    step({ type: 'validatorBond', amount: 2n * ether - 1n }, told('stake_changed', newcomer, 22n * ether - 1n), [
      21n,
      signers[3],
      oracleKey,
    ]);
    step({ type: 'validatorUnbond', amount: 12n * ether - 1n }, told('stake_changed', newcomer, 10n * ether), [
      10n,
      signers[3],
      oracleKey,
    ]);
    step({ type: 'validatorSetEndpoint', ...claim }, null, [10n, signers[3], oracleKey]);
    step(
      { type: 'validatorRotateSigner', publicKey: keys[4]!, proof: claim.proof },
      told('signer_rotated', newcomer, 10n * ether, 0, { signer: signers[4]! }),
      [10n, signers[4], oracleKey],
    );
    step({ type: 'validatorSetOracleKey', key: null }, null, [10n, signers[4]]);
    step({ type: 'validatorJail' }, told('jailed', newcomer, 10n * ether), undefined);
    step({ type: 'validatorUnjail' }, told('unjailed', newcomer, 10n * ether), [10n, signers[4]]);
    step({ type: 'validatorSetOracleKey', key: oracleKey }, null, [10n, signers[4], oracleKey]);
    step({ type: 'validatorLeave' }, told('left', newcomer, 0n), undefined);
    // Whoever comes back has the key that it joins with, and none that it had.
    step(join(30n * ether, 4), told('joined', newcomer, 30n * ether), undefined);
    step({ type: 'validatorUnjail' }, told('unjailed', newcomer, 30n * ether), [30n, signers[4]]);
  });

  it('are slashed and jailed by a block before its own actions, and what was refused changes nothing', () => {
    const validators = new AuditedValidators(genesis);
    const left = slashed(100n * ether, staking!.downtimeSlashBps);
    const events = [
      told('slashed', v1, left, null),
      told('jailed', v1, left, null),
      told('stake_changed', v1, left + ether),
    ];
    const acts = [
      [v1, { type: 'validatorBond', amount: ether }],
      [v0, { type: 'validatorLeave' }],
    ] as const;
    expect(validators.add(acted(1, acts, events, [done, refusal('STAKING_TOO_MUCH_POWER')]))).toEqual([]);
    expect(Object.keys(setOf(validators))).toEqual([v0, v2]);
    const back = told('unjailed', v1, left + ether);
    expect(validators.add(acted(2, [[v1, { type: 'validatorUnjail' }]], [back]))).toEqual([]);
    expect(setOf(validators)[v1]).toEqual([(left + ether) / ether, signers[1]]);
    const convicted = slashed(100n * ether, staking!.doubleSignSlashBps);
    expect(validators.add(acted(3, [], [told('slashed', v2, convicted, null)]))).toEqual([]);
    expect(setOf(validators)[v2]).toEqual([convicted / ether, signers[2]]);
  });

  it('below one ether have a power of 1, and with nothing of 0 in the event', () => {
    const few = { ...genesis, validators: [{ ...genesis.validators[0]!, stake: 3n }] };
    const validators = new AuditedValidators(few);
    expect(setOf(validators)[v0]).toEqual([1n, signers[0]]);
    const event = { ...told('stake_changed', v0, 5n), data: { validator: v0, stake: 5n, power: 1n } };
    expect(validators.add(acted(1, [[v0, { type: 'validatorBond', amount: 2n }]], [event]))).toEqual([]);
  });

  it.each<[string, DecidedBlock, RegExp]>([
    ['an event of nothing', acted(7, [], [told('unjailed', v0, 100n * ether)]), /^block 7, event 0 .* audit undefined/],
    [
      'an event that is missing',
      acted(7, [[v0, { type: 'validatorBond', amount: 1n }]], []),
      /validator undefined, audit stake_changed/,
    ],
    [
      'another stake',
      acted(7, [[v0, { type: 'validatorBond', amount: 1n }]], [told('stake_changed', v0, 100n * ether)]),
      /validator stake_changed .* 1(0+) 100, audit stake_changed .* 1(0+)1 100$/,
    ],
    [
      'another power',
      acted(
        7,
        [[v0, { type: 'validatorJail' }]],
        [{ ...told('jailed', v0, 100n * ether), data: { validator: v0, stake: 100n * ether, power: 7n } }],
      ),
      / 7, audit jailed .* 100$/,
    ],
    [
      'another signer',
      acted(
        7,
        [[v0, { type: 'validatorRotateSigner', publicKey: keys[4]!, proof: claim.proof }]],
        [told('signer_rotated', v0, 100n * ether, 0, { signer: signers[3]! })],
      ),
      new RegExp(`${signers[3]}, audit .*${signers[4]}$`),
    ],
    [
      'an action of nobody',
      acted(7, [[newcomer, { type: 'validatorUnjail' }]], []),
      /^block 7, action 0: validatorUnjail of .* was done, for no such validator$/,
    ],
    ['who joins twice', acted(7, [[v0, join(ether)]], []), /action 0: validatorJoin of .* no such validator$/],
    ['a slash of another part', acted(7, [], [told('slashed', v0, 50n * ether, null)]), /against the rules$/],
    ['who is punished and unknown', acted(7, [], [told('jailed', newcomer, ether, null)]), /against the rules$/],
    ['what no block does', acted(7, [], [told('left', v0, 0n, null)]), /against the rules$/],
    ['who is jailed with another stake', acted(7, [], [told('jailed', v0, ether, null)]), /against the rules$/],
  ])('%s is told', (_what, block, words) => {
    expect(new AuditedValidators(genesis).add(block)).toEqual([expect.stringMatching(words)]);
  });
});

/** What the account signs by itself, or another key for it. */
const signed = (account: Address, payload: ActionPayload, signer = account, timeMs = 0): VerifiedAction => {
  const action = actionOf(account, payload);
  const signatureKind: SignatureKind = 'raw';
  return { ...action, signer, transaction: { ...action.transaction, nonce: timeMs, signatureKind } };
};
const rejected = (of: VerifiedAction, reason: string, actionIndex: number): DomainEvent =>
  eventOf('action_rejected', { account: of.transaction.account, hash: of.hash, ticket: null, reason }, actionIndex);

describe('an audit of a network with validators that act', () => {
  const at = (height: number): number => blockOf(height).timeMs;

  it('believes what the staking rules refused, and what it leaves behind in the order book', () => {
    const audit = new Audit(genesis);
    const action = signed(v0, { type: 'validatorLeave' }, v0, at(1));
    audit.replay([
      blockOf(1, {
        actions: [action],
        results: [refusal('STAKING_TOO_FEW_VALIDATORS')],
        events: [rejected(action, 'too_few_validators', 0)],
      }),
    ]);
    expect(audit.faults).toEqual([]);
    expect(audit.model.state.locked).toEqual([v0]);
  });

  it('does not believe it where validators never change, nor of what the order book refuses itself', () => {
    const fixed = { ...genesis };
    delete (fixed as { staking?: unknown }).staking;
    const audit = new Audit(fixed);
    const action = signed(v0, { type: 'validatorJail' }, v0, at(1));
    const byGateway = actionOf(v0, { type: 'validatorJail' });
    audit.replay([
      blockOf(1, {
        actions: [action, byGateway],
        results: [refusal('STAKING_JAILED'), refusal('STAKING_JAILED')],
        events: [rejected(action, 'jailed', 0), rejected(byGateway, 'jailed', 1)],
      }),
    ]);
    expect(audit.faults).toEqual([
      expect.stringContaining('validator "STAKING_JAILED", model "STAKING_FIXED_VALIDATORS"'),
      expect.stringContaining('validator "STAKING_JAILED", model "CLOB_UNAUTHORIZED"'),
    ]);
  });

  it('knows whose reports count, from the block after the one in which that changed', () => {
    const audit = new Audit({ ...genesis, clob: { ...genesis.clob, ownersOnly: false } });
    const oracleKey = addressOf('c0');
    const prices: ReportedPrice[] = [{ marketId: 1 as MarketId, price: 100n }];
    const report = (height: number, signer: Address, validator = v0): VerifiedAction =>
      signed(
        validator,
        { type: 'oracleReport', observedAtMs: toTimestampMs(at(height)), prices },
        signer,
        at(height) + audit.next,
      );
    const refused = (action: VerifiedAction, index: number): DomainEvent => ({
      ...eventOf('oracle_refused', { validator: v0, hash: action.hash, reason: 'not_a_reporter' }, index),
    });
    const setKey = signed(v0, { type: 'validatorSetOracleKey', key: oracleKey }, v0, at(1));
    const early = report(1, oracleKey);
    audit.replay([
      blockOf(1, {
        actions: [setKey, early],
        results: [done, refusal('CLOB_NOT_A_REPORTER')],
        events: [refused(early, 1)],
      }),
      blockOf(2, { actions: [report(2, oracleKey)], results: [done] }),
      blockOf(3, { actions: [report(3, signers[0]!)], results: [done] }),
    ]);
    expect(audit.faults).toEqual([]);
    expect(audit.model.state.reports[v0]!.last).toBe(at(3));
  });

  it('counts votes with what validators have bonded when they vote', () => {
    const audit = new Audit({ ...genesis, clob: { ...genesis.clob, ownersOnly: false } });
    const change = { parameter: 'maxOpenOrders', marketId: null, value: 7 } as const;
    const proposal = { change, activationHeight: 20 as Height, expiryHeight: 19 as Height };
    audit.replay([blockOf(1, { actions: [signed(v0, { type: 'propose', ...proposal }, v0, at(1))], results: [done] })]);
    const [hash] = Object.keys(audit.model.state.proposals) as [Hash];
    const vote = (height: number, who: Address): VerifiedAction =>
      signed(who, { type: 'vote', proposal: hash, yes: true }, who, at(height));
    const bond = signed(v1, { type: 'validatorBond', amount: 150n * ether }, v1, at(2));
    audit.replay([
      // 200 of 300 are not more than two thirds; with 250 of v1 350 of 450 are.
      blockOf(2, { actions: [bond, vote(2, v0)], results: [done, done] }),
      blockOf(3, { actions: [vote(3, v1)], results: [done] }),
    ]);
    const votes = audit.faults.filter((fault) => /result/.test(fault));
    expect(votes).toEqual([]);
    expect(audit.model.events).toEqual([`voted ${hash} ${v1} true ${350n} ${450n}`, `passed ${hash} 20`]);
  });
});
