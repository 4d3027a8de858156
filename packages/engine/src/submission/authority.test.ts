import { describe, expect, it } from '@jest/globals';
import { factsOf, type ActionPayload, type AgentRecord, type SignatureKind, type VerifiedAction } from '@prime/codec';
import type { Address, Hash, TimestampMs } from '@prime/primitives';
import { checkAuthority, checkOwner } from './authority.ts';
import type { SignerReader } from '../ports.ts';

const owner = `0x${'a1'.repeat(20)}` as Address;
const agent = `0x${'b2'.repeat(20)}` as Address;
const carol = `0x${'c3'.repeat(20)}` as Address;
const timeMs = 1_800_000_000_000;
const dayMs = 86_400_000;

interface Scene {
  readonly signer?: Address;
  readonly nonce?: number;
  readonly payload?: ActionPayload;
  readonly signatureKind?: SignatureKind;
  readonly used?: readonly number[];
  readonly record?: Partial<AgentRecord>;
  readonly locked?: boolean;
  /** Whose sub-account the account is. */
  readonly parent?: Address;
}

function actionOf(scene: Scene): VerifiedAction {
  const { signer = owner, nonce = timeMs, payload = { type: 'noop' }, signatureKind = 'raw' } = scene;
  return {
    raw: new Uint8Array(0),
    hash: `0x${'00'.repeat(32)}` as Hash,
    signer,
    facts: factsOf(payload),
    transaction: {
      chainId: 1,
      nonce,
      expiresAt: 0,
      account: owner,
      payload,
      signatureKind,
      signature: new Uint8Array(65),
    },
  };
}

function codeOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
}

function refusalOf(scene: Scene): string | null {
  const action = actionOf(scene);
  const authority = scene.parent ?? owner;
  const state: SignerReader = {
    signerNonces: (of) => (of === action.signer ? (scene.used ?? []) : []),
    agent: (account, of) =>
      scene.record !== undefined && account === authority && of === agent
        ? { account, agent: of, expiry: 0, permissions: 7, name: '', revoked: false, ...scene.record }
        : null,
    authority: () => authority,
    isLocked: () => scene.locked === true,
    isKnown: () => false,
  };
  return codeOf(() => checkAuthority(action, { signers: state, mayReport: () => false, isTimely: () => true }, timeMs));
}

const unauthorized = `ENGINE_SIGNER_UNAUTHORIZED: signer ${agent} may not act for ${owner}`;
const stranger = `${unauthorized}: it is no agent of that account, which is no sub-account of its either. If the account signed, then over something else: compare`;
const allowed =
  'a nonce is a time in milliseconds since 1970, less than two days before and one day behind that of the newest block, ' +
  `${timeMs}`;
const orderBook = `0x${'100'.padStart(40, '0')}`;

describe('checkAuthority', () => {
  it.each<[string, Scene, string | null]>([
    ['the owner with a fresh nonce', {}, null],
    ['a nonce of two days ago', { nonce: timeMs - 2 * dayMs }, `ENGINE_ACTION_NONCE: nonce too old: ${allowed}`],
    ['a nonce that is just young enough', { nonce: timeMs - 2 * dayMs + 1 }, null],
    ['a nonce of tomorrow', { nonce: timeMs + dayMs }, `ENGINE_ACTION_NONCE: nonce too far ahead: ${allowed}`],
    ['a nonce that is just not too far', { nonce: timeMs + dayMs - 1 }, null],
    [
      'a nonce in seconds',
      { nonce: timeMs / 1000 },
      `ENGINE_ACTION_NONCE: nonce too old: ${allowed}; ${timeMs / 1000} looks like seconds`,
    ],
    [
      'a nonce in microseconds',
      { nonce: timeMs * 1000 },
      `ENGINE_ACTION_NONCE: nonce too far ahead: ${allowed}; ${timeMs * 1000} looks like microseconds`,
    ],
    ['a count in place of a time', { nonce: 1 }, `ENGINE_ACTION_NONCE: nonce too old: ${allowed}`],
    ['a used nonce', { used: [timeMs] }, 'ENGINE_ACTION_NONCE: nonce used, and a signer uses each once'],
    [
      'a nonce below 64 newer ones',
      { used: Array.from({ length: 64 }, (_, index) => timeMs + 1 + index) },
      'ENGINE_ACTION_NONCE: nonce too old: the signer has used 64 newer ones',
    ],
    ['a nonce below 63 newer ones', { used: Array.from({ length: 63 }, (_, index) => timeMs + 1 + index) }, null],
    ['a stranger', { signer: agent }, `${stranger} every signed field`],
    [
      'a stranger, as which everybody comes out who signs over another EIP-712 domain',
      { signer: agent, signatureKind: 'eip712' },
      `${stranger} the EIP-712 domain (name "PrimeCLOB", version "1", chainId 1, verifyingContract ${orderBook}) and every signed field`,
    ],
    ['an agent', { signer: agent, record: {} }, null],
    ['a revoked agent', { signer: agent, record: { revoked: true } }, `${unauthorized}: its approval is revoked`],
    [
      'an expired agent',
      { signer: agent, record: { expiry: timeMs - 1 } },
      `${unauthorized}: its approval ended at ${timeMs - 1} ms`,
    ],
    [
      'an agent that moves money',
      { signer: agent, record: {}, payload: { type: 'withdraw', amount: 1n, to: agent } },
      `${unauthorized}: its approval does not allow that`,
    ],
    ['the owner of a sub-account', { signer: carol, parent: carol }, null],
    ['an agent of the owner, for sub-accounts too', { signer: agent, parent: carol, record: { permissions: 8 } }, null],
    [
      'an agent of the owner, for the owner alone',
      { signer: agent, parent: carol, record: { permissions: 7 } },
      `${unauthorized}: its approval does not allow that`,
    ],
    [
      'a stranger for a sub-account',
      { signer: agent, parent: carol },
      `${unauthorized}: that is a sub-account, and it is neither the owner ${carol} nor an agent of it`,
    ],
    ['an unsigned call', { signatureKind: 'gateway', signer: agent }, null],
    [
      'an unsigned call for an account that signs',
      { signatureKind: 'gateway', signer: agent, locked: true },
      `ENGINE_ACCOUNT_LOCKED: owner ${owner} is not unlocked on this node`,
    ],
  ])('%s', (_, scene, expected) => {
    expect(refusalOf(scene)).toBe(expected);
  });
});

