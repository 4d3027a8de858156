import type {
  AgentRecord,
  Block,
  BlockCheck,
  BlockDelta,
  CommitCertificate,
  CommitOutcome,
  Evidence,
  ExecutableBlock,
  ExecutionStatus,
  Header,
  Proposal,
  SnapshotManifest,
  StoredBlock,
  Upgrade,
  ValidatorSet,
  VerifiedAction,
  VerifiedTransaction,
  Vote,
} from '@prime/codec';
import type { EvidenceVerdict, LockState } from '@prime/consensus';
import type { Address, Hash, Height, Round } from '@prime/primitives';

/**
 * What the engine needs from the world. Adapters implement these (storage, network, the bus to the execution thread); the
 * simulator implements them in memory on virtual time.
 */

/** Append-only log of the inputs and own messages of the height being decided. */
export interface Wal {
  /** Entries of the height in progress, in order, as they were found at start. */
  replay(): { readonly height: Height; readonly entries: readonly Uint8Array[] } | null;
  /** Starts the file of a height; the two before it are kept. */
  beginHeight(height: Height): void;
  /** Buffers one entry. */
  append(entry: Uint8Array): void;
  /** Makes all appended entries durable (one fdatasync). @throws StorageError `WAL_WRITE_FAILED`: stop voting, exit */
  sync(): void;
  close(): void;
}

/** The newest thing this validator signed and the lock it holds; survives anything but losing the disk. */
export interface SignStateRecord {
  readonly height: Height;
  readonly round: Round;
  /** 1 proposal, 2 prevote, 3 precommit: signing never goes back in (height, round, step). */
  readonly step: 1 | 2 | 3;
  readonly signBytes: Uint8Array;
  readonly signature: Uint8Array;
  readonly lockedRound: Round;
  readonly lockedValue: Hash | null;
  readonly validRound: Round;
  readonly validValue: Hash | null;
}

/** The record of the newest signature, which keeps a validator from signing two things at one place after a restart. */
export interface SignStateStore {
  /** @returns null when nothing was ever signed @throws StorageError `SIGN_STATE_CORRUPT` */
  read(): SignStateRecord | null;
  /** Durable when it returns; what is sealed stays so. */
  write(record: SignStateRecord): void;
  /**
   * Whether it came with a backup: the key may have signed later things, which nobody here knows of. Nothing is signed with it until the chain has passed by all that
   * the key can have signed.
   */
  isSealed(): boolean;
  /** Ends that. Durable when it returns. */
  unseal(): void;
  close(): void;
}

/** Decided blocks with their certificates, without gaps from the base, which is 1 unless older ones were deleted, to the head. */
export interface BlockStore {
  /** 0 when empty. */
  head(): Height;
  /** Oldest block that is kept; 1 when empty. */
  base(): Height;
  get(height: Height): StoredBlock | null;
  heightOf(hash: Hash): Height | null;
  /** Validator set (with proposer priorities) of a height up to head + 1; null for what is not stored (height 1: genesis). */
  validators(height: Height): ValidatorSet | null;
  /**
   * One durable batch when the promise resolves: the block, its certificate, and the validator set of the next height. Heights
   * come in order.
   */
  append(block: StoredBlock, nextValidators: ValidatorSet): Promise<void>;
  close(): Promise<void>;
}

/** Evidence that waits for a block; what is written is durable when the call returns. */
export interface EvidenceStore {
  /** Empty when nothing was ever written, or what was is damaged. */
  read(): readonly Evidence[];
  write(evidence: readonly Evidence[]): void;
}

/** What happens to a block that passes its check. */
export type AfterCheck = 'execute' | 'keep';

/** The execution thread. Calls are carried out in the order in which they were made. */
export interface Execution {
  /** Highest committed height and its results (height 0: genesis). */
  status(): Promise<ExecutionStatus>;
  /**
   * Checks what can be checked before executing, against the committed parent: base fee, gas limit, parent results, nonce
   * order and conservative funds of each sender. A block that passes is kept for {@link commit}.
   *
   * @param next `execute`: a block that passes begins to execute on top of its parent, without a lasting trace, once this has
   *   answered; nobody waits for it
   */
  check(block: ExecutableBlock, next: AfterCheck): Promise<BlockCheck>;
  /** Whether each piece of evidence could stand in the next block. */
  judgeEvidence(evidence: readonly Evidence[]): Promise<readonly EvidenceVerdict[]>;
  /**
   * Makes an executed (or checked) block part of the state and publishes its delta.
   *
   * @param behind decided blocks after this one that are missing here, at least 1 where it was decided a while ago: what is only worth its time at
   *   the head can wait
   */
  commit(hash: Hash, certificate: CommitCertificate, behind: number): Promise<CommitOutcome>;
}

