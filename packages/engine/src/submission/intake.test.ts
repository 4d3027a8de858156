import { describe, expect, it } from '@jest/globals';
import { factsOf, type VerifiedAction, type VerifiedTransaction } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { createMempool } from '@prime/mempool';
import type { Address } from '@prime/primitives';
import { EngineError } from '../errors.ts';
import { createIntake, type Intake, type IntakeOptions } from './intake.ts';
import type { PeerMessage, RemoteSigner, Verifier } from '../ports.ts';
import { silentMetrics, silentStages } from '../testing/genesis.ts';
import { createVerifiedItems } from './verifiedItems.ts';

const sender = `0x${'a1'.repeat(20)}` as Address;
const account = `0x${'b2'.repeat(20)}` as Address;

/** The raw bytes of a test transaction are its nonce; 255 is not a transaction. */
const verified = (raw: Uint8Array): VerifiedTransaction => ({
  raw,
  hash: keccakHex(raw),
  type: 2,
  sender,
  nonce: raw[0]!,
  gasLimit: 21_000n,
  maxFeePerGas: 10n ** 10n,
  maxPriorityFeePerGas: 1n,
  value: 0n,
  to: null,
});

const checks: Verifier = {
  transactions: async (raws) => raws.map((raw) => (raw[0] === 255 ? { failure: 'rlp: too short' } : verified(raw))),
  actions: async () => [],
};

function open({ verifier = checks, ...changes }: Partial<IntakeOptions> & { readonly verifier?: Verifier } = {}): {
  readonly intake: Intake;
  readonly sent: PeerMessage[];
} {
  const sent: PeerMessage[] = [];
  const { mempool = createMempool({ blockGasLimit: 30_000_000n, baseFee: 1n }) } = changes;
  const intake = createIntake({
    stages: silentStages,
    chainId: 7919,
    mempool,
    accounts: { account: () => ({ nonce: 0, balance: 10n ** 18n }) },
    items: createVerifiedItems({ verifier, mempool, metrics: silentMetrics }),
    clock: { nowMs: () => 1000, monotonicMs: () => 1000, after: () => () => undefined },
    headTimeMs: () => 0,
    gatewaySigner: () => null,
    mayVouch: () => true,
    checkAuthority: () => undefined,
    checkOwner: () => undefined,
    broadcast: (message) => sent.push(message),
    onWork: () => undefined,
    onFatal: (error) => {
      throw error;
    },
    ...changes,
  });
  return { intake, sent };
}

