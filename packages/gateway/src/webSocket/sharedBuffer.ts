/**
 * Bytes that all connections together hold for readers who do not read and for requests that wait. Bounds per connection alone would
 * let a thousand stalled connections fill the memory.
 */
export class SharedBuffer {
  readonly bytesMax: number;
  bytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get isFull(): boolean {
    return this.bytes > this.bytesMax;
  }

  /** The part of one connection, which begins with nothing. */
  share(): BufferShare {
    let own = 0;
    return {
      get bytes() {
        return own;
      },
      set: (bytes) => {
        this.bytes += bytes - own;
        own = bytes;
      },
    };
  }
}

/** The part of the common bound that one connection takes, bytes. */
export interface BufferShare {
  readonly bytes: number;
  /** What the connection holds now. */
  set(bytes: number): void;
}
