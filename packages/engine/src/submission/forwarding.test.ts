import { describe, expect, it } from '@jest/globals';
import type { Address, Hash } from '@prime/primitives';
import { EngineError } from '../errors.ts';
import { type ActionForwarding, type ActionForwardingOptions, createActionForwarding } from './forwarding.ts';
import type { PeerMessage } from '../ports.ts';

const follower = `0x${'f0'.repeat(20)}` as Address;
const validators = ['a1', 'a2'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address];
const account = `0x${'b2'.repeat(20)}` as Address;
const hash = `0x${'77'.repeat(32)}` as Hash;
const deposit = { type: 'deposit', amount: 5n } as const;

/** A follower, and what it sent; timers are run by hand. */
function open(changes: Partial<ActionForwardingOptions> = {}) {
  const sent: { readonly to: Address; readonly message: PeerMessage }[] = [];
  const timers = new Set<() => void>();
  const forwarding = createActionForwarding({
    chainId: 7919,
    clock: {
      nowMs: () => 1000,
      monotonicMs: () => 1000,
      after: (_, callback) => {
        timers.add(callback);
        return () => timers.delete(callback);
      },
    },
    validators: () => validators,
    serves: () => true,
    send: (to, message) => {
      sent.push({ to, message });
      return true;
    },
    vouch: async () => hash,
    ...changes,
  });
  return { forwarding, sent, timers };
}

/** Answers the request that was sent first. @param from whom it was sent to, or somebody else */
function answerFirst(
  { forwarding, sent }: ReturnType<typeof open>,
  result: (PeerMessage & { readonly kind: 'actionAnswer' })['result'],
  from = sent[0]!.to,
): void {
  const { requestId } = sent[0]!.message as PeerMessage & { readonly kind: 'actionRequest' };
  forwarding.onAnswer(from, { kind: 'actionAnswer', requestId, result });
}

