import type { CallTracerSettings, Log } from '@prime/codec';
import { bytesToHex, toQuantity } from '@prime/primitives';
import type { TraceBudget } from './budget.ts';
import type { FrameEnd, FrameStart, TracedTransaction, Tracer } from './hooks.ts';
import { revertReason } from './revertReason.ts';

/** A frame as it is shown; the order of the fields is go-ethereum's. */
interface CallFrame {
  readonly from: string;
  gas: string;
  gasUsed: string;
  to?: string;
  readonly input: string;
  output?: string;
  error?: string;
  revertReason?: string;
  calls?: CallFrame[];
  logs?: CallLog[];
  readonly value?: string;
  readonly type: string;
}

interface CallLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** Place among the logs of the block. */
  readonly index: string;
  /** Calls that the frame had made when it was emitted. */
  readonly position: string;
}

/** Field names, quotes and numbers of one frame or log. */
const frameCharacters = 320;

/** The tree of calls of a transaction. @see geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers, "Call tracer" */
export class CallTracer implements Tracer {
  readonly wantsOpcodes = false;
  private readonly config: CallTracerSettings;
  private readonly budget: TraceBudget;
  private readonly open: CallFrame[] = [];
  /** Logs counted when each open frame was entered, the ones that are not shown included. */
  private readonly logMarks: number[] = [];
  private gasLimit = 0n;
  private logCount = 0;
  private top: CallFrame | null = null;

  constructor(config: CallTracerSettings, budget: TraceBudget) {
    this.config = config;
    this.budget = budget;
  }

  start({ gasLimit, logsBefore }: TracedTransaction): void {
    this.gasLimit = gasLimit;
    this.logCount = logsBefore;
  }

  enter(start: FrameStart): void {
    this.logMarks.push(this.logCount);
    if (this.config.onlyTopCall && start.depth > 0) return;
    this.budget.spend(frameCharacters + start.input.length * 2);
    const gas = start.depth === 0 ? this.gasLimit : start.gas;
    const frame: CallFrame = {
      from: start.from,
      gas: toQuantity(gas),
      gasUsed: '0x0',
      ...(start.to === null ? {} : { to: start.to }),
      input: bytesToHex(start.input),
      ...(start.value === null ? {} : { value: toQuantity(start.value) }),
      type: start.kind,
    };
    this.open.push(frame);
  }

  exit(end: FrameEnd): void {
    const logsBefore = this.logMarks.pop()!;
    if (end.failure !== null) this.logCount = logsBefore;
    if (this.config.onlyTopCall && end.depth > 0) return;
    const frame = this.open.pop()!;
    frame.gasUsed = toQuantity(end.gasUsed);
    this.finish(frame, end);
    if (end.failure !== null) dropLogs(frame);
    const parent = this.open.at(-1);
    if (parent === undefined) this.top = frame;
    else (parent.calls ??= []).push(frame);
  }

  private finish(frame: CallFrame, { output, failure, created }: FrameEnd): void {
    if (failure === null) {
      if (created !== null) frame.to = created;
      if (output.length > 0) frame.output = this.hex(output);
      return;
    }
    frame.error = failure.words;
    if (!failure.reverted || output.length === 0) return;
    frame.output = this.hex(output);
    const reason = revertReason(output);
    if (reason !== null) frame.revertReason = reason;
  }

  log({ address, topics, data }: Log): void {
    const index = this.logCount++;
    const frame = this.open.at(-1);
    // Where only the outermost frame is wanted, a log of an inner one is not its own.
    if (!this.config.withLog || frame === undefined || this.logMarks.length > this.open.length) return;
    this.budget.spend(frameCharacters + data.length * 2);
    const position = frame.calls?.length ?? 0;
    (frame.logs ??= []).push({
      address,
      topics,
      data: bytesToHex(data),
      index: toQuantity(index),
      position: toQuantity(position),
    });
  }

  end(gasUsed: bigint): void {
    if (this.top !== null) this.top.gasUsed = toQuantity(gasUsed);
  }

  result(): string {
    return JSON.stringify(this.top ?? {});
  }

  private hex(bytes: Uint8Array): string {
    this.budget.spend(bytes.length * 2);
    return bytesToHex(bytes);
  }
}

/** What a failed frame and everything below it emitted did not happen. */
function dropLogs(frame: CallFrame): void {
  delete frame.logs;
  for (const call of frame.calls ?? []) dropLogs(call);
}
