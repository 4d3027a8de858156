import { type ActionPayload, decodeNativeTransaction, encodeNativeTransaction } from '@prime/codec';
import { type Address, errorFromObject, type Hash, toErrorObject } from '@prime/primitives';
import { EngineError } from '../errors.ts';
import { PeerAllowance } from '../peers/peerAllowance.ts';
import type { Clock, PeerMessage } from '../ports.ts';
import { firstRequestId } from '../peers/requestIds.ts';

/**
 * Unsigned calls on a node that is no validator: its word counts for nothing in a block, so it hands them to a validator, which vouches
 * for them as if they had come to its own RPC. Only where genesis has `actions: "open"`.
 *
 * A call is given to one validator and never to a second one: without an answer nobody knows whether the first one has signed it, and
 * two signatures would be two executions.
 */
export interface ActionForwarding {
  /**
   * @returns the hash once a validator admitted it
   * @throws EngineError `ENGINE_NOT_FORWARDED`; what the validator threw
   */
  submit(account: Address, payload: ActionPayload): Promise<Hash>;
  onRequest(from: Address, message: PeerMessage & { readonly kind: 'actionRequest' }): void;
  onAnswer(from: Address, message: PeerMessage & { readonly kind: 'actionAnswer' }): void;
  onPeerGone(peer: Address): void;
}

/** How unsigned calls of clients reach a validator that vouches for them, and which peers this node vouches for. */
export interface ActionForwardingOptions {
  readonly chainId: number;
  readonly clock: Clock;
  /** Connected peers that can vouch for a call now. */
  readonly validators: () => readonly Address[];
  /** Whether calls of a peer are vouched for: genesis allows it, this node is a validator, and the peer is not. */
  readonly serves: (peer: Address) => boolean;
  readonly send: (to: Address, message: PeerMessage) => boolean;
  /** Signs and admits. */
  readonly vouch: (account: Address, payload: ActionPayload) => Promise<Hash>;
}

/** How long a validator may take to admit a call, ms; what comes later is in a block or not. */
const answerTimeoutMs = 2_000;
/** Calls that wait for a validator's answer. */
const waitingMax = 1_024;
/** Calls of one follower that a validator vouches for in a second. */
const requestsPerSecond = 500;
/** Codes of refusals that are passed on; anything else of a peer's error is only words. */
const passedOn = /^(?:ENGINE|MEMPOOL|CODEC)_[A-Z_]{1,60}$/;

interface Waiting {
  readonly peer: Address;
  readonly resolve: (hash: Hash) => void;
  readonly reject: (error: unknown) => void;
  readonly cancel: () => void;
}

/**
 * Calls end with `ENGINE_NOT_FORWARDED` where no validator vouches, and `ENGINE_BUSY` where too many wait. A validator
 * that goes away leaves the outcome unknown.
 */
export function createActionForwarding(options: ActionForwardingOptions): ActionForwarding {
  const { clock, send } = options;
  const waiting = new Map<number, Waiting>();
  const allowance = new PeerAllowance(requestsPerSecond);
  let nextId = firstRequestId(clock.nowMs());
  const end = (requestId: number): Waiting | null => {
    const entry = waiting.get(requestId);
    waiting.delete(requestId);
    entry?.cancel();
    return entry ?? null;
  };
  const lost = (requestId: number, reason: string): void => {
    end(requestId)?.reject(notForwarded(`${reason}; the outcome is unknown`));
  };

  return {
    submit(account, payload) {
      const validators = options.validators();
      if (waiting.size >= waitingMax)
        throw new EngineError(`${waitingMax} calls wait for validators`, { code: 'ENGINE_BUSY', limit: waitingMax });
      const requestId = nextId++;
      const unsigned = encodeUnsigned(options.chainId, account, payload);
      return new Promise((resolve, reject) => {
        for (let turn = 0; turn < validators.length; turn++) {
          const peer = validators[(requestId + turn) % validators.length]!;
          if (!send(peer, { kind: 'actionRequest', requestId, unsigned })) continue;
          const words = `validator ${peer} did not answer within ${answerTimeoutMs} ms`;
          const cancel = clock.after(answerTimeoutMs, () => lost(requestId, words));
          waiting.set(requestId, { peer, resolve, reject, cancel });
          return;
        }
        reject(notForwarded('no validator is connected that could vouch for the call'));
      });
    },
    onRequest(from, { requestId, unsigned }) {
      if (!options.serves(from) || !allowance.take(from, clock.monotonicMs())) return;
      const answer = (result: (PeerMessage & { readonly kind: 'actionAnswer' })['result']): void => {
        send(from, { kind: 'actionAnswer', requestId, result });
      };
      vouchFor(unsigned, options).then(
        (hash) => answer({ hash }),
        (error: unknown) => {
          const { code, message } = toErrorObject(error);
          answer({ code, message: message.slice(0, wordsMax) });
        },
      );
    },
    onAnswer(from, { requestId, result }) {
      if (waiting.get(requestId)?.peer !== from) return;
      const entry = end(requestId)!;
      if ('hash' in result) entry.resolve(result.hash);
      else if (passedOn.test(result.code)) entry.reject(errorFromObject({ ...result, detail: { code: result.code } }));
      else entry.reject(notForwarded(`validator ${from} refused the call`));
    },
    onPeerGone(peer) {
      allowance.forget(peer);
      for (const [requestId, entry] of waiting)
        if (entry.peer === peer) lost(requestId, `the connection to validator ${peer} ended`);
    },
  };
}

/** Characters of a refusal's words that are passed on. */
const wordsMax = 400;

const notForwarded = (reason: string): EngineError => new EngineError(reason, { code: 'ENGINE_NOT_FORWARDED', reason });

/** The call in the form of a native transaction without a signature: there is one encoding of calls. */
const encodeUnsigned = (chainId: number, account: Address, payload: ActionPayload): Uint8Array =>
  encodeNativeTransaction({
    chainId,
    nonce: 0,
    expiresAt: 0,
    account,
    payload,
    signatureKind: 'gateway',
    signature: new Uint8Array(65),
  });

async function vouchFor(unsigned: Uint8Array, { chainId, vouch }: ActionForwardingOptions): Promise<Hash> {
  const call = decodeNativeTransaction(unsigned);
  if (call.chainId !== chainId || call.signatureKind !== 'gateway')
    throw new EngineError('not an unsigned call of this chain', {
      code: 'ENGINE_INVALID_TRANSACTION',
      reason: 'not an unsigned call of this chain',
    });
  return vouch(call.account, call.payload);
}
