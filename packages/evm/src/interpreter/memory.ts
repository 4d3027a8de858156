import { assert } from '@prime/primitives';

/** Most frames need less. */
const firstBytes = 256;
/** Bytes of memory that are kept from frame to frame; what a frame had beyond is given back. */
const keptBytes = 64 * 1024;

/** Memory of a frame: begins small, grows twofold, and is used again and again. To the library's instructions it looks like theirs. */
export class Memory {
  _store: Uint8Array = new Uint8Array(firstBytes);

  /** Makes the store reach up to `offset + size` at least. */
  extend(offset: number, size: number): void {
    const length = offset + size;
    if (size === 0 || length <= this._store.length) return;
    // Twice as much at least, so that growing word by word stays cheap.
    const grown = new Uint8Array(Math.max(length, 2 * this._store.length));
    grown.set(this._store);
    this._store = grown;
  }

  /** @param avoidCopy whether a view will do, which shows what is written later */
  read(offset: number, size: number, avoidCopy = false): Uint8Array {
    this.extend(offset, size);
    return avoidCopy ? this._store.subarray(offset, offset + size) : this._store.slice(offset, offset + size);
  }

  write(offset: number, size: number, value: Uint8Array): void {
    if (size === 0) return;
    assert(value.length === size, `${size} bytes are written to memory, got ${value.length}`);
    this.extend(offset, size);
    this._store.set(value, offset);
  }

  /** @param used bytes that the frame had */
  clear(used: number): void {
    if (this._store.length > keptBytes) this._store = new Uint8Array(firstBytes);
    else this._store.fill(0, 0, used);
  }
}

/** Memories and stacks of frames that ended. */
export class FramePool {
  readonly #memories: Memory[] = [];
  readonly #stacks: bigint[][] = [];

  takeMemory(): Memory {
    return this.#memories.pop() ?? new Memory();
  }

  takeStack(): bigint[] {
    return this.#stacks.pop() ?? [];
  }

  /** @param used bytes of the memory */
  giveBack(memory: Memory, used: number, stack: bigint[]): void {
    // A call that goes a thousand frames deep need not be remembered.
    if (this.#memories.length >= 32) return;
    memory.clear(used);
    this.#memories.push(memory);
    this.#stacks.push(stack);
  }
}
