import { decodeActionResult, encodeActionResult, isEncodedSuccess } from './actionResults.ts';
import { encodeFrames, frameAt, frameCount } from './blockLists.ts';
import { isRefusedFor, type RefusalCode } from './refusals.ts';
import type { ActionResult } from '../types.ts';

/**
 * The results of a block's actions in the one form in which threads hand them on and the database keeps them: each is encoded once, and decoded where somebody
 * asks for it. The bytes are those of encodeFrames, one frame an action, in their order.
 */

/** @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeResultFrames = (results: readonly ActionResult[]): Uint8Array =>
  encodeFrames(results.map(encodeActionResult));

/** Of a block without actions. */
export const noResults = encodeResultFrames([]);

/** All results. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeResultFrames = (frames: Uint8Array): ActionResult[] =>
  Array.from({ length: frameCount(frames) }, (_, index) => resultAt(frames, index));

/** The result of one action. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const resultAt = (frames: Uint8Array, index: number): ActionResult => decodeActionResult(frameAt(frames, index));

/** Whether an action was carried out; nothing else of its result is decoded. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const isSuccessAt = (frames: Uint8Array, index: number): boolean => isEncodedSuccess(frameAt(frames, index));

/** Whether an action was refused for that reason; results of success are not decoded. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const isRefusedAt = (frames: Uint8Array, index: number, code: RefusalCode): boolean =>
  !isSuccessAt(frames, index) && isRefusedFor(resultAt(frames, index), code);

/** The results with others in the place of some. @param others by the index of the action @throws CodecError `CODEC_FIELD_INVALID` */
export function replaceResults(frames: Uint8Array, others: ReadonlyMap<number, ActionResult>): Uint8Array {
  if (others.size === 0) return frames;
  const encoded = Array.from({ length: frameCount(frames) }, (_, index) => {
    const other = others.get(index);
    return other === undefined ? frameAt(frames, index) : encodeActionResult(other);
  });
  return encodeFrames(encoded);
}
