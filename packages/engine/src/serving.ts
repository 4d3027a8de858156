import type { ExecutableBlock } from '@prime/codec';
import type { Mempool } from '@prime/mempool';
import type { Address, Height } from '@prime/primitives';
import { bodyBytes } from './blockRules.ts';
import type { BlockStore, PeerMessage, PeerNetwork, StoredBlock } from './ports.ts';
import { blocksPerRequest } from './sync/scheduler.ts';

/** Bytes of blocks in one answer; below the network's frame limit of 2 MiB with room for headers and certificates. */
const answerBytesMax = 1_200_000;
const blockOverheadBytes = 4_096;

/** Answers a request for decided blocks: as many as fit into one message, at least one if there is one. */
export function serveBlocks(
  { blocks, network }: { readonly blocks: BlockStore; readonly network: PeerNetwork },
  to: Address,
  request: PeerMessage & { readonly kind: 'blocksRequest' },
): void {
  const found: StoredBlock[] = [];
  let bytes = 0;
  const count = Math.min(request.count, blocksPerRequest);
  for (let height: number = request.from; height < request.from + count; height++) {
    const stored = blocks.get(height as Height);
    if (stored === null) break;
    bytes += bodyBytes(stored.block) + blockOverheadBytes;
    if (found.length > 0 && bytes > answerBytesMax) break;
    found.push(stored);
  }
  network.send(to, { kind: 'blocks', requestId: request.requestId, blocks: found });
}

/** Answers a request for bodies of a proposal, from the proposal if it is known, else from the mempool. */
export function serveBodies(
  { mempool, ports }: { readonly mempool: Mempool; readonly ports: { readonly network: PeerNetwork } },
  candidate: ExecutableBlock | null,
  to: Address,
  request: PeerMessage & { readonly kind: 'bodiesRequest' },
): void {
  const wanted = new Set(request.hashes);
  const transactions: Uint8Array[] = [];
  const actions: Uint8Array[] = [];
  for (const { hash, raw } of candidate?.transactions ?? []) if (wanted.delete(hash)) transactions.push(raw);
  for (const { hash, raw } of candidate?.actions ?? []) if (wanted.delete(hash)) actions.push(raw);
  for (const hash of wanted) {
    const transaction = mempool.transaction(hash);
    const action = transaction === null ? mempool.action(hash) : null;
    if (transaction !== null) transactions.push(transaction.raw);
    if (action !== null) actions.push(action.raw);
  }
  if (transactions.length + actions.length === 0) return;
  ports.network.send(to, { kind: 'bodies', blockHash: request.blockHash, transactions, actions });
}
