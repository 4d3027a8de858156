import { type AccountOverride, type CallMessage, noBlockOverrides } from '@prime/codec';
import type { Address } from '@prime/primitives';

/** A call of the zero address to nobody, without value, data and assumptions, but for what is given. */
export const callOf = (fields: Partial<CallMessage> = {}): CallMessage => ({
  from: null,
  to: null,
  gas: null,
  gasPrice: null,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  value: 0n,
  data: new Uint8Array(0),
  nonce: null,
  accessList: null,
  authorizationList: [],
  stateOverrides: [],
  blockOverrides: noBlockOverrides,
  ...fields,
});

/** What a call assumes about an account: it is as it is stored, but for what is given. */
export const overrideOf = (address: Address, fields: Partial<AccountOverride>): AccountOverride => ({
  address,
  nonce: null,
  balance: null,
  code: null,
  state: null,
  stateDiff: null,
  movePrecompileTo: null,
  ...fields,
});
