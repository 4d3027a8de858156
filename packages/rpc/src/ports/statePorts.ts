import type {
  AccountProof,
  AccountState,
  BookParameters,
  CallMessage,
  CallOutcome,
  StateContext,
  StateRef,
} from '@prime/codec';
import type { Address, Hash, Hex } from '@prime/primitives';
import type { Eventual } from '../dispatch/eventual.ts';

/** Its data come from JSON as hex, and stay so up to the thread that executes it: strings cost less to hand over than bytes. */
export type CallRequest = CallMessage<Hex>;

/**
 * State after a block that this node keeps.
 *
 * All methods throw PrimeError `RPC_STATE_NOT_KEPT` for an older one.
 */
export interface StateReader {
  account(address: Address, at: StateRef): Eventual<AccountState>;
  code(address: Address, at: StateRef): Promise<Hex>;
  storage(address: Address, slot: Hash, at: StateRef): Promise<Hash>;
  proof(address: Address, slots: readonly Hash[], at: StateRef): Promise<AccountProof<Hex>>;
  bookParameters(at: StateRef): Promise<BookParameters>;
  call(request: CallRequest, at: StateContext): Eventual<CallOutcome<Hex>>;
  /** `success` has the estimate as its gasUsed. */
  estimateGas(request: CallRequest, at: StateContext): Promise<CallOutcome<Hex>>;
}