describe('checkOwner', () => {
  interface Holdings {
    readonly balance?: bigint;
    readonly isKnown?: boolean;
    readonly isAgent?: boolean;
    readonly isValidator?: boolean;
    readonly hasFaucet?: boolean;
  }
  const of = (scene: Scene, { balance = 0n, isKnown, isAgent, isValidator, hasFaucet = false }: Holdings) => {
    const action = actionOf(scene);
    const { parent = owner } = scene;
    const { signer } = action;
    const approval = { account: owner, agent: signer, expiry: 0, permissions: 7, name: '', revoked: false };
    return codeOf(() =>
      checkOwner(action, {
        signers: {
          isKnown: (account) => account === signer && isKnown === true,
          agent: (account, by) => (isAgent === true && account === parent && by === signer ? approval : null),
          authority: () => parent,
        },
        accounts: { account: (account) => ({ nonce: 0, balance: account === signer ? balance : 10n }) },
        isValidator: (account) => account === signer && isValidator === true,
        hasFaucet,
      }),
    );
  };
  const refused = (signer = owner): string =>
    `ENGINE_SIGNER_OWNS_NOTHING: signer ${signer} has nothing on this chain yet: deposit first`;
  const deposit: ActionPayload = { type: 'deposit', amount: 1n };

  it.each<[string, Scene, Holdings, string | null]>([
    ['a fresh key', {}, {}, refused()],
    [
      'a fresh key that cancels what it does not have',
      { payload: { type: 'cancelAll', marketId: null } },
      {},
      refused(),
    ],
    ['a fresh key for an account that did not approve it', { signer: agent }, {}, refused(agent)],
    ['whoever has a wei', {}, { balance: 1n }, null],
    ['whoever is in the order book', {}, { isKnown: true }, null],
    ['an agent', { signer: agent }, { isAgent: true }, null],
    ['an agent of the owner of a sub-account', { signer: agent, parent: carol }, { isAgent: true }, null],
    ['a validator whose wei are all at stake', { payload: { type: 'validatorUnjail' } }, { isValidator: true }, null],
    ['a deposit that nobody could pay', { payload: deposit }, {}, refused()],
    ['a deposit that the faucet may pay', { payload: deposit }, { hasFaucet: true }, null],
    ['anything else where there is a faucet', {}, { hasFaucet: true }, refused()],
    ['an unsigned call', { signatureKind: 'gateway', signer: agent }, {}, null],
  ])('%s', (_, scene, holdings, expected) => {
    expect(of(scene, holdings)).toBe(expected);
  });
});

describe('a price report', () => {
  const payload = { type: 'oracleReport', observedAtMs: timeMs as TimestampMs, prices: [] } as const;
  const plain = actionOf({});
  const report = { ...plain, facts: factsOf(payload), transaction: { ...plain.transaction, payload } };
  const state: SignerReader = {
    signerNonces: () => [],
    agent: () => null,
    isLocked: () => false,
    isKnown: () => false,
    authority: (of) => of,
  };
  const refused = (mayReport: boolean, isTimely: boolean): string | null =>
    codeOf(() =>
      checkAuthority(report, { signers: state, mayReport: () => mayReport, isTimely: () => isTimely }, timeMs),
    );

  it('is taken of who reports, of prices of now', () => {
    expect(refused(true, true)).toBeNull();
    expect(refused(false, true)).toMatch(/^ENGINE_SIGNER_UNAUTHORIZED/);
    expect(refused(true, false)).toMatch(/^ENGINE_REPORT_TIME: a report of prices that were seen at \d+ ms is too old/);
  });
});
