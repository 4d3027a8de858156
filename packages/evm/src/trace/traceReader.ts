import type { StateReaderOptions } from '../read/stateReader.ts';
import type { Common } from '@ethereumjs/common';
import {
  type AccessListEntry,
  type AccessListOutcome,
  type CallFailure,
  type CallMessage,
  type CallTrace,
  decodeTransaction,
  type SimulatedBlock,
  type SimulationRequest,
  type StateContext,
  type TraceOptions,
  type TracerSettings,
  type VerifiedTransaction,
} from '@prime/codec';
import {
  type Address,
  bigintMin,
  bytesToHash,
  type Hash,
  type Height,
  SerialQueue,
  zeroAddress,
} from '@prime/primitives';
import { moveBalance, startBlock } from '../block/blockStart.ts';
import { type BlockHashOf, libraryBlock } from '../block/environment.ts';
import { EvmError } from '../errors.ts';
import { BlockExecution } from '../block/execute.ts';
import type { ExecutionContext } from '../transaction/transact.ts';
import type { BalanceMove, BlockEnvironment } from '../ports.ts';
import { authorityOf } from '../read/authorizations.ts';
import { createDeadline, type Deadline } from '../read/deadline.ts';
import { executeMessage, settle } from '../read/execution.ts';
import { type BlockOf, createBlocks } from '../read/overrides.ts';
import { prepareCall } from '../read/prepare.ts';
import { failureWords } from '../read/words.ts';
import { emptyAccount } from '../state/account.ts';
import { simulate, type SimulationLimits } from '../simulate/simulation.ts';
import { bytesOf } from '../state/bytes.ts';
import { StateOverlay } from '../state/overlay.ts';
import { createStateTrie } from '../state/stateTrie.ts';
import type { StateSource } from '../state/source.ts';
import { OverlayStateManager } from '../state/stateManager.ts';
import { createTrieSources } from '../state/trieSource.ts';
import { AccessListTracer } from './accessListTracer.ts';
import type { FrameStart, Tracer } from './hooks.ts';
import { createTraceVm, type TraceVm } from './instruments.ts';
import { createAddress } from './prestateTracer.ts';
import { createTracer } from './tracers.ts';
import { createTraceBudget } from './budget.ts';

/** The states that traces run on, and how large an answer may grow. */
export interface TraceReaderOptions
  extends Pick<StateReaderOptions, 'database' | 'common' | 'blockHashOf' | 'orderViews' | 'now'> {
  /** Most gas of a traced call. */
  readonly callGasMax: bigint;
  /** Most characters of JSON of a trace, or of what a simulation or an access list answers. */
  readonly charactersMax: number;
  /** Most blocks of a simulation, the empty ones between numbers included, and most calls of them together. */
  readonly simulation: SimulationLimits;
}

/** All that it takes to run the transactions of a committed block again. */
export interface ReplayedBlock {
  readonly environment: BlockEnvironment;
  /** Root of the state before the block. */
  readonly parentStateRoot: Hash;
  /** What the block paid outside of its transactions before they ran. */
  readonly movesBefore: readonly BalanceMove[];
  readonly transactions: readonly VerifiedTransaction[];
}

/** A place in a block: after its first transactions. */
export interface BlockPlace {
  readonly block: ReplayedBlock;
  /** How many transactions of the block ran before. */
  readonly index: number;
}

/**
 * Runs transactions of the past and calls again while tracers watch. Has an EVM of its own, because tracing slows one down.
 *
 * All methods throw EvmError `EVM_CALL_TIMEOUT`, `EVM_TRACE_TOO_LARGE`, `EVM_NODE_MISSING`.
 */
