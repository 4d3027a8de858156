import { EVMError, type ExecResult } from '@ethereumjs/evm';

const { errorMessages } = EVMError;

/** The library's words → go-ethereum's, on which tools match. */
const words: Readonly<Record<string, string>> = {
  [errorMessages.CODESTORE_OUT_OF_GAS]: 'contract creation code storage out of gas',
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  [errorMessages.STACK_OVERFLOW]: 'stack limit reached 1024 (1024)',
  [errorMessages.OUT_OF_RANGE]: 'return data out of bounds',
  [errorMessages.STATIC_STATE_CHANGE]: 'write protection',
  [errorMessages.CREATE_COLLISION]: 'contract address collision',
  [errorMessages.INSUFFICIENT_BALANCE]: 'insufficient balance for transfer',
  [errorMessages.INVALID_BYTECODE_RESULT]: 'invalid code: must not begin with 0xef',
  [errorMessages.INITCODE_SIZE_VIOLATION]: 'max initcode size exceeded',
};

/** INVALID is an opcode of its own; the other bytes without a meaning are named by their number. */
const invalidOpcode = 0xfe;

/** Why code ended exceptionally. */
export function failureWords(result: ExecResult): string {
  const error = result.exceptionError?.error ?? 'unknown error';
  // The library adds the place to this one.
  if (error.startsWith(errorMessages.INVALID_JUMP)) return 'invalid jump destination';
  if (error !== errorMessages.INVALID_OPCODE) return words[error] ?? error;
  const opcode = result.runState?.opCode ?? invalidOpcode;
  return opcode === invalidOpcode
    ? 'invalid opcode: INVALID'
    : `invalid opcode: opcode 0x${opcode.toString(16)} not defined`;
}

export const isRevert = (result: ExecResult): boolean => result.exceptionError?.error === errorMessages.REVERT;
export const isOutOfGas = (result: ExecResult): boolean =>
  result.exceptionError?.error === errorMessages.OUT_OF_GAS ||
  result.exceptionError?.error === errorMessages.CODESTORE_OUT_OF_GAS;
