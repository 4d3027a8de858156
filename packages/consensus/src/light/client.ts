import type { Height } from '@prime/primitives';
import { type LightBlock, type LightContext, type LightRefusal, type LightTrust, verifyLightBlock } from './verify.ts';

/** Blocks that one verification asks for; by halves, one for each change of most of the power, and some. */
const blocksMax = 10_000;

/** What the block that was taken led to. */
export type LightStep =
  /** Another block is needed: see {@link LightClient.next}. */
  | { readonly kind: 'more' }
  /** The block of the target was decided, with so much of its validators' power. */
  | { readonly kind: 'proven'; readonly block: LightBlock; readonly power: bigint; readonly total: bigint }
  /** Who sent the block lies, or the chain is another one. */
  | { readonly kind: 'refused'; readonly height: Height; readonly refusal: LightRefusal | TooManyBlocks };

interface TooManyBlocks {
  readonly code: 'tooManyBlocks';
  readonly limit: number;
}

/**
 * Gets from a trusted root to one later height with as few blocks as the changes of the validators allow, as a pure machine: heights to ask
 * for come out, blocks go in.
 *
 * It tries the target first. Where too little of the known power signed it, it asks for the block half way, down to the very next one, whose
 * validators a believed header names; from each believed block it tries the ones above again, which it keeps.
 */
export class LightClient {
  readonly #context: LightContext;
  #trusted: LightTrust;
  /** Seen and not believed yet, the lowest last. */
  readonly #above: LightBlock[] = [];
  readonly #believed: LightBlock[] = [];
  #next: Height;
  #asked = 0;

  /** @param target a height above the root */
  constructor(root: LightTrust, target: Height, context: LightContext) {
    this.#context = context;
    this.#trusted = root;
    this.#next = target;
  }

  /** The height whose block is needed. */
  get next(): Height {
    return this.#next;
  }

  /** The last of {@link path}, or the root. */
  get trusted(): LightTrust {
    return this.#trusted;
  }

  /** Believed blocks, ascending: who has the root can verify them again without asking anybody. */
  get path(): readonly LightBlock[] {
    return this.#believed;
  }

  /** Takes the block of {@link next}. */
  take(block: LightBlock): LightStep {
    const { height } = block.header;
    if (height !== this.#next) return { kind: 'refused', height: this.#next, refusal: { code: 'otherHeight', height } };
    this.#asked += 1;
    this.#above.push(block);
    for (;;) {
      const candidate = this.#above.at(-1)!;
      const verdict = verifyLightBlock(this.#trusted, candidate, this.#context);
      if (!verdict.ok) return this.#onRefusal(candidate, verdict.refusal);
      this.#trusted = verdict.trust;
      this.#believed.push(candidate);
      this.#above.pop();
      if (this.#above.length === 0)
        return { kind: 'proven', block: candidate, power: verdict.power, total: verdict.total };
    }
  }

  #onRefusal({ header }: LightBlock, refusal: LightRefusal): LightStep {
    if (refusal.code !== 'notTrusted') return { kind: 'refused', height: header.height, refusal };
    if (this.#asked >= blocksMax)
      return { kind: 'refused', height: header.height, refusal: { code: 'tooManyBlocks', limit: blocksMax } };
    // There is a height in between: the block after a believed one is never merely `notTrusted`.
    this.#next = Math.floor((this.#trusted.height + header.height) / 2) as Height;
    return { kind: 'more' };
  }
}
