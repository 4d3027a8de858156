import type { CallMessage, CallOutcome } from '@prime/codec';
import { bytesToHex, type Hex, hexToBytes } from '@prime/primitives';
import type { CallRequest } from '@prime/rpc';

/** A call of the interface as the EVM takes it. */
export const callMessageOf = (request: CallRequest): CallMessage => ({ ...request, data: hexToBytes(request.data) });

/** How a call ended as the interface says it. */
export const callOutcomeOf = (outcome: CallOutcome): CallOutcome<Hex> =>
  outcome.status === 'failure' ? outcome : { ...outcome, output: bytesToHex(outcome.output) };
