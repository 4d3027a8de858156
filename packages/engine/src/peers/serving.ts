import type { ExecutableBlock, Header } from '@prime/codec';
import type { Mempool } from '@prime/mempool';
import type { Address, Height } from '@prime/primitives';
import { bodyBytes, evidenceBytes } from '../block/blockRules.ts';
import type { HeightHost } from '../height/heightHost.ts';
import { PeerAllowance } from './peerAllowance.ts';
import type { BlockStore, Clock, HeaderRange, PeerMessage, PeerNetwork, SnapshotShelf, StoredBlock } from '../ports.ts';
import { headersPerRequest } from '../sync/headerProof.ts';
import { blocksPerRequest } from '../sync/scheduler.ts';

/** Bytes of blocks in one answer; below the network's frame limit of 2 MiB with room for the lengths of many small transactions. */
const answerBytesMax = 1_900_000;
/** Header and the lists of a block, and what stands before each of its items and signatures, at most. */
const blockOverheadBytes = 1_024;
const itemOverheadBytes = 4;
const signatureBytes = 92;

/** Never less than its encoding takes: an answer that no frame holds would never arrive, however often it is asked for. */
function answerBytes({ block, certificate }: StoredBlock): number {
  const signatures = certificate.signatures.length + (block.lastCommit?.signatures.length ?? 0);
  const items = block.transactions.length + block.actions.length + block.evidence.length;
  const content = bodyBytes(block) + evidenceBytes(block.evidence);
  return content + items * itemOverheadBytes + signatures * signatureBytes + blockOverheadBytes;
}

/** Answers a request for decided blocks: as many as fit into one message, at least one if there is one. */
function serveBlocks(
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
    bytes += answerBytes(stored);
    if (found.length > 0 && bytes > answerBytesMax) break;
    found.push(stored);
  }
  network.send(to, { kind: 'blocks', requestId: request.requestId, blocks: found });
}

/** What a peer may ask of what this node keeps; each request costs a read of the disk. */
export type KeptRequest = PeerMessage & {
  readonly kind: 'blocksRequest' | 'headersRequest' | 'snapshotsRequest' | 'chunkRequest';
};

/** Requests for what is kept that a peer may make in a second: reading and encoding it is this thread's time. */
const keptAnswersPerSecond = 40;

/** Answers what peers ask for. */
export class Serving {
  readonly #sources: ServingSources;
  readonly #allowance = new PeerAllowance(keptAnswersPerSecond);

  constructor(sources: ServingSources) {
    this.#sources = sources;
  }

  /** @param host the height in progress */
  onBodiesRequest(from: Address, request: PeerMessage & { readonly kind: 'bodiesRequest' }, host: HeightHost | null) {
    if (request.hashes.length === 0) return host?.sendProposal(from, request.blockHash);
    return serveBodies(this.#sources, host?.candidate(request.blockHash) ?? null, from, request);
  }

  onKeptRequest(from: Address, request: KeptRequest): void {
    const { ports } = this.#sources;
    if (this.#allowance.take(from, ports.clock.monotonicMs())) serveKept(ports, from, request);
  }

  onPeerGone(peer: Address): void {
    this.#allowance.forget(peer);
  }
}

interface ServingSources {
  readonly mempool: Mempool;
  readonly ports: KeptSources & { readonly clock: Pick<Clock, 'monotonicMs'> };
}

interface KeptSources {
  readonly blocks: BlockStore;
  readonly network: PeerNetwork;
  readonly snapshots?: SnapshotShelf;
}

/** Snapshots that are offered at most; their manifests fit a frame. */
const offersMax = 16;
const manifestsBytesMax = 2_000_000;

/** Answers one request for blocks, headers or snapshots from what is on this disk; the caller limits how often. */
export function serveKept(sources: KeptSources, to: Address, request: KeptRequest): void {
  const { network, snapshots } = sources;
  const { requestId } = request;
  switch (request.kind) {
    case 'blocksRequest':
      return serveBlocks(sources, to, request);
    case 'headersRequest':
      network.send(to, { kind: 'headers', requestId, ...headersOf(sources.blocks, request) });
      return;
    case 'snapshotsRequest': {
      let bytes = 0;
      const manifests = (snapshots?.list() ?? [])
        .slice(0, offersMax)
        .map(({ encoded }) => encoded)
        .filter((manifest) => (bytes += manifest.length) <= manifestsBytesMax);
      network.send(to, { kind: 'snapshots', requestId, manifests });
      return;
    }
    case 'chunkRequest': {
      const isKept = snapshots?.find(request.height)?.id === request.snapshot;
      const bytes = isKept ? snapshots?.chunk(request.height, request.index) : null;
      network.send(to, { kind: 'chunk', requestId, bytes: bytes ?? new Uint8Array(0) });
    }
  }
}

/** All headers of the range or none: a part of one proves nothing to who goes backward. */
function headersOf(
  blocks: BlockStore,
  { from, count }: { readonly from: Height; readonly count: number },
): HeaderRange {
  const none: HeaderRange = { headers: [], certificate: null, validators: null };
  if (count < 1 || count > headersPerRequest || from < blocks.base() || from + count - 1 > blocks.head()) return none;
  const headers: Header[] = [];
  let last: StoredBlock | null = null;
  for (let height: number = from; height < from + count; height++) {
    last = blocks.get(height as Height);
    if (last === null) return none;
    headers.push(last.block.header);
  }
  return { headers, certificate: last?.certificate ?? null, validators: blocks.validators(from) };
}

/** Answers a request for bodies of a proposal, from the proposal if it is known, else from the mempool. */
function serveBodies(
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
