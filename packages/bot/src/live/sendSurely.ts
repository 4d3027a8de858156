import {
  type Action,
  type ActionResult,
  getNativeBlock,
  type Inclusion,
  OutcomeUnknownError,
  type PrimeClient,
  PrimeSdkError,
  RefusalError,
  RpcAnswerError,
  sendAction,
  signAction,
  type SignedAction,
  UnauthorizedError,
  waitForAction,
} from '@prime/sdk';
import type { Outcome } from '../ports.ts';

/** Whom to send to and whom to ask. */
export interface Nodes {
  /** Signs, and sends to whichever node answers. */
  readonly wallet: PrimeClient;
  /** One client for each node: what one node says in a row belongs together. */
  readonly each: readonly PrimeClient[];
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Refusals that another attempt does not change. */
const fatalKinds: ReadonlySet<string> = new Set([
  'unauthorized',
  'agent_revoked',
  'unknown_market',
  'market_settling',
  'market_delisted',
]);
/** Behind the time of an action, until nobody is asked to take it any more, ms. */
const graceMs = 2_000;
const pollMs = 200;
/** An idle chain that makes no block has no time either; then it is given something to do, ms. */
const nudgeAfterMs = 3_000;

/**
 * Sends an action and answers when it is certain what became of it: from its receipt, or from a node whose blocks are later than the
 * action is good for and that has no receipt of it. The same signed bytes are sent all the time, so it is carried out at most once.
 */
export async function sendSurely(nodes: Nodes, action: Action, expiresAtMs: number): Promise<Outcome> {
  let signed: SignedAction;
  try {
    signed = await signAction(nodes.wallet, { action, expiresAtMs });
  } catch (thrown) {
    return refused(thrown, nameOf(thrown), true);
  }
  try {
    const timeoutMs = Math.max(1, expiresAtMs - nodes.now() + graceMs);
    return included(await sendAction(nodes.wallet, { signed, timeoutMs }));
  } catch (thrown) {
    return refusalOf(thrown) ?? (await whatBecame(nodes, signed.hash, expiresAtMs));
  }
}

const included = (result: ActionResult & Inclusion): Outcome => ({
  kind: 'included',
  blockNumber: result.blockNumber,
  refusals: result.type === 'batch' ? result.results.flatMap((item) => (item.ok ? [] : [item.error.kind])) : [],
});

/** Null where the action may be in a block all the same. */
function refusalOf(thrown: unknown): Outcome | null {
  if (thrown instanceof OutcomeUnknownError) return null;
  if (thrown instanceof RefusalError) {
    const mayBeIncluded = thrown.kind === 'nonce' || (thrown.kind === 'expired' && thrown.hash === null);
    return mayBeIncluded ? null : refused(thrown, thrown.kind, fatalKinds.has(thrown.kind));
  }
  if (thrown instanceof UnauthorizedError) return refused(thrown, 'unauthorized', true);
  // What no node took, and will not take. Everything else had no answer.
  return thrown instanceof RpcAnswerError ? refused(thrown, nameOf(thrown), false) : null;
}

const refused = (thrown: unknown, refusal: string, isFatal: boolean): Outcome => {
  const reason = thrown instanceof PrimeSdkError ? thrown.shortMessage : String(thrown);
  return { kind: 'refused', refusal, reason, isFatal };
};

const nameOf = (thrown: unknown): string =>
  thrown instanceof PrimeSdkError ? thrown.code.toLowerCase() : thrown instanceof Error ? thrown.name : 'unknown';

async function whatBecame(nodes: Nodes, hash: `0x${string}`, expiresAtMs: number): Promise<Outcome> {
  const { node, blockNumber } = await blockLaterThan(nodes, expiresAtMs);
  try {
    return included(await waitForAction(node, { hash, timeoutMs: 1, pollingIntervalMs: 1 }));
  } catch (thrown) {
    if (thrown instanceof RefusalError) return refusalOf(thrown) ?? { kind: 'expired', blockNumber };
    if (thrown instanceof OutcomeUnknownError) return { kind: 'expired', blockNumber };
    // The node has gone meanwhile: the next one has to have such a block, too.
    await nodes.sleep(pollMs);
    return whatBecame(nodes, hash, expiresAtMs);
  }
}

/** Waits for a node that has a block later than a time; asks all in turn. */
export async function blockLaterThan(
  nodes: Nodes,
  timeMs: number,
): Promise<{ readonly node: PrimeClient; readonly blockNumber: bigint }> {
  let newest = -1n;
  let movedMs = nodes.now();
  for (let at = 0; ; at++) {
    const node = nodes.each[at % nodes.each.length]!;
    const head = await getNativeBlock(node, { block: 'latest' }).catch(() => null);
    if (head !== null && head.timestampMs > timeMs) return { node, blockNumber: head.number };
    if (head !== null && head.number > newest) {
      newest = head.number;
      movedMs = nodes.now();
    }
    if (nodes.now() > timeMs && nodes.now() - movedMs > nudgeAfterMs) {
      movedMs = nodes.now();
      await nudge(nodes);
    }
    await nodes.sleep(pollMs);
  }
}

/** Whether it is taken or refused, it may bring a block, and nothing depends on it. */
const nudge = async ({ wallet }: Nodes): Promise<void> => {
  const signed = await signAction(wallet, { action: { type: 'noop' } }).catch(() => null);
  if (signed !== null) await sendAction(wallet, { signed, timeoutMs: 1 }).catch(() => undefined);
};
