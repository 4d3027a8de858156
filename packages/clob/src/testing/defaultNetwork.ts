import { decodeRlp, encodeResultFrames, encodeRlp, frameAt, frameCount } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { concatBytes, createPrng, type Hash, utf8ToBytes } from '@prime/primitives';
import { createHarness, startMs } from './harness.ts';
import { randomBlock } from './streams.ts';

/** What 400 blocks of a network with nothing on come to, as testdata/defaultNetwork.json has it. */
export interface DefaultNetwork {
  /** Over the results, events and written records of all blocks. */
  readonly outcomes: Hash;
  /** Over the orders roots of all blocks, as text. */
  readonly roots: Hash;
}

/** The items as one list: what the recorded hash is over. */
const listOf = (frames: Uint8Array): Uint8Array =>
  encodeRlp(Array.from({ length: frameCount(frames) }, (_, index) => decodeRlp(frameAt(frames, index))));

/** Runs the blocks: always the same ones. */
export function runDefaultNetwork(): DefaultNetwork {
  const harness = createHarness({ params: { maxOpenOrders: 6, autoLiquidatePerBlock: 1, autoDequeue: true } });
  const random = createPrng(77);
  const seen: Uint8Array[] = [];
  const roots: Uint8Array[] = [];
  for (let block = 1; block <= 400; block++) {
    const timeMs = startMs + block * 60_000;
    const center = 60 + ((block * 7) % 90);
    const options = { nowSeconds: Math.floor(timeMs / 1000), risky: true, center };
    const { results, events, writes, ordersRoot } = harness.block(randomBlock(random, 8, options), timeMs);
    seen.push(listOf(encodeResultFrames(results)), listOf(events));
    roots.push(utf8ToBytes(ordersRoot));
    for (const { key, value } of writes) seen.push(key, value ?? Uint8Array.of(0));
  }
  return { outcomes: keccakHex(concatBytes(...seen)), roots: keccakHex(concatBytes(...roots)) };
}