/** The request that a follower makes of a call. */
async function requestOf(): Promise<PeerMessage & { readonly kind: 'actionRequest' }> {
  const { forwarding, sent } = open();
  forwarding.submit(account, deposit).catch(() => undefined);
  return sent[0]!.message as PeerMessage & { readonly kind: 'actionRequest' };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A validator that answers a request. */
async function answerOf(
  changes: Partial<ActionForwardingOptions>,
  request?: PeerMessage,
): Promise<PeerMessage | undefined> {
  const { forwarding, sent } = open(changes);
  forwarding.onRequest(follower, (request ?? (await requestOf())) as never);
  await settled();
  return sent[0]?.message;
}

describe('a follower', () => {
  it('hands a call to one validator, and its answer is the hash', async () => {
    const node = open();
    const submitted = node.forwarding.submit(account, deposit);
    expect(node.sent).toHaveLength(1);
    answerFirst(node, { hash });
    expect(await submitted).toBe(hash);
    expect(node.timers.size).toBe(0);
  });

  it('calls go to the validators in turns; one that is not reached is passed over', async () => {
    const { forwarding, sent } = open();
    for (let count = 0; count < 4; count++) forwarding.submit(account, deposit).catch(() => undefined);
    expect(sent.map(({ to }) => to)).toEqual([validators[0], validators[1], validators[0], validators[1]]);
    const tried: { readonly to: Address; readonly message: PeerMessage }[] = [];
    const half = open({ send: (to, message) => tried.push({ to, message }) > 0 && to === validators[1] });
    const submitted = half.forwarding.submit(account, deposit);
    expect(tried.map(({ to }) => to)).toEqual(validators);
    answerFirst({ ...half, sent: tried }, { hash }, validators[1]);
    expect(await submitted).toBe(hash);
  });

  it('no validator is connected: ENGINE_NOT_FORWARDED', async () => {
    const { forwarding } = open({ validators: () => [] });
    await expect(forwarding.submit(account, deposit)).rejects.toMatchObject({ code: 'ENGINE_NOT_FORWARDED' });
  });

  it.each([
    ['no answer in time', ({ timers }: ReturnType<typeof open>) => timers.forEach((run) => run())],
    [
      'the connection ends',
      ({ forwarding }: ReturnType<typeof open>) => validators.forEach((peer) => forwarding.onPeerGone(peer)),
    ],
  ])('%s: the outcome is unknown, and no second validator is asked', async (_name, happen) => {
    const node = open();
    const submitted = node.forwarding.submit(account, deposit);
    happen(node);
    await expect(submitted).rejects.toMatchObject({
      code: 'ENGINE_NOT_FORWARDED',
      message: expect.stringContaining('the outcome is unknown'),
    });
    expect(node.sent).toHaveLength(1);
  });

  it("the validator's refusal keeps its code and words; codes that are none of a refusal do not", async () => {
    const refuse = async (code: string): Promise<unknown> => {
      const node = open();
      const submitted = node.forwarding.submit(account, deposit);
      answerFirst(node, { code, message: 'words' });
      return submitted.catch((error: unknown) => error);
    };
    expect(await refuse('ENGINE_ACCOUNT_LOCKED')).toMatchObject({ code: 'ENGINE_ACCOUNT_LOCKED', message: 'words' });
    expect(await refuse('INVARIANT_BROKEN')).toMatchObject({ code: 'ENGINE_NOT_FORWARDED' });
  });

  it('an answer of another peer is nothing', async () => {
    const node = open();
    const submitted = node.forwarding.submit(account, deposit);
    const other = validators.find((peer) => peer !== node.sent[0]!.to)!;
    answerFirst(node, { hash: account as unknown as Hash }, other);
    answerFirst(node, { hash });
    expect(await submitted).toBe(hash);
  });

  it('an answer to a call of the process before is nothing', async () => {
    const before = open();
    before.forwarding.submit(account, deposit).catch(() => undefined);
    const { to, message } = before.sent[0]!;
    const now = 1001;
    const node = open({ clock: { nowMs: () => now, monotonicMs: () => now, after: () => () => undefined } });
    const submitted = node.forwarding.submit(account, deposit);
    const { requestId } = message as PeerMessage & { readonly kind: 'actionRequest' };
    node.forwarding.onAnswer(to, { kind: 'actionAnswer', requestId, result: { hash: account as unknown as Hash } });
    answerFirst(node, { hash });
    expect(await submitted).toBe(hash);
  });

  it('more calls wait than there is room for: ENGINE_BUSY', () => {
    const { forwarding } = open();
    const submit = (): void => {
      forwarding.submit(account, deposit).catch(() => undefined);
    };
    for (let count = 0; count < 1024; count++) submit();
    expect(submit).toThrow(expect.objectContaining({ code: 'ENGINE_BUSY' }));
  });
});

describe('a validator', () => {
  it('vouches for the call as it was made', async () => {
    const calls: unknown[] = [];
    const vouch: ActionForwardingOptions['vouch'] = async (...call) => {
      calls.push(call);
      return hash;
    };
    const request = await requestOf();
    const { requestId } = request;
    expect(await answerOf({ vouch }, request)).toEqual({ kind: 'actionAnswer', requestId, result: { hash } });
    expect(calls).toEqual([[account, deposit]]);
  });

  it('says what it refused', async () => {
    const vouch = async (): Promise<Hash> => {
      throw new EngineError('locked', { code: 'ENGINE_ACCOUNT_LOCKED', account });
    };
    expect(await answerOf({ vouch })).toMatchObject({ result: { code: 'ENGINE_ACCOUNT_LOCKED', message: 'locked' } });
  });

  it('bytes that are no call, or a call of another chain: refused', async () => {
    const garbage = { kind: 'actionRequest', requestId: 3, unsigned: Uint8Array.of(1, 2) } as const;
    expect(await answerOf({}, garbage)).toMatchObject({ result: { code: 'CODEC_RLP_MALFORMED' } });
    expect(await answerOf({ chainId: 1 })).toMatchObject({ result: { code: 'ENGINE_INVALID_TRANSACTION' } });
  });

  it('a peer that it does not serve gets nothing, nor one that asks too often', async () => {
    expect(await answerOf({ serves: () => false })).toBeUndefined();
    const { forwarding, sent } = open();
    const request = await requestOf();
    const flood = (from: ActionForwarding): void => {
      for (let count = 0; count < 600; count++) from.onRequest(follower, request);
    };
    flood(forwarding);
    await settled();
    expect(sent).toHaveLength(500);
  });
});
