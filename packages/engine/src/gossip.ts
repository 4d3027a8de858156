import type { PeerMessage } from './ports.ts';

/**
 * Gathers raw transactions or actions and sends them in messages that fit a frame. Flushed by its owner after each batch.
 */
export interface GossipBatch {
  add(raw: Uint8Array): void;
  flush(): void;
}

/** Payload of one gossip message; below the network's frame limit of 128 KiB with room for the encoding. */
const messageBytesMax = 120_000;

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
