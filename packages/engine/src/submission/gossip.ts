import type { Hash } from '@prime/primitives';
import type { PeerMessage } from '../ports.ts';

/**
 * Gathers raw transactions or actions and sends them in messages that fit a frame. Flushed by its owner after each batch.
 */
export interface GossipBatch {
  add(raw: Uint8Array): void;
  flush(): void;
}

/** Payload of one gossip message; below the network's frame limit of 128 KiB with room for the encoding. */
const messageBytesMax = 120_000;

/** Collects whole items, and sends when the next one would make the message too large; the rest goes with `flush`. */
export function createGossipBatch(kind: 'transactions' | 'actions', send: (message: PeerMessage) => void): GossipBatch {
  let raws: Uint8Array[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (raws.length === 0) return;
    const message: PeerMessage = { kind, raws };
    raws = [];
    bytes = 0;
    send(message);
  };
  return {
    add(raw) {
      if (bytes + raw.length > messageBytesMax) flush();
      raws.push(raw);
      bytes += raw.length + 4;
    },
    flush,
  };
}

/** Hashes of one message, of both kinds together; they fit the frame. */
export const hashesPerMessage = 2_000;

/** Gathers hashes: of what waits here, for peers to ask for what they lack, or of what is asked for. */
export interface HashGossip {
  add(kind: 'transactions' | 'actions', hash: Hash): void;
  flush(): void;
}

/** Collects hashes of both kinds of items, and sends when a message is full; the rest goes with `flush`. */
export function createHashGossip(
  kind: 'pooledHashes' | 'pooledRequest',
  send: (message: PeerMessage) => void,
): HashGossip {
  let hashes = { transactions: [] as Hash[], actions: [] as Hash[] };
  let count = 0;
  const flush = (): void => {
    if (count === 0) return;
    const message: PeerMessage = { kind, ...hashes };
    hashes = { transactions: [], actions: [] };
    count = 0;
    send(message);
  };
  return {
    add(of, hash) {
      if (count >= hashesPerMessage) flush();
      hashes[of].push(hash);
      count += 1;
    },
    flush,
  };
}