export interface TraceReader {
  /** JSON text. @throws EvmError `EVM_NOT_EXECUTED` */
  transaction(block: ReplayedBlock, index: number, options: TraceOptions): Promise<string>;
  /** JSON text: a list of `{txHash, result}`, or `{txHash, error}` for what was not executed. */
  block(block: ReplayedBlock, options: TraceOptions): Promise<string>;
  /** @param place where the message runs in the block of `at`; null is after all of it */
  call(message: CallMessage, at: StateContext, options: TraceOptions, place?: BlockPlace | null): Promise<CallTrace>;
  /** The access list (EIP-2930) with which a message costs least, or the failure of one that can not begin. */
  accessList(message: CallMessage, at: StateContext, timeoutMs: number): Promise<AccessListOutcome>;
  /** Blocks that nobody proposed, on the state after the base block. @throws EvmError `EVM_SIMULATION_REFUSED` */
  simulate(request: SimulationRequest, timeoutMs: number): Promise<readonly SimulatedBlock[]>;
}

/** Does one trace after another: all share one EVM and one overlay. */
export async function createTraceReader(options: TraceReaderOptions): Promise<TraceReader> {
  const sourceAt = createTrieSources(options.database);
  const manager = new OverlayStateManager(sourceAt(bytesToHash(emptyAccount.storageRoot)));
  const simulated = new Map<Height, Hash>();
  const blockHashOf: BlockHashOf = (height) => simulated.get(height) ?? options.blockHashOf(height);
  const traceVm = await createTraceVm(options.common, manager, blockHashOf, options.orderViews);
  const deadline = createDeadline(traceVm.vm, options.now ?? (() => performance.now()));
  manager.guard = deadline.check;
  const work = new OneTracer({
    ...options,
    simulated,
    traceVm,
    manager,
    check: deadline.check,
    sourceAt,
    blockOf: createBlocks(options.common),
  });
  const queue = new SerialQueue();
  const timed = <T>(timeoutMs: number, run: () => Promise<T>): Promise<T> =>
    queue.run(() => withDeadline(deadline, timeoutMs, run));
  return {
    transaction: (block, index, { tracer, timeoutMs }) =>
      timed(timeoutMs, () => work.transaction(block, index, tracer)),
    block: (block, { tracer, timeoutMs }) => timed(timeoutMs, () => work.block(block, tracer)),
    call: (message, at, { tracer, timeoutMs }, place = null) =>
      timed(timeoutMs, () => work.call(message, at, tracer, place)),
    accessList: (message, at, timeoutMs) => timed(timeoutMs, () => work.accessList(message, at)),
    simulate: (request, timeoutMs) => timed(timeoutMs, () => work.simulate(request)),
  };
}

async function withDeadline<T>(deadline: Deadline, timeoutMs: number, run: () => Promise<T>): Promise<T> {
  deadline.start(timeoutMs);
  try {
    return await run();
  } finally {
    deadline.start(null);
  }
}

interface Surroundings extends TraceReaderOptions {
  /** Hashes of the blocks that are being simulated. */
  readonly simulated: Map<Height, Hash>;
  readonly traceVm: TraceVm;
  readonly manager: OverlayStateManager;
  /** Throws when the time is over. */
  readonly check: () => void;
  readonly sourceAt: (root: Hash) => StateSource;
  readonly blockOf: BlockOf;
}

/** The work without its deadline; one thing at a time. */
class OneTracer {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  async transaction(block: ReplayedBlock, index: number, config: TracerSettings): Promise<string> {
    const replay = await this.replayBefore({ block, index });
    const tracer = this.createTracer(config, this.around.charactersMax);
    if (await replay.trace(index, tracer)) return tracer.result();
    const { hash } = block.transactions[index]!;
    throw new EvmError(`transaction ${hash} was not executed: its block found it without funds or with another nonce`, {
      code: 'EVM_NOT_EXECUTED',
      transactionHash: hash,
    });
  }

  async block(block: ReplayedBlock, config: TracerSettings): Promise<string> {
    const replay = this.startReplay(block);
    const entries: string[] = [];
    let left = this.around.charactersMax;
    for (const [index, { hash }] of block.transactions.entries()) {
      const tracer = this.createTracer(config, left);
      const executed = await replay.trace(index, tracer);
      const shown = executed ? `"result":${tracer.result()}` : '"error":"transaction was not executed"';
      const entry = `{"txHash":"${hash}",${shown}}`;
      left -= entry.length;
      entries.push(entry);
    }
    return `[${entries.join(',')}]`;
  }

