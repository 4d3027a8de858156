import type { CallMessage, StateReader } from '@prime/evm';
import { bytesToHex, hexToBytes } from '@prime/primitives';
import type { CallOutcome, CallRequest } from '@prime/rpc';

/** A call of the interface as the EVM takes it. */
export const callMessageOf = (request: CallRequest): CallMessage & { readonly nonce: bigint | null } => ({
  ...request,
  data: hexToBytes(request.data),
});

/** How a call ended as the interface says it. */
export const callOutcomeOf = (outcome: Awaited<ReturnType<StateReader['call']>>): CallOutcome =>
  outcome.status === 'failure' ? outcome : { ...outcome, output: bytesToHex(outcome.output) };
