import type { Common } from '@ethereumjs/common';
import type { EVM, EVMResult, EVMRunCallOpts, Message } from '@ethereumjs/evm';
import type { VM } from '@ethereumjs/vm';
import { type Address, bytesToAddress, bytesToHash, zeroAddress } from '@prime/primitives';
import type { BlockHashOf } from '../block/environment.ts';
import { createLibraryVm } from '../library/libraryVm.ts';
import type { OrderViews } from '../ports.ts';
import { failureWords, isRevert } from '../read/words.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';
import type { FrameEnd, FrameFailure, FrameKind, FrameStart, OpcodeStep, Tracer } from './hooks.ts';

/**
 * A VM that tells tracers what it does.
 *
 * Entering and leaving frames is seen around `runCall`; by which instruction, and that a call failed before it began, around the few
 * instructions that matter. Single steps come from the interpreter's own hook, which is only reached while somebody listens.
 */
export interface TraceVm {
  readonly vm: VM;
  /** Runs work while a tracer listens. */
  traced<T>(tracer: Tracer, work: () => Promise<T>): Promise<T>;
}

const frameOpcodes: Readonly<Record<number, FrameKind>> = {
  0xf0: 'CREATE',
  0xf1: 'CALL',
  0xf2: 'CALLCODE',
  0xf4: 'DELEGATECALL',
  0xf5: 'CREATE2',
  0xfa: 'STATICCALL',
};
const logOpcodes = [0xa0, 0xa1, 0xa2, 0xa3, 0xa4] as const;
const selfdestructOpcode = 0xff;
const depthMax = 1024;
const callStipend = 2_300n;
const noBytes = new Uint8Array(0);

/** The parts of the library's interpreter that are looked at; they are not among its exports. */
interface RunState {
  readonly programCounter: number;
  readonly opCode: number;
  readonly gasLeft: bigint;
  readonly gasRefund: bigint;
  readonly messageGasLimit: bigint | undefined;
  readonly memoryWordCount: bigint;
  readonly code: Uint8Array;
  readonly returnBytes: Uint8Array;
  readonly stack: { readonly length: number; readonly _store: readonly bigint[]; getStack(): bigint[] };
  readonly memory: { readonly _store: Uint8Array; read(offset: number, size: number): Uint8Array };
  readonly env: {
    readonly depth: number;
    readonly address: LibraryAddress;
    readonly callValue: bigint;
    readonly contract: { readonly balance: bigint };
  };
  readonly interpreter: {
    readonly _evm: object;
    readonly _result: { readonly logs: readonly (readonly [Uint8Array, Uint8Array[], Uint8Array])[] };
    getSelfBalance(): bigint;
  };
}
interface LibraryAddress {
  readonly bytes: Uint8Array;
}

type Handler = (runState: RunState, ...rest: readonly unknown[]) => unknown;

/** The call that an instruction is about to make, until its frame is entered. */
interface Pending extends FrameStart {
  /** Why it fails when no frame is entered; null when the instruction itself decides that there is nothing to call. */
  readonly failure: string | null;
}

const unused = (): void => undefined;

/** Makes an EVM for tracing alone, since its hooks slow down what runs in it. */
export async function createTraceVm(
  common: Common,
  manager: OverlayStateManager,
  blockHashOf: BlockHashOf,
  orderViews?: OrderViews,
): Promise<TraceVm> {
  const vm = await createLibraryVm(common, manager, blockHashOf, orderViews);
  const evm = vm.evm as EVM;
  const instruments = new Instruments();
  instruments.wrapFrames(evm);
  instruments.wrapInstructions(evm);
  await wrapSteps(evm);
  return {
    vm,
    async traced(tracer, work) {
      const steps = tracer.opcode !== undefined && tracer.wantsOpcodes;
      instruments.listen(tracer);
      if (steps) stepListeners.set(evm, tracer);
      // An EVM that nobody listens to takes shorter ways than the ones that are wrapped here.
      const events = steps ? (['beforeMessage', 'step'] as const) : (['beforeMessage'] as const);
      for (const event of events) evm.events.on(event, unused);
      try {
        return await work();
      } finally {
        instruments.listen(null);
        stepListeners.delete(evm);
        for (const event of events) evm.events.off(event, unused);
      }
    },
  };
}

class Instruments {
  private tracer: Tracer | null = null;
  private pending: Pending | null = null;

  listen(tracer: Tracer | null): void {
    this.tracer = tracer;
    this.pending = null;
  }