  async call(
    message: CallMessage,
    at: StateContext,
    config: TracerSettings,
    place: BlockPlace | null,
  ): Promise<CallTrace> {
    const { traceVm, callGasMax, charactersMax } = this.around;
    const replay = place === null ? null : await this.replayBefore(place);
    const prepared = this.prepare(message, at, replay === null ? undefined : () => replay.overlay);
    if ('status' in prepared) return prepared as CallFailure;
    const gasLimit = bigintMin(message.gas ?? callGasMax, callGasMax);
    const tracer = this.createTracer(config, charactersMax);
    const from = message.from ?? zeroAddress;
    return prepared.run(async (execution, fees) => {
      const { nonce } = execution.overlay.account(from) ?? emptyAccount;
      const coinbase = execution.block.header.coinbase.toString() as Address;
      const authorities = message.authorizationList.map(authorityOf).filter((authority) => authority !== null);
      tracer.start?.(
        { from, to: message.to, nonce, gasLimit, coinbase, authorities, logsBefore: replay?.logCount ?? 0 },
        execution.overlay,
      );
      const outcome = await traceVm.traced(tracer, () => executeMessage(execution, message, fees, gasLimit));
      if (outcome.kind === 'refused') return { status: 'failure', message: outcome.message, gasUsed: 0n };
      await settle(execution, message, fees, { gasLimit, execution: outcome });
      tracer.end?.(outcome.gasUsed);
      return { status: 'traced', trace: tracer.result() };
    });
  }

  async simulate(request: SimulationRequest): Promise<readonly SimulatedBlock[]> {
    const { traceVm, common, manager, sourceAt, database, simulated, simulation: limits, check } = this.around;
    const { callGasMax: gasMax, charactersMax } = this.around;
    const { stateRoot } = request.base.roots;
    const source = sourceAt(stateRoot);
    const flat = { ...source, slots: async function* () {}, committed: () => undefined };
    const trie = createStateTrie({ database, source: flat, committedRoot: bytesOf(stateRoot), listsDropped: false });
    const rootOf = (overlay: StateOverlay): Hash => bytesToHash(trie.rootOf(overlay));
    const onBlock = (height: Height, hash: Hash): void => {
      simulated.set(height, hash);
    };
    try {
      const overlay = new StateOverlay(source, request.base.header.height);
      const budget = createTraceBudget(charactersMax);
      return await simulate(
        { traceVm, common, manager, overlay, rootOf, onBlock, gasMax, limits, budget, check },
        request,
      );
    } finally {
      simulated.clear();
    }
  }

  /** What a list makes warm may let code come further than without it, so it is run until the list does not grow any more. */
  async accessList(message: CallMessage, at: StateContext): Promise<AccessListOutcome> {
    const { traceVm, callGasMax, charactersMax, check } = this.around;
    const gasLimit = bigintMin(message.gas ?? callGasMax, callGasMax);
    let accessList = message.accessList ?? [];
    for (;;) {
      check();
      createTraceBudget(charactersMax).spend(charactersOf(accessList));
      const listed = { ...message, accessList };
      const prepared = this.prepare(listed, at);
      if ('status' in prepared) return prepared as CallFailure;
      const known = new AccessListTracer(new Set(), accessList).size;
      const tracer = new AccessListTracer(this.warmAnyway(message, prepared.openState()), accessList);
      const outcome = await prepared.run((execution, fees) =>
        traceVm.traced(tracer, () => executeMessage(execution, listed, fees, gasLimit)),
      );
      if (outcome.kind === 'refused') return { status: 'failure', message: outcome.message, gasUsed: 0n };
      if (tracer.size === known) {
        const { result, gasUsed } = outcome;
        const error = result.exceptionError === undefined ? null : failureWords(result);
        return { status: 'listed', accessList, gasUsed, error };
      }
      accessList = tracer.items;
    }
  }

  /** Sender, recipient, precompiles and who signed authorizations. */
  private warmAnyway({ from, to, authorizationList }: CallMessage, state: StateOverlay): ReadonlySet<Address> {
    const sender = from ?? zeroAddress;
    const recipient = to ?? createAddress(sender, (state.account(sender) ?? emptyAccount).nonce);
    const precompiles = [...this.around.traceVm.vm.evm.precompiles.keys()].map((key) => `0x${key}` as Address);
    const authorities = authorizationList.map(authorityOf).filter((authority) => authority !== null);
    return new Set([sender, recipient, ...precompiles, ...authorities]);
  }

