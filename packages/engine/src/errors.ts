import { type Address, type Hash, type Height, PrimeError, type Round } from '@prime/primitives';

/** Codes of refusals and failures of the engine, each with its values. */
export type EngineErrorDetail =
  /** Signing would contradict something this validator signed before: another process uses the key, or a backup was restored. */
  | {
      readonly code: 'ENGINE_DOUBLE_SIGN';
      readonly height: Height;
      readonly round: Round;
      readonly signedHeight: Height;
      readonly signedRound: Round;
    }
  /**
   * Another process signs with this validator's key, or the sign state was replaced by an older one: where a signature was seen, or else how many
   * peers are connected to the other process.
   */
  | {
      readonly code: 'ENGINE_KEY_IN_USE';
      readonly validator: Address;
      readonly seen: { readonly height: Height; readonly round: Round } | { readonly peers: number };
    }
  /** The state is newer than the blocks: they were removed or restored without it. */
  | { readonly code: 'ENGINE_STORE_BEHIND'; readonly blocks: Height; readonly state: Height }
  /** A decided block carries other results of its parent than were computed here. */
  | { readonly code: 'ENGINE_DIVERGED'; readonly height: Height; readonly reason: string }
  /** More than 2/3 of the voting power decided a block that breaks the rules. */
  | { readonly code: 'ENGINE_INVALID_DECISION'; readonly height: Height; readonly hash: Hash; readonly reason: string }
  /** All peers have another block at the height of the trusted one. */
  | { readonly code: 'ENGINE_TRUSTED_BLOCK_UNKNOWN'; readonly height: Height; readonly hash: Hash }
  /** The next block is of a protocol version that this node does not follow. */
  | {
      readonly code: 'ENGINE_UPGRADE_NEEDED';
      readonly height: Height;
      readonly version: number;
      readonly known: number;
    }
  /** A block was decided under another protocol version than the own schedule has for its height. */
  | {
      readonly code: 'ENGINE_VERSION_MISMATCH';
      readonly height: Height;
      readonly version: number;
      readonly scheduled: number;
    }
  /** The node was told to stop after this block. */
  | { readonly code: 'ENGINE_HALT_HEIGHT'; readonly height: Height }
  /** A block from elsewhere without proof that it was decided: its source lies. */
  | { readonly code: 'ENGINE_UNCERTIFIED_BLOCK'; readonly height: Height; readonly reason: string }
  /** A stored block or log entry is not what this program wrote. */
  | { readonly code: 'ENGINE_STORE_CORRUPT'; readonly reason: string }
  /** Too many transactions or actions wait for their signature check. */
  | { readonly code: 'ENGINE_BUSY'; readonly limit: number }
  /** The bytes are not a transaction of this chain; the message uses go-ethereum's words. */
  | { readonly code: 'ENGINE_INVALID_TRANSACTION'; readonly reason: string }
  /** A transaction that was to be taken only if it is executable now is behind a gap of nonces. */
  | { readonly code: 'ENGINE_NONCE_GAP'; readonly nextNonce: number; readonly nonce: number }
  /** The order book would refuse the action's nonce: it was used, or is outside of the window around block time. */
  | { readonly code: 'ENGINE_ACTION_NONCE'; readonly nonce: number; readonly reason: string }
  /** A price report was made too long ago, or in the future, by the clock of this node. */
  | { readonly code: 'ENGINE_REPORT_TIME'; readonly observedAtMs: number }
  /** The signer is neither the account, nor the owner of that sub-account, nor an agent with the permission. */
  | { readonly code: 'ENGINE_SIGNER_UNAUTHORIZED'; readonly signer: Address; readonly account: Address }
  /** The signer has neither wei nor anything in the order book, and brings nothing in: its action could only leave something behind. */
  | { readonly code: 'ENGINE_SIGNER_OWNS_NOTHING'; readonly signer: Address }
  /** The account signs its actions: unsigned calls in its name are not taken any more. */
  | { readonly code: 'ENGINE_ACCOUNT_LOCKED'; readonly account: Address }
  /** An unsigned call could not be handed to a validator, or its validator did not answer. */
  | { readonly code: 'ENGINE_NOT_FORWARDED'; readonly reason: string }
  /** The remote signer of this node is away or refuses to vouch for an unsigned call; nothing was sent. */
  | { readonly code: 'ENGINE_SIGNER_AWAY' }
  /** This node holds no key that could vouch for an unsigned action. */
  | { readonly code: 'ENGINE_SIGNATURE_REQUIRED' };

/** Refusals and broken surroundings of the consensus engine. */
export class EngineError extends PrimeError<EngineErrorDetail> {}

/** Execution keeps the checked blocks of a few rounds; an older one has to be checked again before it is executed. */
export const isForgotten = (error: unknown): boolean => (error as { code?: unknown }).code === 'CHAIN_UNKNOWN_BLOCK';

/** The state is at a height that the blocks do not reach. */
export const storeBehind = (blocks: Height, state: Height): EngineError =>
  new EngineError(
    `blocks end at ${blocks}, but the state is at ${state}: remove the state as well, and both are fetched again`,
    { code: 'ENGINE_STORE_BEHIND', blocks, state },
  );

/** @param said hashes that peers have in place of the trusted one */
export function untrustedBlock(
  { height, hash }: { readonly height: Height; readonly hash: Hash },
  said: ReadonlyMap<Address, Hash>,
): EngineError {
  const peers = [...said].map(([peer, other]) => `${peer} has ${other}`).join(', ');
  return new EngineError(
    `no peer has block ${height} with the trusted hash ${hash}: ${peers}. Correct sync.trusted_height and sync.trusted_hash, or the peers: one of them is of ` +
      'another chain',
    { code: 'ENGINE_TRUSTED_BLOCK_UNKNOWN', height, hash },
  );
}

/** @param reason what is missing or wrong in the stored blocks */
export const storeCorrupt = (reason: string): EngineError =>
  new EngineError(reason, { code: 'ENGINE_STORE_CORRUPT', reason });

/** The error that ends a node whose operator has set `upgrades.halt_height`: code `ENGINE_HALT_HEIGHT`. */
export const haltedAt = (height: Height): EngineError =>
  new EngineError(`block ${height} is decided, and upgrades.halt_height says to stop there`, {
    code: 'ENGINE_HALT_HEIGHT',
    height,
  });

/** @param height where a signature was seen that this process did not make */
export const keyInUse = (validator: Address, height: Height, round: Round): EngineError =>
  new EngineError(
    `validator ${validator} signed at height ${height}, round ${round}, and this process did not: its key is in use elsewhere, or sign-state.bin ` +
      'was replaced by an older one. Find and stop the other process; then start this one again, which watches before it signs',
    { code: 'ENGINE_KEY_IN_USE', validator, seen: { height, round } },
  );

/** @param peers how many are connected to the other process, which is alive */
export const processInUse = (validator: Address, peers: number): EngineError =>
  new EngineError(
    `${peers} peers are connected to another living process of validator ${validator}: its key is in use elsewhere. This process signed nothing. ` +
      'Find out which of the two is to go on, and stop the other one before it is started again',
    { code: 'ENGINE_KEY_IN_USE', validator, seen: { peers } },
  );
