/** Exit codes of the process; operators script against them. docs/operate/exit-codes.md has the table. */
export const exitCode = {
  ok: 0,
  /** `verify-cert` refutes what it was given; `testnet chaos` saw a promise broken; `doctor` found a fault; `export --verify` found a difference. */
  notProven: 1,
  usage: 64,
  /** A command was understood, and a node or the chain said no; nothing was changed. */
  refused: 65,
  /** What a command names is not there: a home, a file, a block, a snapshot. */
  notFound: 66,
  /** A command asked a node that does not answer; a node does not reach its remote signer, or its port is taken. */
  unavailable: 69,
  internal: 70,
  /** A limit of the operating system is too low for a node, or used up: open files. */
  systemLimit: 71,
  /** An action was sent, and nobody could tell in time what became of it. */
  outcomeUnknown: 73,
  io: 74,
  diverged: 75,
  /** The next block is for a program or a schedule of versions that this node does not have. */
  upgrade: 76,
  doubleSign: 77,
  corruptStore: 78,
  /** A decided block that this program can not execute: another program is needed, and the home is in order. */
  blockFailed: 79,
} as const;

const byErrorCode: Readonly<Record<string, number>> = {
  ENGINE_DOUBLE_SIGN: exitCode.doubleSign,
  ENGINE_KEY_IN_USE: exitCode.doubleSign,
  ENGINE_TRUSTED_BLOCK_UNKNOWN: exitCode.usage,
  ENGINE_STORE_BEHIND: exitCode.corruptStore,
  ENGINE_DIVERGED: exitCode.diverged,
  ENGINE_INVALID_DECISION: exitCode.diverged,
  ENGINE_STORE_CORRUPT: exitCode.corruptStore,
  ENGINE_UPGRADE_NEEDED: exitCode.upgrade,
  ENGINE_VERSION_MISMATCH: exitCode.upgrade,
  ENGINE_HALT_HEIGHT: exitCode.upgrade,
  OPEN_FILES_LIMIT_TOO_LOW: exitCode.systemLimit,
  EMFILE: exitCode.systemLimit,
  ENFILE: exitCode.systemLimit,
  BLOCK_FAILED: exitCode.blockFailed,
  CHAIN_ORDERS_ROOT_MISMATCH: exitCode.corruptStore,
  CHAIN_STAKING_ROOT_MISMATCH: exitCode.corruptStore,
  CHAIN_CONTRACT_WRITES_MISMATCH: exitCode.corruptStore,
  CHAIN_STATE_UNREADABLE: exitCode.corruptStore,
  CHAIN_FORMAT_UNKNOWN: exitCode.corruptStore,
  CHAIN_SNAPSHOT_REFUSED: exitCode.corruptStore,
  HOME_DAMAGED: exitCode.corruptStore,
  REPAIR_REFUSED: exitCode.corruptStore,
  SIGN_STATE_SEALED: exitCode.doubleSign,
  RESTORE_BROKEN: exitCode.corruptStore,
  RESTORE_REFUSED: exitCode.usage,
  SNAPSHOT_TOO_EARLY: exitCode.usage,
  SNAPSHOT_WRITE_FAILED: exitCode.io,
  CHAIN_GENESIS_MISMATCH: exitCode.usage,
  WAL_CORRUPT: exitCode.corruptStore,
  SIGN_STATE_CORRUPT: exitCode.corruptStore,
  SIGN_STATE_FOREIGN: exitCode.usage,
  BLOCK_STORE_CORRUPT: exitCode.corruptStore,
  STATE_DATABASE_CORRUPT: exitCode.corruptStore,
  WAL_FOREIGN: exitCode.usage,
  BLOCK_STORE_FOREIGN: exitCode.usage,
  WAL_READ_FAILED: exitCode.io,
  WAL_WRITE_FAILED: exitCode.io,
  SIGN_STATE_WRITE_FAILED: exitCode.io,
  BLOCK_STORE_READ_FAILED: exitCode.io,
  BLOCK_STORE_WRITE_FAILED: exitCode.io,
  STATE_DATABASE_FOREIGN: exitCode.corruptStore,
  STATE_DATABASE_READ_FAILED: exitCode.io,
  STATE_DATABASE_WRITE_FAILED: exitCode.io,
  DATABASE_CORRUPT: exitCode.corruptStore,
  DATABASE_OPEN_FAILED: exitCode.io,
  FILE_WRITE_FAILED: exitCode.io,
  DATA_DIR_LOCKED: exitCode.usage,
  NETWORK_SIGNER_UNAVAILABLE: exitCode.unavailable,
  NETWORK_LISTEN_FAILED: exitCode.unavailable,
  GATEWAY_LISTEN_FAILED: exitCode.unavailable,
  GATEWAY_HTTP_UNAVAILABLE: exitCode.usage,
  ADMIN_LISTEN_FAILED: exitCode.unavailable,
  NETWORK_CERTIFICATE_INVALID: exitCode.usage,
  ENOSPC: exitCode.io,
  EIO: exitCode.io,
  EDQUOT: exitCode.io,
  EFBIG: exitCode.io,
  EROFS: exitCode.io,
  EACCES: exitCode.io,
};