  private prepare(
    message: CallMessage,
    at: StateContext,
    openState = () => new StateOverlay(this.around.sourceAt(at.stateRoot), at.height),
  ): ReturnType<typeof prepareCall> {
    const { traceVm, common, manager, blockOf } = this.around;
    return prepareCall({ vm: traceVm.vm, common, manager, openState, blockOf }, message, at);
  }

  private createTracer(config: TracerSettings, charactersMax: number): Tracer {
    const { precompiles } = this.around.traceVm.vm.evm;
    const isPrecompile = ({ to }: FrameStart): boolean => to !== null && precompiles.has(to.slice(2));
    return createTracer(config, charactersMax, isPrecompile);
  }

  private async replayBefore({ block, index }: BlockPlace): Promise<BlockReplay> {
    const replay = this.startReplay(block);
    for (let before = 0; before < index; before++) await replay.run(before);
    return replay;
  }

  private startReplay(block: ReplayedBlock): BlockReplay {
    const { manager, sourceAt, common, traceVm } = this.around;
    const overlay = new StateOverlay(sourceAt(block.parentStateRoot), (block.environment.height - 1) as Height);
    manager.overlay = overlay;
    return new BlockReplay(block, traceVm, common, overlay);
  }
}

/** What a list takes at least as JSON: 66 characters for a slot, 42 for an address, and quotes. */
const charactersOf = (list: readonly AccessListEntry[]): number =>
  list.reduce((sum, { storageKeys }) => sum + addressCharacters + storageKeys.length * slotCharacters, 0);
const addressCharacters = 44;
const slotCharacters = 68;

/** The transactions of a block one after another on the state before it, as the block pipeline ran them. */
class BlockReplay {
  private readonly block: ReplayedBlock;
  private readonly traceVm: TraceVm;
  private readonly context: ExecutionContext;
  private readonly execution: BlockExecution;
  private gasUsed = 0n;
  /** Logs so far. */
  logCount = 0;

  constructor(block: ReplayedBlock, traceVm: TraceVm, common: Common, overlay: StateOverlay) {
    const { environment } = block;
    this.block = block;
    this.traceVm = traceVm;
    startBlock(overlay, environment);
    for (const { from, to, amount } of block.movesBefore) moveBalance(overlay, from, to, amount);
    const { baseFee, gasLimit } = environment;
    const library = libraryBlock(environment, common);
    this.context = { common, block: library, overlay, proposer: environment.proposer, baseFee, gasLimit };
    this.execution = new BlockExecution(traceVm.vm, this.context);
  }

  /** The state so far. */
  get overlay(): StateOverlay {
    return this.context.overlay;
  }

  /** @returns gas that it used, 0 when it could not be executed at its turn */
  async run(index: number): Promise<bigint> {
    const place = { transactionIndex: index, gasBefore: this.gasUsed, baseFee: this.context.baseFee };
    const { gasUsed, logs } = await this.execution.execute(this.block.transactions[index]!, place);
    this.gasUsed += gasUsed;
    this.logCount += logs.length;
    return gasUsed;
  }

  /** @returns false when it could not be executed at its turn */
  async trace(index: number, tracer: Tracer): Promise<boolean> {
    const { sender, to, nonce, gasLimit, raw } = this.block.transactions[index]!;
    const { authorizationList } = decodeTransaction(raw);
    const authorities = (authorizationList ?? []).map(authorityOf).filter((authority) => authority !== null);
    const coinbase = this.block.environment.proposer;
    const described = { from: sender, to, nonce: BigInt(nonce), gasLimit, coinbase, authorities };
    tracer.start?.({ ...described, logsBefore: this.logCount }, this.context.overlay);
    const gasUsed = await this.traceVm.traced(tracer, () => this.run(index));
    if (gasUsed === 0n) return false;
    tracer.end?.(gasUsed);
    return true;
  }
}
