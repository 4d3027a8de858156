import { decodeActionResult, type ActionResult as CodecResult } from '@prime/codec';
import { hexToBytes } from 'viem';
import { AnswerUnreadableError } from '../errors/own.ts';
import { type RefusalError } from '../errors/refusalError.ts';
import { refusalOf } from '../errors/refusal.ts';
import type { ActionResult, ActionType } from '../types/action.ts';
import type { Hash, Hex } from '../types/primitives.ts';
import type { BatchItemResult, BatchResult } from '../types/results.ts';

type Refused = Extract<CodecResult, { readonly ok: false }>;

const refusalFrom = ({ error }: Refused, hash: Hash): RefusalError =>
  refusalOf({
    kind: String(error.data['kind'] ?? error.code.toLowerCase().replace(/^clob_/, '')),
    message: error.message,
    data: error.data,
    hash,
  });

// The values of the codec and of the SDK have the same fields; addresses differ in the name of their type only.
function batchResult(results: readonly CodecResult[], hash: Hash): BatchResult {
  return {
    type: 'batch',
    results: results.map((item) =>
      item.ok
        ? ({ ok: true, ...item.value } as unknown as BatchItemResult)
        : { ok: false, error: refusalFrom(item, hash) },
    ),
  };
}

/**
 * What an action answered, from the `output` of its receipt.
 *
 * @throws RefusalError where it was refused, AnswerUnreadableError where the bytes are no result
 */
export function decodeActionOutput<type extends ActionType>(output: Hex, hash: Hash): ActionResult<type> {
  let result: CodecResult;
  try {
    result = decodeActionResult(hexToBytes(output));
  } catch (cause) {
    throw new AnswerUnreadableError(`the output of action ${hash}`, cause as Error);
  }
  if (!result.ok) throw refusalFrom(result, hash);
  const { value } = result;
  return (value.type === 'batch' ? batchResult(value.results, hash) : value) as unknown as ActionResult<type>;
}
