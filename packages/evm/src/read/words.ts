import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { stackInputs } from './opcodes.ts';

const { errorMessages } = EVMError;

/** The library's words → go-ethereum's, on which tools match. */
const words: Readonly<Record<string, string>> = {
  [errorMessages.CODESTORE_OUT_OF_GAS]: 'contract creation code storage out of gas',
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  // Only instructions that add one item can overflow: 1023 items leave room for it.
  [errorMessages.STACK_OVERFLOW]: 'stack limit reached 1024 (1023)',
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
  if (error === errorMessages.OUT_OF_GAS && isCodeDeposit(result)) return words[errorMessages.CODESTORE_OUT_OF_GAS]!;
  if (error === errorMessages.OUT_OF_GAS && readsBehindReturnData(result)) return words[errorMessages.OUT_OF_RANGE]!;
  if (error === errorMessages.REVERT) return 'execution reverted';
  if (error === errorMessages.STACK_UNDERFLOW) return underflowWords(result);
  if (error !== errorMessages.INVALID_OPCODE) return words[error] ?? error;
  const opcode = failedOpcode(result);
  return opcode === invalidOpcode
    ? 'invalid opcode: INVALID'
    : `invalid opcode: opcode 0x${opcode.toString(16)} not defined`;
}

/** The interpreter shows every byte without a meaning as INVALID; an instruction that was not begun is still at the counter. */
function failedOpcode({ runState }: ExecResult): number {
  return runState?.code[runState.programCounter] ?? runState?.opCode ?? invalidOpcode;
}

/** Code ran to its end and returned something, and the frame is out of gas none the less: it could not pay for keeping that. */
const isCodeDeposit = ({ runState }: ExecResult): boolean =>
  (runState as { readonly returnValue?: Uint8Array } | undefined)?.returnValue !== undefined;

/** RETURNDATACOPY of more than there is; the library calls that out of gas. */
function readsBehindReturnData({ runState }: ExecResult): boolean {
  if (runState?.opCode !== 0x3e || runState.stack.length < 3) return false;
  const [, offset, size] = runState.stack.peek(3);
  return offset! + size! > BigInt(runState.returnBytes.length);
}

function underflowWords({ runState }: ExecResult): string {
  const required = stackInputs(runState?.opCode ?? invalidOpcode);
  return runState === undefined ? 'stack underflow' : `stack underflow (${runState.stack.length} <=> ${required})`;
}

/** Whether the code asked for its end by REVERT, so that its output says why. */
export const isRevert = (result: ExecResult): boolean => result.exceptionError?.error === errorMessages.REVERT;

/** Whether more gas may help; a creation that could not pay for its code does not count. */
export const isOutOfGas = (result: ExecResult): boolean =>
  result.exceptionError?.error === errorMessages.OUT_OF_GAS && !isCodeDeposit(result);
