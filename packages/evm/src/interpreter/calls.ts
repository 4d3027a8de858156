import { EVMError, type ExecResult } from '@ethereumjs/evm';
import type { Address } from '@prime/primitives';
import { type AccountRecord, emptyAccount, hasCode, isDelegation, isEmptyAccount } from '../state/account.ts';
import { addressKey } from '../state/bytes.ts';
import type { StateOverlay } from '../state/overlay.ts';
import { decode } from './decode.ts';
import { failed, Frame } from './frame.ts';
import { MessageState } from './messageState.ts';
import { Party } from './party.ts';
import { JournaledSlots } from './stateHandlers.ts';
import { wordToAddress } from './words.ts';
import type { World } from './world.ts';

const nothing = new Uint8Array(0);
const [callOpcode, callCodeOpcode, delegateCallOpcode, staticCallOpcode] = [0xf1, 0xf2, 0xf4, 0xfa] as const;
/** Most frames that stand within one another, besides the outermost. */
const depthMax = 1024;
const wordMax = 2n ** 256n - 1n;

/** CALL, CALLCODE, DELEGATECALL or STATICCALL; creations are none. */
export const isCall = (opcode: number): boolean =>
  opcode === callOpcode || opcode === callCodeOpcode || opcode === delegateCallOpcode || opcode === staticCallOpcode;

/** A message to an account that may have code. */
export interface Message {
  readonly caller: Party;
  /** Whose storage and balance the code works on. */
  readonly to: Party;
  /** Whose code it is. */
  readonly codeAddress: Address;
  readonly data: Uint8Array;
  /** What CALLVALUE says. */
  readonly value: bigint;
  /** Whether the value moves, and who takes part counts as touched (EIP-161). */
  readonly transfers: boolean;
  readonly gas: number;
  readonly state: MessageState;
}

/** How a message ended. */
export interface Outcome {
  /** REVERT included; undefined for success. */
  readonly failure: EVMError | undefined;
  readonly gasLeft: number;
  readonly output: Uint8Array;
  readonly state: MessageState;
}

/**
 * Begins a message: opens a level of journal and state, moves the value, and finds the code.
 *
 * @returns the frame of the code, whose end is told to {@link endFrame}; or how the message ended, if there is no code in the loop's sense
 */
export function beginMessage(message: Message): Frame | Outcome | Promise<Outcome> {
  const { state, gas } = message;
  const { world } = state;
  openLevel(world);
  if (message.transfers && !transfer(world, message)) {
    closeLevel(world, false);
    return { failure: failed.valueOverflow(), gasLeft: gas, output: nothing, state };
  }
  const precompile = world.precompiles.get(message.codeAddress);
  if (precompile !== undefined) {
    const result = world.machinery.evm.runPrecompile(precompile, message.data, BigInt(gas));
    const end = (answer: ExecResult): Outcome => {
      closeLevel(world, answer.exceptionError === undefined);
      const gasLeft = gas - Number(answer.executionGasUsed);
      return { failure: answer.exceptionError, gasLeft, output: answer.returnValue, state };
    };
    return 'then' in result ? result.then(end) : end(result);
  }
  const code = codeOf(message);
  if (code.length > 0) return frameOf(message, code);
  closeLevel(world, true);
  return { failure: undefined, gasLeft: gas, output: nothing, state };
}

function openLevel({ journal, machinery }: World): void {
  machinery.instructions.guard?.();
  journal.mark();
  machinery.evm.transientStorage.checkpoint();
}

function closeLevel({ journal, machinery }: World, keeps: boolean): void {
  if (keeps) {
    journal.keep();
    machinery.evm.transientStorage.commit();
  } else {
    journal.rollBack();
    machinery.evm.transientStorage.revert();
  }
}

/** The code that runs; that of another account where the account delegates (EIP-7702). */
function codeOf({ state, codeAddress }: Message): Uint8Array {
  const { overlay, instructions, journal } = state.world;
  const code = overlay.code(codeAddress);
  if (!instructions.rules.delegates || !isDelegation(code)) return code;
  const delegate = delegateIn(code);
  if (state.depth === 0) journal.warmAddress(delegate);
  return overlay.code(delegate);
}

const delegateIn = (code: Uint8Array): Address => addressKey(code.subarray(3));

function frameOf(message: Message, code: Uint8Array): Frame {
  const { world } = message.state;
  const { pool, instructions } = world.machinery;
  return new Frame({
    code,
    decoded: decode(code),
    address: message.to,
    caller: message.caller,
    callData: message.data,
    callValue: message.value,
    gas: message.gas,
    memory: pool.takeMemory(),
    stack: pool.takeStack(),
    slots: new JournaledSlots(message.to.key, world.overlay, world.journal),
    guard: instructions.guard,
    library: world.machinery.openLibrary,
    message: message.state,
  });
}

/** @returns false when the receiver would have more than a word can say; the sender has enough, or there is nothing to move */
function transfer({ overlay, journal }: World, { caller, to, value }: Message): boolean {
  journal.touch(caller.key);
  journal.touch(to.key);
  if (value === 0n) return true;
  move(overlay, caller.key, -value);
  const { balance } = overlay.account(to.key) ?? emptyAccount;
  if (balance + value > wordMax) return false;
  move(overlay, to.key, value);
  return true;
}

