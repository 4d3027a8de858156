import type { CallMessage } from '@prime/evm';
import { hexToBytes } from '@prime/primitives';
import type { CallRequest } from '@prime/rpc';

/** A call of the interface as the EVM takes it. */
export const callMessageOf = (request: CallRequest): CallMessage & { readonly nonce: number | null } => ({
  ...request,
  data: hexToBytes(request.data),
});
