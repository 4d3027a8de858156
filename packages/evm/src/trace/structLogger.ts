import type { StructLoggerSettings } from '@prime/codec';
import { type Address, bytesToHex, type Hash } from '@prime/primitives';
import { wordKey } from '../state/bytes.ts';
import type { StateOverlay } from '../state/overlay.ts';
import type { TraceBudget } from './budget.ts';
import { type FrameEnd, hashOfWord, type OpcodeStep, type TracedTransaction, type Tracer } from './hooks.ts';
import { opcodeName } from './opcodeNames.ts';

const sload = 0x54;
const sstore = 0x55;

interface StructLog {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  error?: string;
  readonly stack?: readonly string[];
  readonly returnData?: string;
  readonly memory?: readonly string[];
  readonly storage?: Readonly<Record<string, string>>;
  readonly refund: number;
}

/** Failures of the instruction itself, before it does anything; others happen in it, and its step shows none. */
const failsBefore = /^(out of gas|stack underflow|stack limit)/;

/**
 * Every instruction with what it finds: the trace that is made when no tracer is named. Memory, storage keys and values are 0x words, as
 * the execution API specification wants them.
 *
 * @see geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers, "Struct/opcode logger"
 */
export class StructLogger implements Tracer {
  readonly wantsOpcodes = true;
  private readonly config: StructLoggerSettings;
  private readonly budget: TraceBudget;
  private readonly logs: string[] = [];
  /** The newest step, which may still turn out to fail. */
  private last: StructLog | null = null;
  private readonly storage = new Map<Address, Map<Hash, Hash>>();
  private state: StateOverlay | null = null;
  private outcome: FrameEnd | null = null;
  private gasUsed = 0n;

  constructor(config: StructLoggerSettings, budget: TraceBudget) {
    this.config = config;
    this.budget = budget;
  }

  start(_: TracedTransaction, state: StateOverlay): void {
    this.state = state;
  }

  opcode(step: OpcodeStep): void {
    this.flush();
    const { limit, disableStack, enableReturnData, enableMemory } = this.config;
    if (limit > 0 && this.logs.length >= limit) return;
    const { refund } = step;
    const storage = this.storageAt(step);
    const returnData = enableReturnData ? step.returnData() : null;
    this.last = {
      pc: step.pc,
      op: opcodeName(step.opcode),
      gas: Number(step.gas),
      gasCost: Number(step.cost),
      depth: step.depth,
      ...(disableStack ? {} : { stack: step.stack().map((item) => `0x${item.toString(16)}`) }),
      ...(returnData === null ? {} : { returnData: bytesToHex(returnData) }),
      ...(enableMemory ? { memory: wordsOf(step.memory()) } : {}),
      ...(storage === null ? {} : { storage }),
      refund: Number(refund),
    };
  }

  private flush(): void {
    if (this.last === null) return;
    const text = JSON.stringify(this.last);
    this.last = null;
    this.budget.spend(text.length + 1);
    this.logs.push(text);
  }

  exit(end: FrameEnd): void {
    if (end.depth === 0) this.outcome = end;
    if (end.failure === null || this.last?.depth !== end.depth + 1) return;
    if (failsBefore.test(end.failure.words)) this.last.error = end.failure.words;
  }

  end(gasUsed: bigint): void {
    this.gasUsed = gasUsed;
  }

  result(): string {
    this.flush();
    const { outcome } = this;
    const failed = outcome !== null && outcome.failure !== null;
    const shown = outcome !== null && (!failed || outcome.failure?.reverted === true);
    const returnValue = shown ? bytesToHex(outcome.output) : '0x';
    this.budget.spend(returnValue.length);
    return `{"gas":${this.gasUsed},"failed":${failed},"returnValue":"${returnValue}","structLogs":[${this.logs.join(',')}]}`;
  }

  /** Slots of the contract that were read or written so far, at the instructions that do so. */
  private storageAt(step: OpcodeStep): Record<string, string> | null {
    const { opcode, stackLength } = step;
    if (this.config.disableStorage || this.state === null) return null;
    const isRead = opcode === sload && stackLength >= 1;
    if (!isRead && !(opcode === sstore && stackLength >= 2)) return null;
    const { address } = step;
    const slot = hashOfWord(step.peek(0));
    const value = isRead ? wordAt(this.state, address, slot) : hashOfWord(step.peek(1));
    let slots = this.storage.get(address);
    if (slots === undefined) this.storage.set(address, (slots = new Map()));
    slots.set(slot, value);
    return Object.fromEntries(slots);
  }
}

function wordAt(state: StateOverlay, address: Address, slot: Hash): Hash {
  const word = new Uint8Array(32);
  const value = state.slot(address, slot);
  word.set(value, 32 - value.length);
  return wordKey(word);
}

const wordsOf = (memory: Uint8Array): string[] =>
  Array.from({ length: memory.length / 32 }, (_, index) => bytesToHex(memory.subarray(index * 32, index * 32 + 32)));
