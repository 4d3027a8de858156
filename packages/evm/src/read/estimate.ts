import type { CallMessage, CallOutcome } from '@prime/codec';
import { bigintMin, zeroAddress } from '@prime/primitives';
import { emptyAccount, hasCode } from '../state/account.ts';
import type { StateOverlay } from '../state/overlay.ts';
import type { Execution } from './execution.ts';
import type { Fees } from './message.ts';
import { failureWords, isOutOfGas, isRevert } from './words.ts';

const transferGas = 21_000n;
/** Gas that a callee gets for free with value; a first guess leaves room for it. */
const callStipend = 2_300n;
/** The search ends when the bounds are within 1.5 % of each other, as go-ethereum's does: the rest costs more runs than it saves gas. */
const [errorNumerator, errorDenominator] = [15n, 1000n];

/** A message whose least sufficient gas limit is looked for, and how one limit is tried. */
export interface Estimation {
  readonly message: CallMessage;
  readonly fees: Fees;
  /** Most gas: of a block, and of a call on this node. */
  readonly gasMax: { readonly block: bigint; readonly node: bigint };
  /** The state that the message finds. */
  readonly state: Pick<StateOverlay, 'account'>;
  /** Runs the message with a gas limit, on that state. */
  readonly run: (gasLimit: bigint) => Promise<Execution>;
}

/**
 * Least gas limit with which a message succeeds, within 1.5 %.
 *
 * Not simply what a run used: a call gives on at most 63/64 of its gas (EIP-150) and refunds come after the fact, so the limit is
 * found by bisection, with a good first guess.
 *
 * @returns success with the estimate as gasUsed, or why the message fails whatever its gas
 */
export async function estimateLimit(estimation: Estimation): Promise<CallOutcome> {
  const { run } = estimation;
  const bound = upperBound(estimation);
  if (typeof bound === 'string') return { status: 'failure', message: bound, gasUsed: 0n };
  if (isPlainTransfer(estimation) && bound >= transferGas) {
    const execution = await run(transferGas);
    if (succeeded(execution)) return estimated(transferGas);
  }
  const first = await run(bound);
  if (!succeeded(first)) return failed(first, bound);
  let high = bound;
  let low = first.gasUsed - 1n;
  const guess = ((first.gasUsed + first.refund + callStipend) * 64n) / 63n;
  if (guess < high) {
    if (succeeded(await run(guess))) high = guess;
    else low = guess;
  }
  while (low + 1n < high) {
    if ((high - low) * errorDenominator < high * errorNumerator) break;
    // Most messages need little more than they use: do not jump far above the lower bound.
    const middle = bigintMin((high + low) / 2n, low * 2n);
    if (succeeded(await run(middle))) high = middle;
    else low = middle;
  }
  return estimated(high);
}

const estimated = (gas: bigint): CallOutcome => ({ status: 'success', output: new Uint8Array(0), gasUsed: gas });

type Success = Extract<Execution, { kind: 'ran' }>;
const succeeded = (execution: Execution): execution is Success =>
  execution.kind === 'ran' && execution.result.exceptionError === undefined;

function failed(execution: Execution, bound: bigint): CallOutcome {
  if (execution.kind === 'refused') {
    const message = execution.moreGas ? allowanceExceeded(bound) : `failed with ${bound} gas: ${execution.message}`;
    return { status: 'failure', message, gasUsed: 0n };
  }
  const { result, gasUsed } = execution;
  if (isRevert(result)) return { status: 'revert', output: result.returnValue, gasUsed };
  const message = isOutOfGas(result) ? allowanceExceeded(bound) : failureWords(result);
  return { status: 'failure', message, gasUsed };
}

const allowanceExceeded = (bound: bigint): string => `gas required exceeds allowance (${bound})`;

/** What the caller allows, what a block holds, what the sender can pay, and the cap of this node; or a refusal. */
function upperBound({ message, fees, gasMax, state }: Estimation): bigint | string {
  let bound = message.gas !== null && message.gas >= transferGas ? message.gas : gasMax.block;
  if (fees.cap > 0n) {
    const { balance } = state.account(message.from ?? zeroAddress) ?? emptyAccount;
    if (message.value >= balance) return 'insufficient funds for transfer';
    bound = bigintMin(bound, (balance - message.value) / fees.cap);
  }
  return bigintMin(bound, gasMax.node);
}

function isPlainTransfer({ message, state }: Estimation): boolean {
  if (message.to === null || message.data.length > 0 || message.authorizationList.length > 0) return false;
  return !hasCode(state.account(message.to) ?? emptyAccount);
}