  /** Tells of every frame that the library enters, the outermost one included. */
  wrapFrames(evm: EVM): void {
    const runCall = evm.runCall.bind(evm);
    evm.runCall = async (options) => {
      const { tracer } = this;
      if (tracer === null) return runCall(options);
      const start = this.pending ?? outermostFrame(options);
      this.pending = null;
      tracer.enter?.(start);
      const result = await runCall(options);
      if (tracer.wantsOpcodes) tellEnd(tracer, result);
      tracer.exit?.(frameEnd(start, result, options.message));
      return result;
    };
  }

  wrapInstructions(evm: EVM): void {
    const table = (evm as unknown as { _opcodeMap: Record<number, { opHandler: Handler }> })._opcodeMap;
    const wrap = (opcode: number, around: (handler: Handler) => Handler): void => {
      const entry = table[opcode]!;
      entry.opHandler = around(entry.opHandler);
    };
    for (const [opcode, kind] of Object.entries(frameOpcodes))
      wrap(Number(opcode), (handler) => this.aroundFrame(kind, handler));
    for (const opcode of logOpcodes) wrap(opcode, (handler) => this.aroundLog(handler));
    wrap(selfdestructOpcode, (handler) => this.aroundSelfdestruct(handler));
  }

  private aroundFrame(kind: FrameKind, handler: Handler): Handler {
    return async (runState, ...rest) => {
      const { tracer } = this;
      if (tracer === null) {
        await handler(runState, ...rest);
        return;
      }
      const pending = pendingFrame(kind, runState);
      this.pending = pending;
      await handler(runState, ...rest);
      if (this.pending !== pending) return;
      // No frame was entered.
      this.pending = null;
      if (pending.failure === null) return;
      tracer.enter?.(pending);
      const failure = { words: pending.failure, reverted: false };
      tracer.exit?.({ depth: pending.depth, output: noBytes, gasUsed: 0n, failure, created: null });
    };
  }

  private aroundLog(handler: Handler): Handler {
    return (runState, ...rest) => {
      const result = handler(runState, ...rest);
      const [address, topics, data] = runState.interpreter._result.logs.at(-1)!;
      this.tracer?.log?.({ address: bytesToAddress(address), topics: topics.map(bytesToHash), data });
      return result;
    };
  }

  private aroundSelfdestruct(handler: Handler): Handler {
    return (runState, ...rest) => {
      if (this.tracer !== null && runState.stack.length > 0) {
        const depth = runState.env.depth + 1;
        const from = bytesToAddress(runState.env.address.bytes);
        const to = addressFromStack(runState, 0);
        const value = runState.interpreter.getSelfBalance();
        this.tracer.enter?.({ kind: 'SELFDESTRUCT', depth, from, to, input: noBytes, gas: 0n, value });
        this.tracer.exit?.({ depth, output: noBytes, gasUsed: 0n, failure: null, created: null });
      }
      return handler(runState, ...rest);
    };
  }
}

const peek = (runState: RunState, fromTop: number): bigint =>
  runState.stack._store[runState.stack.length - 1 - fromTop] ?? 0n;

const addressFromStack = (runState: RunState, fromTop: number): Address =>
  `0x${(peek(runState, fromTop) & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}` as Address;

function memoryAt(runState: RunState, offset: bigint, size: bigint): Uint8Array {
  return size === 0n ? noBytes : runState.memory.read(Number(offset), Number(size)).slice();
}

/** The frame that an instruction asks for; its operands are still on the stack, its gas is charged and memory is there. */
function pendingFrame(kind: FrameKind, runState: RunState): Pending {
  const { env } = runState;
  const from = bytesToAddress(env.address.bytes);
  const base = { kind, depth: env.depth + 1, from };
  const gas = runState.messageGasLimit ?? 0n;
  if (kind === 'CREATE' || kind === 'CREATE2') {
    const value = peek(runState, 0);
    const input = memoryAt(runState, peek(runState, 1), peek(runState, 2));
    const failure = quickFailure(env, value) ?? 'nonce uint64 overflow';
    return { ...base, to: null, gas, value, input, failure };
  }
  const takesValue = kind === 'CALL' || kind === 'CALLCODE';
  const sent = takesValue ? peek(runState, 2) : 0n;
  const place = takesValue ? 3 : 2;
  return {
    ...base,
    to: addressFromStack(runState, 1),
    gas: sent > 0n ? gas + callStipend : gas,
    value: takesValue ? sent : kind === 'DELEGATECALL' ? env.callValue : null,
    input: memoryAt(runState, peek(runState, place), peek(runState, place + 1)),
    failure: quickFailure(env, sent),
  };
}

function quickFailure(env: RunState['env'], value: bigint): string | null {
  if (env.depth >= depthMax) return 'max call depth exceeded';
  return env.contract.balance < value ? 'insufficient balance for transfer' : null;
}

