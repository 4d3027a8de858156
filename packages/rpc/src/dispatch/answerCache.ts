import type { Eventual } from './eventual.ts';

/** A result that is JSON text already. Handlers may return one in place of a value. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The result as text. */
export function toJson(result: unknown): string {
  if (typeof result === 'string') return quoted(result);
  return result instanceof JsonText ? result.text : JSON.stringify(result);
}

/** Longer texts are left to the library. */
const scannedLengthMax = 80;
const [space, quote, backslash, tilde] = [0x20, 0x22, 0x5c, 0x7e] as const;

/** A string as JSON. Most results are a few hex digits, and for those asking the library takes longer than all else. */
export function quoted(text: string): string {
  if (text.length > scannedLengthMax) return JSON.stringify(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < space || code > tilde || code === quote || code === backslash) return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** An answer of this share of all the memory is not kept: it would push too many others out. */
const largestShare = 8;

/** Keys that are remembered as asked for once, a power of two. */
const askedCount = 16_384;
/** Characters of a key that its hash looks at, at most. */
const hashedLength = 512;

/** FNV-1a over characters from all of the key; not 0, which stands for no key. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5 ^ key.length;
  const step = Math.max(1, Math.ceil(key.length / hashedLength));
  for (let place = key.length - 1; place >= 0; place -= step)
    hash = Math.imul(hash ^ key.charCodeAt(place), 0x01000193);
  return hash | 1;
}

/**
 * Answers that follow from their parameters and the head alone, until the next block. Bounded by characters; the oldest goes first. Who
 * asks for what is being worked on already waits for the same answer.
 *
 * What is answered at once is kept when it is asked for again: it was cheap to make, and where every key is new, to keep them all costs
 * the collector of memory more than the work does.
 */
export class AnswerCache {
  private readonly lengthMax: number;
  private readonly answers = new Map<string, Eventual<JsonText>>();
  private length = 0;
  private head: object | null = null;
  /** Hashes of keys whose work was done at once. */
  private readonly asked = new Int32Array(askedCount);

  /** @param lengthMax characters of keys and answers; 0 keeps none */
  constructor(lengthMax: number) {
    this.lengthMax = lengthMax;
  }

  /**
   * @param head  identity of the head block; another one than last time empties the cache
   * @param key   method and parameters
   * @param work  asked on a miss; what it throws is not kept
   */
  answer(head: object, key: string, work: () => Eventual<unknown>): Eventual<JsonText> {
    if (head !== this.head) this.clear(head);
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const result = work();
    if (!(result instanceof Promise)) {
      const answer = new JsonText(toJson(result));
      return this.wasAskedBefore(key) ? this.keep(head, key, answer) : answer;
    }
    const coming = result.then(
      (value) => this.keep(head, key, new JsonText(toJson(value))),
      (error: unknown) => {
        if (this.answers.get(key) === coming) this.answers.delete(key);
        throw error;
      },
    );
    if (this.head === head && this.lengthMax > 0) this.answers.set(key, coming);
    return coming;
  }

  /** Remembers that the key was asked for. Some other key may pass for it, which costs nothing but its place in memory. */
  private wasAskedBefore(key: string): boolean {
    const hash = hashOf(key);
    const place = hash & (this.asked.length - 1);
    const known = this.asked[place] === hash;
    this.asked[place] = hash;
    return known;
  }

  private clear(head: object): void {
    this.answers.clear();
    this.length = 0;
    this.head = head;
  }

  private keep(head: object, key: string, answer: JsonText): JsonText {
    // A block came while the work was going on: the answer is of the past.
    if (this.head !== head) return answer;
    const length = key.length + answer.text.length;
    this.answers.delete(key);
    if (length * largestShare > this.lengthMax) return answer;
    this.answers.set(key, answer);
    this.length += length;
    if (this.length > this.lengthMax) this.makeRoom();
    return answer;
  }

  private makeRoom(): void {
    for (const [key, answer] of this.answers) {
      if (this.length <= this.lengthMax) return;
      if (answer instanceof Promise) continue;
      this.answers.delete(key);
      this.length -= key.length + answer.text.length;
    }
  }
}