/** Of the command line; what is not here is a mistake in what was typed. */
const ofCommands: Readonly<Record<string, number>> = {
  CLI_UNREACHABLE: exitCode.unavailable,
  CLI_STREAM_ENDED: exitCode.unavailable,
  CLI_LISTEN_FAILED: exitCode.unavailable,
  CLI_OUTCOME_UNKNOWN: exitCode.outcomeUnknown,
  CLI_ACTION_REFUSED: exitCode.refused,
  CLI_NODE_REFUSED: exitCode.refused,
  CLI_OTHER_NETWORK: exitCode.refused,
  CLI_OTHER_HOME: exitCode.refused,
  CLI_NETWORK_RUNNING: exitCode.refused,
  CLI_BACKUP_FOREIGN: exitCode.refused,
  CLI_BACKUP_DAMAGED: exitCode.corruptStore,
  CLI_SIGN_STATE_SEALED: exitCode.doubleSign,
  CLI_NOT_CONFIRMED: exitCode.refused,
  CLI_NOT_FOUND: exitCode.notFound,
  CLI_NO_SNAPSHOT: exitCode.notFound,
  CLI_NOTHING_SIGNED: exitCode.notFound,
};

/** Of bots; what is not here is a mistake in a file that somebody wrote or named. */
const ofBots: Readonly<Record<string, number>> = {
  BOT_STATE_DAMAGED: exitCode.corruptStore,
  BOT_FUNDS_MISSING: exitCode.refused,
};

/** Of streams out; what is not here is a mistake in a file that somebody wrote or named. */
const ofStreams: Readonly<Record<string, number>> = {
  STREAMS_NOT_VERIFIED: exitCode.notProven,
  STREAMS_ANSWER_WRONG: exitCode.notProven,
  STREAMS_OTHER_CHAIN: exitCode.refused,
  STREAMS_FORKED: exitCode.refused,
  STREAMS_HIDDEN: exitCode.refused,
  STREAMS_NOTHING_STORED: exitCode.notFound,
  STREAMS_BLOCK_MISSING: exitCode.notFound,
  STREAMS_HISTORY_PRUNED: exitCode.notFound,
  STREAMS_CURSOR_LOST: exitCode.notFound,
  STREAMS_SINK_FAILED: exitCode.unavailable,
  STREAMS_STORE_DAMAGED: exitCode.corruptStore,
};

/** The exit code that tells an operator what kind of failure ended the process. */
export function exitCodeOf(errorCode: string): number {
  if (errorCode.startsWith('CONFIG_')) return exitCode.usage;
  if (errorCode === 'CLI_NOT_PROVEN' || errorCode === 'CLI_CHECKS_FAILED') return exitCode.notProven;
  if (errorCode === 'CLI_WATERMARK_MISMATCH') return exitCode.doubleSign;
  if (errorCode.startsWith('CLI_')) return ofCommands[errorCode] ?? exitCode.usage;
  if (errorCode.startsWith('BOT_')) return ofBots[errorCode] ?? exitCode.usage;
  if (errorCode.startsWith('STREAMS_')) return ofStreams[errorCode] ?? exitCode.usage;
  return byErrorCode[errorCode] ?? exitCode.internal;
}