/** Committed nonce and balance of an account; a direct read of the state, microseconds. */
export interface AccountReader {
  /** `delegated`: code may spend for it (EIP-7702). */
  account(address: Address): { readonly nonce: number; readonly balance: bigint; readonly delegated?: boolean };
}

/** What the order book keeps about signers, as of the newest committed block; direct reads of the state, microseconds. */
export interface SignerReader {
  /** The highest nonces that a signer used, ascending. */
  signerNonces(signer: Address): readonly number[];
  agent(account: Address, agent: Address): AgentRecord | null;
  /** Who signs for the account, or has agents that do: the owner of a sub-account, else the account itself. */
  authority(account: Address): Address;
  /** Whether only signed actions count for the account. */
  isLocked(account: Address): boolean;
  /** Whether the account has anything in the order book. */
  isKnown(account: Address): boolean;
}

/** Recovers senders and signers off the consensus thread; null where the bytes are invalid, with the reason. */
export interface Verifier {
  transactions(raws: readonly Uint8Array[]): Promise<readonly (VerifiedTransaction | VerificationFailure)[]>;
  actions(raws: readonly Uint8Array[]): Promise<readonly (VerifiedAction | VerificationFailure)[]>;
}

/** Why bytes are no valid transaction or action, in words for the client that sent them. */
export interface VerificationFailure {
  readonly failure: string;
}

/** Messages between validators; the network package encodes them and enforces sizes. */
export type PeerMessage =
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'voteCertificate'; readonly votes: readonly Vote[] }
  | ProposalMessage
  /** Bodies of a proposal by hash; no hashes ask for the proposal itself. */
  | { readonly kind: 'bodiesRequest'; readonly blockHash: Hash; readonly hashes: readonly Hash[] }
  | {
      readonly kind: 'bodies';
      readonly blockHash: Hash;
      readonly transactions: readonly Uint8Array[];
      readonly actions: readonly Uint8Array[];
    }
  | { readonly kind: 'evidence'; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'transactions'; readonly raws: readonly Uint8Array[] }
  | { readonly kind: 'actions'; readonly raws: readonly Uint8Array[] }
  /** What waits for a block at the sender. */
  | PooledHashes
  /** Asks for some of it; the answer is `transactions` and `actions`. */
  | (Pick<PooledHashes, 'transactions' | 'actions'> & { readonly kind: 'pooledRequest' })
  | {
      readonly kind: 'status';
      readonly height: Height;
      readonly round: Round;
      /** Blocks that can be asked for: from base to head; base is 1 where all are kept, and head + 1 where there is none. */
      readonly head: Height;
      readonly base: Height;
    }
  /** A call without a signature, for a validator to vouch for: a native transaction of kind `gateway` whose signature is zero. */
  | { readonly kind: 'actionRequest'; readonly requestId: number; readonly unsigned: Uint8Array }
  | {
      readonly kind: 'actionAnswer';
      readonly requestId: number;
      readonly result: { readonly hash: Hash } | { readonly code: string; readonly message: string };
    }
  | { readonly kind: 'blocksRequest'; readonly requestId: number; readonly from: Height; readonly count: number }
  | { readonly kind: 'blocks'; readonly requestId: number; readonly blocks: readonly StoredBlock[] }
  /** Which snapshots of the state a peer has. */
  | { readonly kind: 'snapshotsRequest'; readonly requestId: number }
  | { readonly kind: 'snapshots'; readonly requestId: number; readonly manifests: readonly Uint8Array[] }
  | {
      readonly kind: 'chunkRequest';
      readonly requestId: number;
      /** Name of the snapshot: keccak256 of its manifest. */
      readonly snapshot: Hash;
      readonly height: Height;
      readonly index: number;
    }
  /** Empty when the peer does not have it (any more). */
  | { readonly kind: 'chunk'; readonly requestId: number; readonly bytes: Uint8Array }
  | { readonly kind: 'headersRequest'; readonly requestId: number; readonly from: Height; readonly count: number }
  | ({ readonly kind: 'headers'; readonly requestId: number } & HeaderRange);

/** Messages of consensus, which have an author beside their sender. */
export type ConsensusMessage = PeerMessage & { readonly kind: 'vote' | 'voteCertificate' | 'proposal' };

/** Message that tells what waits in the mempool, so that a peer asks for what it lacks. */
export interface PooledHashes {
  readonly kind: 'pooledHashes';
  readonly transactions: readonly Hash[];
  readonly actions: readonly Hash[];
}

/** Headers in order, with what proves the last one. */
export interface HeaderRange {
  readonly headers: readonly Header[];
  /** Of the last header; null when the peer has none. */
  readonly certificate: CommitCertificate | null;
  /** Of the height of the first header; null when the peer does not keep it. */
  readonly validators: ValidatorSet | null;
}

