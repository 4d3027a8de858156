import type { Hash } from '@prime/primitives';
import { LoadError } from '../errors.ts';
import type { Operation, SetupStep } from '../scenario/operation.ts';
import { rpcAll, RpcError, limitExceeded } from '../rpc.ts';
import { errorKind } from './worker/operationLog.ts';

/** Operations that are sent in one request. */
const batch = 50;
const pollMs = 100;
/** Of a step: without any progress for so long it fails, ms. */
const patienceMs = 60_000;
const alreadyKnown = /already known/i;

/**
 * Sends the operations of each step and waits until all are in blocks and were carried out, before the next step begins.
 *
 * @param say told in words what is done
 * @throws LoadError `LOAD_SETUP_FAILED` with the first operation that was refused or failed, and how many
 */
export async function setUp(url: string, steps: readonly SetupStep[], say: (line: string) => void): Promise<void> {
  for (const { name, operations } of steps) {
    if (operations.length === 0) continue;
    say(`${name}: ${operations.length} operations`);
    const refusals = await sendAll(url, operations);
    const failed = refusals.length > 0 ? refusals : await untilDone(url, operations);
    if (failed.length === 0) continue;
    const reason = `${failed.length} of ${operations.length} failed, the first: ${failed[0]}`;
    throw new LoadError(`${name}: ${reason}`, { code: 'LOAD_SETUP_FAILED', step: name, reason });
  }
}

/** In their order, what the node is too busy for once more. @returns refusals in words */
async function sendAll(url: string, operations: readonly Operation[]): Promise<string[]> {
  const refusals: string[] = [];
  let left = operations;
  for (let end = performance.now() + patienceMs; left.length > 0; ) {
    const portion = left.slice(0, batch);
    const answers = await rpcAll(
      url,
      portion.map(({ method, params }) => ({ method, params: JSON.parse(params) as unknown[] })),
    );
    const again: Operation[] = [];
    answers.forEach((answer, index) => {
      if (!(answer instanceof RpcError) || alreadyKnown.test(answer.message)) return;
      if (answer.code === limitExceeded) again.push(portion[index]!);
      else refusals.push(`${portion[index]!.kind}: ${answer.message}`);
    });
    if (again.length < portion.length) end = performance.now() + patienceMs;
    else if (performance.now() > end) return [...refusals, `${again[0]!.kind}: the node takes nothing for a minute`];
    left = [...again, ...left.slice(batch)];
  }
  return refusals;
}

/** @returns failures in words */
async function untilDone(url: string, operations: readonly Operation[]): Promise<string[]> {
  const failures: string[] = [];
  let left = operations.filter(({ hash }) => hash !== null);
  for (let end = performance.now() + patienceMs; left.length > 0; ) {
    const receipts = await rpcAll(
      url,
      left.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash as Hash] })),
    );
    receipts.forEach((receipt, index) => {
      const { status, output } = (receipt ?? {}) as { status?: string; output?: string };
      if (status === '0x0') failures.push(`${left[index]!.kind} ${left[index]!.hash}: ${reasonIn(output ?? '0x')}`);
    });
    const waiting = left.filter((_, index) => receipts[index] === null || receipts[index] instanceof RpcError);
    if (waiting.length < left.length) end = performance.now() + patienceMs;
    else if (performance.now() > end)
      return [
        ...failures,
        `${waiting.length} are in no block after a minute, ${waiting[0]!.kind} ${waiting[0]!.hash} first`,
      ];
    left = waiting;
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return failures;
}

/** The readable part of an output: what contracts and the order book say when they refuse. */
function reasonIn(output: string): string {
  const text = Buffer.from(output.slice(2), 'hex')
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim();
  return errorKind(text === '' ? 'no reason given' : text);
}
