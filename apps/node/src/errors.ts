import { type Hash, type Height, PrimeError } from '@prime/primitives';

/** Codes with which a node refuses to start, refuses an operator, or ends. */
export type NodeErrorDetail =
  /** A file of the home folder can not be read. */
  | { readonly code: 'CONFIG_HOME_UNREADABLE'; readonly path: string }
  /** A file with a secret, or the folder of such files, that others may read or write. */
  | { readonly code: 'CONFIG_KEY_FILE_OPEN'; readonly path: string; readonly mode: string }
  /** The key that owns the stake lies in the home of a node, which needs none of it. */
  | { readonly code: 'CONFIG_OWNER_KEY_IN_HOME'; readonly path: string }
  /** A keystore is to be decrypted or written, and no source of its password says anything. */
  | { readonly code: 'CONFIG_KEY_PASSWORD_MISSING'; readonly path: string; readonly sources: readonly string[] }
  /** A password that is none: empty, or of several lines. */
  | { readonly code: 'CONFIG_KEY_PASSWORD_INVALID'; readonly source: string; readonly allowed: string }
  /** A switch of tests on a network that is not for tests, or with a value that it does not take. */
  | { readonly code: 'CONFIG_TEST_SWITCH_REFUSED'; readonly variable: string }
  /** A command to the admin endpoint without the secret of the running node, which is in its home. */
  | { readonly code: 'OPERATOR_UNAUTHORIZED' }
  /** A command to the admin endpoint lacks a field, or a field is not what the command takes. */
  | { readonly code: 'OPERATOR_REQUEST_INVALID'; readonly field: string }
  /** A node does not ban or add itself, and one behind sentries adds nobody. */
  | { readonly code: 'OPERATOR_PEER_REFUSED'; readonly address: string }
  /** A node that is starting was asked what only one that runs can do. */
  | { readonly code: 'OPERATOR_STARTING' }
  /** A caller asked for what only a node knows that has started; its blocks may take a while. It may be asked again after `retryAfterMs`. */
  | { readonly code: 'NODE_STARTING'; readonly retryAfterMs: number }
  /** The admin endpoint can not listen on its address. */
  | { readonly code: 'ADMIN_LISTEN_FAILED'; readonly address: string }
  /** A check of a home that does not run found what it can not start from, or not go on with. */
  | { readonly code: 'HOME_DAMAGED'; readonly parts: readonly string[] }
  /** A decided block can not be executed by this program; nothing of it was written. */
  | { readonly code: 'BLOCK_FAILED'; readonly height: Height; readonly hash: Hash; readonly path: string }
  /** A home that can not be repaired by making state and blocks anew. */
  | { readonly code: 'REPAIR_REFUSED'; readonly part: string }
  /** The system lets this process have fewer files open than a node needs. */
  | { readonly code: 'OPEN_FILES_LIMIT_TOO_LOW'; readonly limit: number; readonly minimum: number }
  /** A restore was interrupted, and what it left can not be put together. */
  | { readonly code: 'RESTORE_BROKEN'; readonly path: string }
  /** A snapshot is restored only into a home without state and blocks. */
  | { readonly code: 'RESTORE_REFUSED'; readonly path: string }
  /** A snapshot needs a block whose validators are stored. */
  | { readonly code: 'SNAPSHOT_TOO_EARLY'; readonly height: number }
  /** A running node could not write the snapshot for its backup. */
  | { readonly code: 'BACKUP_SNAPSHOT_FAILED' }
  /** The sign state of a remote signer came with a backup: nothing here can tell when it is safe to sign. */
  | { readonly code: 'SIGN_STATE_SEALED'; readonly path: string }
  /** A question to a reader took longer than it may; its thread was ended. */
  | { readonly code: 'READER_TIMEOUT'; readonly method: string; readonly timeoutMs: number }
  /** Too many questions wait for a reader. */
  | { readonly code: 'READER_BUSY'; readonly limit: number };

/** What a node itself can not do; its packages have errors of their own. */
export class NodeError extends PrimeError<NodeErrorDetail> {}

/** `NODE_STARTING`. */
export const nodeStarting = (): NodeError =>
  new NodeError('the node is starting, try again later', { code: 'NODE_STARTING', retryAfterMs: 1_000 });

/** `OPERATOR_REQUEST_INVALID`. @param allowed what the field may be, behind "must be" */
export const requestInvalid = (field: string, allowed: string): NodeError =>
  new NodeError(`${field} must be ${allowed}`, { code: 'OPERATOR_REQUEST_INVALID', field });