/** A snapshot that is kept. */
export interface KeptSnapshot {
  /** Its name: keccak256 of the encoded manifest. */
  readonly id: Hash;
  readonly manifest: SnapshotManifest;
  readonly encoded: Uint8Array;
}

/** Snapshots of the state that are offered to peers. Peers may ask often: what is asked for again is not read and hashed again. */
export interface SnapshotShelf {
  /** The newest first. */
  list(): readonly KeptSnapshot[];
  /** The one of a height. */
  find(height: Height): KeptSnapshot | null;
  chunk(height: Height, index: number): Uint8Array | null;
}

/** A proposal with the header and the ordered hashes of the body; bodies only when they are small. */
export interface ProposalMessage {
  readonly kind: 'proposal';
  readonly proposal: Proposal;
  readonly header: Header;
  readonly evidence: Block['evidence'];
  readonly lastCommit: Block['lastCommit'];
  readonly transactionHashes: readonly Hash[];
  readonly actionHashes: readonly Hash[];
  /** All bodies in the order of the hashes, or null: the receiver takes them from its mempool and asks for the rest. */
  readonly bodies: { readonly transactions: readonly Uint8Array[]; readonly actions: readonly Uint8Array[] } | null;
}

/** A connected, authenticated peer. */
export interface Peer {
  /** Validator address, or the follower's node address. */
  readonly address: Address;
  readonly role: 'validator' | 'full' | 'archive';
  /** Whether the operator named it. */
  readonly listed?: boolean;
  /** Which protocol versions it follows; absent where the transport does not say. */
  readonly protocol?: ProtocolOffer;
}

/** What a node tells its peers about protocol versions. */
export interface ProtocolOffer {
  /** Newest version that it follows. */
  readonly known: number;
  /** Those above its head. */
  readonly upgrades: readonly Upgrade[];
}

/** What a peer is banned for; `breach` where nothing is said. */
export type Offence = 'breach' | 'slow';

/** Sending never blocks and never throws: what a slow peer can not take is dropped by the network's policy. */
export interface PeerNetwork {
  peers(): readonly Peer[];
  /** To one peer; false when it is not connected. */
  send(to: Address, message: PeerMessage): boolean;
  broadcast(message: PeerMessage): void;
  /**
   * Disconnects the peer, and bans it for a time.
   *
   * @param offence what it did: broke a rule that an honest one can not break, or was slow again and again, which may be no fault of its own
   */
  punish(peer: Address, reason: string, offence?: Offence): void;
}

/** What the network tells the engine of its peers; addresses are proven by the handshake. */
export interface PeerEvents {
  onMessage(from: Address, message: PeerMessage): void;
  onPeerConnected(peer: Peer): void;
  onPeerDisconnected(peer: Peer): void;
  /** A peer let this process go, because another living one is connected to it under the same identity; told before it is disconnected. */
  onIdentityInUse(peer: Peer): void;
}

/** Wall clock and timers. Timers are monotonic. */
export interface Clock {
  nowMs(): number;
  monotonicMs(): number;
  /** @returns cancel */
  after(delayMs: number, callback: () => void): () => void;
}

/** A hot key in this process. */
export interface MessageSigner {
  readonly address: Address;
  /** @returns 65 bytes r | s | yParity */
  sign(digest: Uint8Array): Uint8Array;
}

/** A message that binds a validator, as a remote signer is asked for it. */
export interface SignRequest {
  readonly height: Height;
  readonly round: Round;
  readonly step: SignStateRecord['step'];
  readonly signBytes: Uint8Array;
  readonly lock: LockState;
}

/**
 * A hot key in another process, which keeps a watermark of its own. Nothing waits for it: answers come when they come, in the order of
 * the requests.
 */
export interface RemoteSigner {
  readonly address: Address;
  /** Whether the signer was reached since this process started, so that its newest signature is known here. */
  readonly isReady: () => boolean;
  /**
   * Asks for a signature. It is asked again after a lost connection, until it answers or `isWanted` says no.
   *
   * @param deliver called at most once, and not when the signer refuses
   */
  request(request: SignRequest, isWanted: () => boolean, deliver: (signature: Uint8Array) => void): void;
  /** Signs a native transaction of kind `gateway`, given with any signature. Rejects when the signer is away or refuses. */
  signAction(unsigned: Uint8Array): Promise<Uint8Array>;
}

/** A key that signs votes: it is in this process and signs at once, or in another one and is asked. */
export type HotKey = MessageSigner | RemoteSigner;

/** Whether signatures of the key come from a signer process, later and perhaps never. */
export const isRemote = (key: HotKey): key is RemoteSigner => 'request' in key;

/** Told of each committed block, in order, once it is durable and executed. */
export type DeltaListener = (delta: BlockDelta) => void;

export type { BlockCheck, CommitOutcome, ExecutableBlock, ExecutionStatus, StoredBlock } from '@prime/codec';