describe('createIntake', () => {
  it('a transaction is admitted and told to the peers', async () => {
    const { intake, sent } = open();
    const raw = Uint8Array.of(0);
    expect(await intake.submitTransaction(raw)).toBe(verified(raw).hash);
    expect(sent).toEqual([{ kind: 'transactions', raws: [raw] }]);
  });

  it.each(['a client', 'a peer'])(
    'of %s, the round begins after it was told to the peers, once for all of a batch',
    async (from) => {
      const order: string[] = [];
      const { intake } = open({
        broadcast: () => {
          order.push('handed over');
          // As the network writes: what is handed over together leaves together.
          void Promise.resolve().then(() => order.push('written'));
        },
        onWork: () => void order.push('round'),
      });
      const raws = [Uint8Array.of(0), Uint8Array.of(1)];
      if (from === 'a peer') intake.onGossip({ kind: 'transactions', raws }, 'bodies');
      else await Promise.all(raws.map((raw) => intake.submitTransaction(raw)));
      await new Promise((resolve) => setTimeout(resolve));
      expect(order).toEqual(['handed over', 'written', 'round']);
    },
  );

  it('what is refused begins no round', async () => {
    let rounds = 0;
    const { intake } = open({ onWork: () => void (rounds += 1) });
    await expect(intake.submitTransaction(Uint8Array.of(255))).rejects.toThrow('rlp: too short');
    await new Promise((resolve) => setTimeout(resolve));
    expect(rounds).toBe(0);
  });

  it('bytes that are no transaction: ENGINE_INVALID_TRANSACTION in the words of the check, and no gossip', async () => {
    const { intake, sent } = open();
    await expect(intake.submitTransaction(Uint8Array.of(255))).rejects.toMatchObject({
      code: 'ENGINE_INVALID_TRANSACTION',
      message: 'rlp: too short',
    });
    expect(sent).toEqual([]);
  });

  it('an unsigned call while the remote signer is away: ENGINE_SIGNER_AWAY, which tells nobody where it is, and no gossip', async () => {
    const away = new Error('the remote signer 10.0.0.7:26670 is away: ECONNREFUSED');
    const key: RemoteSigner = {
      address: account,
      isReady: () => true,
      request: () => undefined,
      signAction: () => Promise.reject(away),
    };
    const { intake, sent } = open({ gatewaySigner: () => key });
    const failure = await intake.submitAction(account, { type: 'noop' }).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ code: 'ENGINE_SIGNER_AWAY', cause: away });
    expect((failure as Error).message).not.toMatch(/10\.0|ECONN/);
    expect(sent).toEqual([]);
  });

  it('one that must be executable now: taken at the next nonce, waiting ones counted, refused behind a gap', async () => {
    const { intake, sent } = open();
    await intake.submitReadyTransaction(Uint8Array.of(0));
    await intake.submitReadyTransaction(Uint8Array.of(1));
    await expect(intake.submitReadyTransaction(Uint8Array.of(3))).rejects.toMatchObject({
      code: 'ENGINE_NONCE_GAP',
      message: expect.stringMatching(/^nonce too high: next nonce 2, tx nonce 3/),
      detail: { nextNonce: 2, nonce: 3 },
    });
    expect(sent).toHaveLength(2);
    // Whoever does not mind waits.
    await intake.submitTransaction(Uint8Array.of(3));
    await intake.submitReadyTransaction(Uint8Array.of(2));
  });

  it('what the mempool refuses keeps the code of the mempool', async () => {
    const { intake } = open();
    await intake.submitTransaction(Uint8Array.of(1));
    await expect(intake.submitTransaction(Uint8Array.of(1))).rejects.toMatchObject({ code: 'MEMPOOL_ALREADY_KNOWN' });
  });

  it('what was verified and refused is not known: whoever reminds of it is asked, and it is admitted unchecked', async () => {
    let balance = 0n;
    let checked = 0;
    const counting: Verifier = {
      ...checks,
      transactions(raws) {
        checked += raws.length;
        return checks.transactions(raws);
      },
    };
    const mempool = createMempool({ blockGasLimit: 30_000_000n, baseFee: 1n });
    const accounts = { account: () => ({ nonce: 0, balance }) };
    const { intake } = open({ mempool, accounts, verifier: counting });
    const raw = Uint8Array.of(0);
    const { hash } = verified(raw);
    const { transactions } = intake.pooled;
    const told: PeerMessage & { readonly kind: 'transactions' } = { kind: 'transactions', raws: [raw] };
    intake.onGossip(told, 'nothing');
    expect(transactions.isKnown(hash)).toBe(true);
    await new Promise(setImmediate);
    expect(mempool.transaction(hash)).toBeNull();
    expect(transactions.isKnown(hash)).toBe(false);
    balance = 10n ** 18n;
    intake.onGossip(told, 'nothing');
    expect(mempool.transaction(hash)).not.toBeNull();
    expect(transactions.isKnown(hash)).toBe(true);
    expect(checked).toBe(1);
  });

  it('signature checks that do not keep up: ENGINE_BUSY beyond the bound, and nothing that was taken is lost', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { intake } = open({
      verifier: {
        transactions: async (raws) => {
          await held;
          return raws.map(() => ({ failure: 'checked' }));
        },
        actions: async () => [],
      },
    });
    // 8192 may wait, and what comes at once waits together.
    const submitted = Array.from({ length: 8192 + 7 }, () => intake.submitTransaction(Uint8Array.of(0)));
    const codes = submitted.map((answer) => answer.then(String, ({ code }: { code: string }) => code));
    expect(await Promise.all(codes.slice(-7))).toEqual(codes.slice(-7).map(() => 'ENGINE_BUSY'));
    release();
    const others = await Promise.all(codes.slice(0, -7));
    expect(new Set(others)).toEqual(new Set(['ENGINE_INVALID_TRANSACTION']));
  });

  /** The second byte of a test action is its nonce; of 2 it is one of a gateway. */
  const action = (raw: Uint8Array): VerifiedAction => ({
    raw,
    hash: keccakHex(raw),
    signer: account,
    facts: factsOf({ type: 'noop' }),
    transaction: {
      chainId: 7919,
      nonce: raw[1]!,
      expiresAt: 0,
      account,
      payload: { type: 'noop' },
      signatureKind: raw[1] === 2 ? 'gateway' : 'raw',
      signature: new Uint8Array(65),
    },
  });

  it('of a signer without anything: refused from clients and followers, not told on; taken from a validator, who has looked', async () => {
    const mempool = createMempool({ blockGasLimit: 30_000_000n, baseFee: 1n });
    const { intake, sent } = open({
      mempool,
      verifier: { transactions: async () => [], actions: async (raws) => raws.map(action) },
      checkOwner: ({ signer }) => {
        throw new EngineError('nothing', { code: 'ENGINE_SIGNER_OWNS_NOTHING', signer });
      },
    });
    const [first, second, third] = [1, 3, 4].map((nonce) => Uint8Array.of(0x50, nonce)) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    await expect(intake.submitTransaction(first)).rejects.toMatchObject({ code: 'ENGINE_SIGNER_OWNS_NOTHING' });
    intake.onGossip({ kind: 'actions', raws: [second] }, 'hashes');
    intake.onGossip({ kind: 'actions', raws: [third] }, 'nothing');
    // Behind them in the same lane: when this one is answered, they are.
    await expect(intake.submitTransaction(Uint8Array.of(0x50, 5))).rejects.toThrow('nothing');
    expect([first, second, third].map((raw) => mempool.action(action(raw).hash) !== null)).toEqual([
      false,
      false,
      true,
    ]);
    expect(sent).toEqual([]);
  });

  it('native transactions: admitted by their first byte and told to the peers; the kind of validators is refused', async () => {
    const { intake, sent } = open({
      verifier: { transactions: async () => [], actions: async (raws) => raws.map(action) },
    });
    const raw = Uint8Array.of(0x50, 1);
    expect(await intake.submitTransaction(raw)).toBe(action(raw).hash);
    expect(sent).toEqual([{ kind: 'actions', raws: [raw] }]);
    await expect(intake.submitTransaction(raw)).rejects.toMatchObject({ code: 'MEMPOOL_ALREADY_KNOWN' });
    await expect(intake.submitTransaction(Uint8Array.of(0x50, 2))).rejects.toMatchObject({
      code: 'ENGINE_INVALID_TRANSACTION',
      message: 'signature kind 2 is made by validators only',
    });
  });

  describe('what this node’s clients sent', () => {
    /** A node whose clock the test moves; the account’s nonce is what blocks made of it. */
    function patient(limits = {}) {
      let nowMs = 0;
      let nonce = 0;
      const mempool = createMempool({ blockGasLimit: 30_000_000n, baseFee: 1n, limits });
      const opened = open({
        mempool,
        accounts: { account: () => ({ nonce, balance: 10n ** 18n }) },
        clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => undefined },
      });
      return {
        ...opened,
        mempool,
        wait: (ms: number): void => {
          nowMs += ms;
          opened.intake.remind();
        },
        mined: (upTo: number): void => {
          nonce = upTo;
        },
      };
    }

    it('is told to the peers again while no block takes it, every ten seconds', async () => {
      const { intake, sent, wait } = patient();
      const raw = Uint8Array.of(0);
      await intake.submitTransaction(raw);
      wait(9_999);
      expect(sent).toHaveLength(1);
      for (const times of [2, 3]) {
        wait(10_000);
        expect(sent).toHaveLength(times);
        expect(sent.at(-1)).toEqual({ kind: 'pooledHashes', transactions: [verified(raw).hash], actions: [] });
      }
      intake.onCommit([verified(raw).hash], []);
      wait(60_000);
      expect(sent).toHaveLength(3);
    });

    it('comes back after the pool gave it up, as soon as there is room', async () => {
      const { intake, sent, wait, mempool } = patient({ transactionCountMax: 1, localCountMax: 0 });
      const raw = Uint8Array.of(0);
      await intake.submitTransaction(raw);
      const richer = { ...verified(Uint8Array.of(9)), sender: account, nonce: 0, maxFeePerGas: 10n ** 11n };
      mempool.addTransaction(richer, { nonce: 0, balance: 10n ** 18n });
      expect(mempool.transaction(verified(raw).hash)).toBeNull();
      wait(10_000);
      expect(mempool.transaction(verified(raw).hash)).toBeNull();
      mempool.onCommit({
        transactions: [richer.hash],
        gasUsed: [21_000],
        actions: [],
        accounts: [{ address: account, nonce: 1, balance: 10n ** 18n }],
        nextBaseFee: 1n,
        timestampMs: 1,
      });
      wait(10_000);
      expect(mempool.transaction(verified(raw).hash)).not.toBeNull();
      expect(sent.at(-1)).toEqual({ kind: 'pooledHashes', transactions: [verified(raw).hash], actions: [] });
    });

    it('is forgotten once its nonce is used, and after three hours', async () => {
      const { intake, sent, wait, mined, mempool } = patient();
      await intake.submitTransaction(Uint8Array.of(0));
      mempool.onCommit({
        transactions: [],
        gasUsed: [],
        actions: [],
        accounts: [{ address: sender, nonce: 1, balance: 10n ** 18n }],
        nextBaseFee: 1n,
        timestampMs: 1,
      });
      mined(1);
      wait(10_000);
      wait(10_000);
      expect(sent).toHaveLength(1);
      await intake.submitTransaction(Uint8Array.of(1));
      wait(3 * 3_600_000 + 1);
      wait(10_000);
      expect(sent).toHaveLength(2);
    });

    it('what peers sent is not told again', async () => {
      const { intake, sent, wait } = patient();
      intake.onGossip({ kind: 'transactions', raws: [Uint8Array.of(0)] }, 'nothing');
      await new Promise(setImmediate);
      wait(10_000);
      expect(sent).toEqual([]);
    });
  });

  it('an unsigned call on a node without a key: ENGINE_SIGNATURE_REQUIRED', async () => {
    const { intake } = open();
    await expect(intake.submitAction(account, { type: 'deposit', amount: 1n })).rejects.toMatchObject({
      code: 'ENGINE_SIGNATURE_REQUIRED',
    });
  });

  it('a clock behind the newest block: what is vouched for here counts from the time of the block', async () => {
    const signer = { address: account, sign: () => new Uint8Array(65).fill(1, 0, 64) };
    const pool = createMempool({ blockGasLimit: 30_000_000n, baseFee: 1n });
    let headTimeMs = 3_600_000;
    const { intake } = open({ gatewaySigner: () => signer, mempool: pool, headTimeMs: () => headTimeMs });
    const first = await intake.submitAction(sender, { type: 'noop' });
    expect(pool.action(first)?.transaction).toMatchObject({ nonce: 3_600_000_001, expiresAt: 3_630_000 });
    headTimeMs += 5_000;
    const second = await intake.submitAction(sender, { type: 'noop' });
    expect(pool.action(second)?.transaction).toMatchObject({ nonce: 3_600_000_002, expiresAt: 3_635_000 });
  });
});