function outermostFrame(options: EVMRunCallOpts): FrameStart {
  return {
    kind: options.to === undefined ? 'CREATE' : 'CALL',
    depth: 0,
    from: options.caller === undefined ? zeroAddress : bytesToAddress(options.caller.bytes),
    to: options.to === undefined ? null : bytesToAddress(options.to.bytes),
    input: options.data ?? noBytes,
    gas: options.gasLimit ?? 0n,
    value: options.value ?? 0n,
  };
}

function frameEnd(start: FrameStart, { execResult, createdAddress }: EVMResult, message?: Message): FrameEnd {
  const isCreation = start.to === null;
  const created = createdAddress ?? (isCreation ? message?.to : undefined);
  const failure: FrameFailure | null =
    execResult.exceptionError === undefined
      ? null
      : { words: failureWords(execResult), reverted: isRevert(execResult) };
  return {
    depth: start.depth,
    output: execResult.returnValue,
    gasUsed: execResult.executionGasUsed,
    failure,
    created: created === undefined ? null : bytesToAddress(created.bytes),
  };
}

/** Who listens to the steps of which EVM: the interpreter's hook is on its prototype, which all of them share. */
const stepListeners = new WeakMap<object, Tracer>();

interface InterpreterPrototype {
  [stepsWrapped]?: true;
  _runStepHook(this: InterpreterThis, fee: bigint, gasLeft: bigint, memoryWords: bigint): Promise<void>;
}
interface InterpreterThis {
  readonly _evm: object;
  readonly _runState: RunState;
}

const stepsWrapped = Symbol('steps are told to tracers');

async function wrapSteps(evm: EVM): Promise<void> {
  const { runState } = await evm.runCode({ code: Uint8Array.of(0), gasLimit: 1n });
  const prototype = Object.getPrototypeOf(runState!.interpreter) as InterpreterPrototype;
  if (prototype[stepsWrapped] === true) return;
  const usual = prototype._runStepHook;
  prototype._runStepHook = async function (fee, gasLeft, memoryWords) {
    const tracer = stepListeners.get(this._evm);
    if (tracer === undefined) return usual.call(this, fee, gasLeft, memoryWords);
    tracer.opcode?.(new Step(this._runState, fee, Number(memoryWords)));
  };
  prototype[stepsWrapped] = true;
}

/** STOP, RETURN, REVERT, SELFDESTRUCT: instructions that end a frame. */
const endings: ReadonlySet<number> = new Set([0x00, 0xf3, 0xfd, selfdestructOpcode]);

/** Code that ends without one of them stops as if a STOP stood behind it, and that is a step for who counts them. */
function tellEnd(tracer: Tracer, { execResult }: EVMResult): void {
  const runState = execResult.runState as unknown as RunState | undefined;
  if (runState === undefined || execResult.exceptionError !== undefined || endings.has(runState.opCode)) return;
  // What the library hands out has the refund that the frame began with.
  const atEnd = { ...runState, gasRefund: execResult.gasRefund ?? 0n, opCode: 0, code: noBytes };
  tracer.opcode?.(new Step(atEnd, 0n, Number(runState.memoryWordCount)));
}

/** Calls are charged the gas that they pass on, creations are not: they take it while they run. */
const passesGasOn = (opcode: number): boolean =>
  opcode === 0xf1 || opcode === 0xf2 || opcode === 0xf4 || opcode === 0xfa;

/** A view of the interpreter before an instruction; what is not asked for is not copied. */
class Step implements OpcodeStep {
  readonly opcode: number;
  private readonly runState: RunState;
  private readonly fee: bigint;
  private readonly memoryWords: number;

  constructor(runState: RunState, fee: bigint, memoryWords: number) {
    this.runState = runState;
    this.fee = fee;
    this.memoryWords = memoryWords;
    this.opcode = runState.code[runState.programCounter] ?? runState.opCode;
  }

  get pc(): number {
    return this.runState.programCounter;
  }

  get gas(): bigint {
    return this.runState.gasLeft;
  }

  get cost(): bigint {
    return passesGasOn(this.opcode) ? this.fee + (this.runState.messageGasLimit ?? 0n) : this.fee;
  }

  get depth(): number {
    return this.runState.env.depth + 1;
  }

  get refund(): bigint {
    return this.runState.gasRefund;
  }

  get address(): Address {
    return bytesToAddress(this.runState.env.address.bytes);
  }

  get stackLength(): number {
    return this.runState.stack.length;
  }

  peek(fromTop: number): bigint {
    return peek(this.runState, fromTop);
  }

  stack(): readonly bigint[] {
    return this.runState.stack.getStack();
  }

  memory(): Uint8Array {
    const bytes = new Uint8Array(this.memoryWords * 32);
    bytes.set(this.runState.memory._store.subarray(0, bytes.length));
    return bytes;
  }

  returnData(): Uint8Array {
    return this.runState.returnBytes;
  }
}