/** Changes a balance. */
export function move(overlay: StateOverlay, address: Address, amount: bigint): void {
  const { nonce, balance, storageRoot, codeHash } = overlay.account(address) ?? emptyAccount;
  overlay.setAccount(address, { nonce, balance: balance + amount, storageRoot, codeHash });
}

/** Ends the outermost frame, or one of a message within another: its level is closed, what it used for itself is given back. */
export function endFrame(frame: Frame, failure: EVMError | undefined): Outcome {
  const state = frame.message!;
  const { world } = state;
  closeLevel(world, failure === undefined);
  // The library keeps run states with errors, and it alone knows what it wrote.
  if (!frame.isShared) world.machinery.pool.giveBack(frame.memoryOwner, frame.memorySize, frame.stack);
  const isHalt = failure !== undefined && failure.error !== EVMError.errorMessages.REVERT;
  return { failure, gasLeft: isHalt ? 0 : frame.gas, output: isHalt ? nothing : (frame.output ?? nothing), state };
}

/** Gives the frame that called what came of it. */
export function deliver(frame: Frame, { failure, gasLeft, output, state }: Outcome): void {
  frame.gas += gasLeft;
  const isHalt = failure !== undefined && failure.error !== EVMError.errorMessages.REVERT;
  frame.returnBytes = isHalt ? nothing : output;
  if (failure === undefined) frame.message!.adopt(state);
  const length = Math.min(frame.returnBytes.length, state.outLength);
  if (length > 0) frame.memory.set(frame.returnBytes.subarray(0, length), state.outOffset);
  frame.push(failure === undefined ? 1n : 0n);
}

/**
 * CALL, CALLCODE, DELEGATECALL and STATICCALL: pays, and begins the message.
 *
 * @returns the frame to go on with; null when the message is over
 */
export function enterCall(frame: Frame, opcode: number): Frame | null | Promise<void> {
  const state = frame.message!;
  const movesValue = opcode === callOpcode || opcode === callCodeOpcode;
  frame.need(movesValue ? 7 : 6);
  const value = movesValue ? frame.peek(2) : 0n;
  if (opcode === callOpcode && value !== 0n && state.isStatic) throw failed.staticChange();
  const first = movesValue ? 3 : 2;
  const [inOffset, inLength] = [frame.peek(first), frame.peek(first + 1)];
  const [outOffset, outLength] = [frame.peek(first + 2), frame.peek(first + 3)];
  const target = wordToAddress(frame.peek(1));
  const wanted = frame.peek(0);
  const { instructions, overlay } = state.world;
  const memory = frame.memoryGas(inOffset, inLength) + frame.memoryGas(outOffset, outLength);
  frame.useGas(instructions.fees[opcode]! + memory + accessGas(frame, opcode, target, value));
  frame.grow();
  frame.pc++;
  frame.height -= first + 4;
  frame.returnBytes = nothing;

  // EIP-150: a 64th stays here.
  const most = frame.gas - Math.floor(frame.gas / 64);
  const given = wanted >= BigInt(most) ? most : Number(wanted);
  frame.gas -= given;
  const gas = value === 0n ? given : given + instructions.rules.stipend;
  const { balance } = overlay.account(frame.address.key) ?? emptyAccount;
  if (state.depth >= depthMax || balance < value) {
    frame.gas += gas;
    frame.push(0n);
    return null;
  }
  const isDelegate = opcode === delegateCallOpcode;
  const begun = beginMessage({
    caller: isDelegate ? frame.caller : frame.address,
    to: opcode === callOpcode || opcode === staticCallOpcode ? Party.ofKey(target) : frame.address,
    codeAddress: target,
    data: inLength === 0n ? nothing : frame.memory.subarray(Number(inOffset), Number(inOffset + inLength)),
    value: isDelegate ? frame.callValue : value,
    transfers: !isDelegate,
    gas,
    state: new MessageState(state.world, {
      depth: state.depth + 1,
      isStatic: state.isStatic || opcode === staticCallOpcode,
      refund: state.refund,
      destroyed: state.destroyed,
      created: state.created,
      outOffset: Number(outOffset),
      outLength: Number(outLength),
    }),
  });
  if (begun instanceof Frame) return begun;
  if ('then' in begun) return begun.then((outcome) => deliver(frame, outcome));
  deliver(frame, begun);
  return null;
}

/** Gas for the accounts that a call looks at: warm or cold (EIP-2929), value, a new account, whoever it delegates to (EIP-7702). */
function accessGas(frame: Frame, opcode: number, target: Address, value: bigint): number {
  const { journal, overlay, instructions } = frame.message!.world;
  const { rules } = instructions;
  let gas = journal.warmAddress(target) ? rules.warm : rules.coldAccount;
  const account = overlay.account(target);
  if (value !== 0n) {
    gas += rules.valueTransfer;
    if (opcode === callOpcode && (account === null || isEmptyAccount(account))) gas += rules.newAccount;
  }
  const code = rules.delegates && account !== null ? delegationOf(overlay, account) : null;
  if (code !== null) gas += journal.warmAddress(delegateIn(code)) ? rules.warm : rules.coldAccount;
  return gas;
}

function delegationOf(overlay: StateOverlay, account: AccountRecord): Uint8Array | null {
  if (!hasCode(account)) return null;
  const code = overlay.codeOf(account);
  return isDelegation(code) ? code : null;
}
