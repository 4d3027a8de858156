import { PrimeError } from '@prime/primitives';

/** Codes of failures of state, execution and tracing. Failures of contracts are results, not errors. */
export type EvmErrorDetail =
  /** A trie node that a root leads to is not in the database: the root is unknown here, or the database is damaged. */
  | { readonly code: 'EVM_NODE_MISSING'; readonly hash: string }
  /** Stored bytes that can not be what this package wrote. */
  | { readonly code: 'EVM_STATE_CORRUPT'; readonly what: string }
  /** Changes of recent blocks, from which unwritten nodes are made again, do not lead to the root of their block: the database is damaged. */
  | { readonly code: 'EVM_TRIE_MISMATCH'; readonly made: string; readonly expected: string }
  /** Flat records that are those of no state. */
  | { readonly code: 'EVM_STATE_REFUSED'; readonly reason: string }
  /** Code that an account names by its hash is not in the database. */
  | { readonly code: 'EVM_CODE_MISSING'; readonly hash: string }
  /** The library asked for something that the block pipeline owns (roots, copies). */
  | { readonly code: 'EVM_UNSUPPORTED'; readonly operation: string }
  /** A block was used after finish, commit or discard, or begun while another one is open. */
  | { readonly code: 'EVM_BLOCK_MISUSE'; readonly operation: string; readonly state: string }
  /** A trace, a simulation or an access list grew beyond what one answer may have, in characters of JSON. */
  | { readonly code: 'EVM_TRACE_TOO_LARGE'; readonly limit: number }
  /** A transaction of a block could not be executed at its turn, so there is nothing to trace. */
  | { readonly code: 'EVM_NOT_EXECUTED'; readonly transactionHash: string }
  /** A simulation can not go on; `number` is what the specification of eth_simulateV1 gives the reason. */
  | { readonly code: 'EVM_SIMULATION_REFUSED'; readonly number: number }
  /** A read-only call ran past its wall-clock deadline. */
  | { readonly code: 'EVM_CALL_TIMEOUT'; readonly timeoutMs: number };

/** Broken surroundings and callers' mistakes of this package. What a transaction or a call does wrong is a result, not an error. */
export class EvmError extends PrimeError<EvmErrorDetail> {}
