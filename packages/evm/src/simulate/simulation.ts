import type { Common } from '@ethereumjs/common';
import type { ExecResult } from '@ethereumjs/evm';
import type { VM } from '@ethereumjs/vm';
import {
  type BlockOverrides,
  bodyRoot,
  type CallMessage,
  type Header,
  headerHash,
  type Log,
  type Receipt,
  type SimulatedBlock,
  type SimulatedCall,
  type SimulationBlock,
  type SimulationRequest,
  type UnsignedTransaction,
  unsignedTransaction,
} from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { type Address, bigintMin, type Hash, type Height, type TimestampMs, zeroAddress } from '@prime/primitives';
import { nextBaseFee } from '../block/baseFee.ts';
import { startBlock } from '../block/blockStart.ts';
import { libraryBlock } from '../block/environment.ts';
import { EvmError } from '../errors.ts';
import { type Execution, executeMessage, nonceMax, settle } from '../read/execution.ts';
import type { Fees } from '../read/message.ts';
import { overrideAccounts, overridePrecompiles, withPrecompiles } from '../read/overrides.ts';
import { failureWords, isRevert } from '../read/words.ts';
import { logsBloom } from '../block/bloom.ts';
import { receiptsRoot } from '../block/receipts.ts';
import { emptyAccount } from '../state/account.ts';
import type { StateOverlay } from '../state/overlay.ts';
import type { OverlayStateManager } from '../state/stateManager.ts';
import type { TraceBudget } from '../trace/budget.ts';
import type { TraceVm } from '../trace/instruments.ts';
import { revertReason } from '../trace/revertReason.ts';
import { LogCollector } from './transferLogs.ts';

/** Numbers of the specification of eth_simulateV1 for what ends a simulation. */
type SimulationErrorCode =
  | -38010
  | -38011
  | -38012
  | -38013
  | -38014
  | -38015
  | -38020
  | -38021
  | -38022
  | -38025
  | -38026
  | -32602
  | -32000;

const simulationError = (number: SimulationErrorCode, words: string): EvmError =>
  new EvmError(words, { code: 'EVM_SIMULATION_REFUSED', number });

/** Most that one `eth_simulateV1` may ask for. */
export interface SimulationLimits {
  /** Blocks of one simulation, the ones that fill gaps between numbers included. */
  readonly blocksMax: number;
  /** Calls of all its blocks together. */
  readonly callsMax: number;
}

const secondMs = 1000;

/** The EVM and the state that a simulation runs on, and what ends it when it grows too large or takes too long. */
export interface SimulationSurroundings {
  readonly traceVm: TraceVm;
  readonly common: Common;
  readonly manager: OverlayStateManager;
  /** The state after the base block; what the simulation does stays in it. */
  readonly overlay: StateOverlay;
  readonly rootOf: (overlay: StateOverlay) => Hash;
  /** Told of each simulated block, for BLOCKHASH. */
  readonly onBlock: (height: Height, hash: Hash) => void;
  /** Gas of all calls together. */
  readonly gasMax: bigint;
  readonly limits: SimulationLimits;
  /** What the answer may grow to. */
  readonly budget: TraceBudget;
  /** Throws when the time is over. */
  readonly check: () => void;
}

/** Runs blocks that nobody proposed, one after another on the state after a block of the chain. */
export async function simulate(around: SimulationSurroundings, request: SimulationRequest): Promise<SimulatedBlock[]> {
  const blocks = inSequence(request, around.limits);
  const budget = { gas: around.gasMax };
  const done: SimulatedBlock[] = [];
  let parent = request.base;
  for (const block of blocks) {
    const simulated = await new BlockSimulation(around, request, parent, budget).run(block);
    around.onBlock(simulated.header.height, simulated.hash);
    done.push(simulated);
    parent = simulated;
  }
  return done;
}

/** The blocks with numbers and times, and empty ones where numbers are left out. @throws EvmError `EVM_SIMULATION_REFUSED` */
function inSequence({ blocks, base }: SimulationRequest, { blocksMax, callsMax }: SimulationLimits): SimulationBlock[] {
  const tooMany = (what: string, most: number): EvmError =>
    simulationError(-38026, `too many ${what}: at most ${most}`);
  if (blocks.reduce((sum, { calls }) => sum + calls.length, 0) > callsMax) throw tooMany('calls', callsMax);
  const sequence: SimulationBlock[] = [];
  let { height, timestampMs } = base.header;
  const push = (block: SimulationBlock, time: TimestampMs): void => {
    height = (height + 1) as Height;
    timestampMs = time;
    sequence.push({ ...block, blockOverrides: { ...block.blockOverrides, height, timestampMs } });
  };
  for (const block of blocks) {
    const { height: wanted, timestampMs: time } = block.blockOverrides;
    if (wanted !== null && wanted <= height)
      throw simulationError(-38020, `block numbers must be in order: ${wanted} <= ${height}`);
    if (wanted !== null && wanted - base.header.height > blocksMax) throw tooMany('blocks', blocksMax);
    while (wanted !== null && height + 1 < wanted)
      push({ ...block, stateOverrides: [], calls: [] }, (timestampMs + secondMs) as TimestampMs);
    const at = time ?? ((timestampMs + secondMs) as TimestampMs);
    if (at < timestampMs - (timestampMs % secondMs))
      throw simulationError(
        -38021,
        `block timestamps must be in order: ${at / 1000} <= ${Math.floor(timestampMs / 1000)}`,
      );
    push(block, at);
  }
  if (sequence.length > blocksMax) throw tooMany('blocks', blocksMax);
  return sequence;
}

class BlockSimulation {
  private readonly around: SimulationSurroundings;
  private readonly request: SimulationRequest;
  private readonly parent: SimulationRequest['base'];
  private readonly budget: { gas: bigint };
  private readonly calls: SimulatedCall[] = [];
  private readonly receipts: Receipt[] = [];
  private readonly transactions: Uint8Array[] = [];
  private gasUsed = 0n;

  constructor(
    around: SimulationSurroundings,
    request: SimulationRequest,
    parent: SimulationRequest['base'],
    budget: { gas: bigint },
  ) {
    this.around = around;
    this.request = request;
    this.parent = parent;
    this.budget = budget;
  }

  async run({ blockOverrides, stateOverrides, calls }: SimulationBlock): Promise<SimulatedBlock> {
    const { around, parent } = this;
    around.check();
    around.budget.spend(blockCharacters);
    const header = this.headerOf(blockOverrides);
    const prevRandao = blockOverrides.prevRandao ?? parent.hash;
    const environment = { ...header, prevRandao };
    overrideAccounts(around.overlay, stateOverrides);
    startBlock(around.overlay, environment);
    const { vm } = around.traceVm;
    const precompiles = overridePrecompiles(vm.evm.precompiles, stateOverrides);
    if ('refusal' in precompiles)
      throw simulationError(precompiles.isSelfReference ? -38022 : -32000, precompiles.refusal);
    const block = libraryBlock(environment, around.common, blockOverrides.blobBaseFee);
    await withPrecompiles(vm, precompiles, async () => {
      for (const call of calls) await this.call(call, header, block);
    });
    const hashes = this.transactions.map((raw) => keccakHex(raw));
    const sealed = { ...header, bodyRoot: bodyRoot(hashes, []) };
    const stateRoot = around.rootOf(around.overlay);
    const roots = { ...parent.roots, stateRoot, receiptsRoot: receiptsRoot(this.receipts), gasUsed: this.gasUsed };
    const { transactions, receipts } = this;
    return { header: sealed, hash: headerHash(sealed), roots, transactions, receipts, calls: this.calls };
  }

  private headerOf(overrides: BlockOverrides): Header {
    const { header, hash, roots } = this.parent;
    // Without validation nobody has to pay.
    const usual = this.request.validation ? nextBaseFee({ ...header, gasUsed: roots.gasUsed }) : 0n;
    return {
      ...header,
      height: overrides.height!,
      timestampMs: overrides.timestampMs!,
      parentHash: hash,
      parentResults: roots,
      proposer: overrides.feeRecipient ?? header.proposer,
      gasLimit: overrides.gasLimit ?? header.gasLimit,
      baseFee: overrides.baseFee ?? usual,
    };
  }

  private async call(message: CallMessage, header: Header, block: ReturnType<typeof libraryBlock>): Promise<void> {
    const { traceVm, common, manager, overlay } = this.around;
    const from = message.from ?? zeroAddress;
    const gasLimit = this.gasOf(message, header);
    const nonce = this.nonceOf(message, from);
    const fees = this.feesOf(message, header);
    const logs = new LogCollector(this.request.traceTransfers);
    const execution = { vm: traceVm.vm as VM, common, manager, overlay, block };
    const outcome = await traceVm.traced(logs, () => executeMessage(execution, message, fees, gasLimit));
    if (outcome.kind === 'refused') throw refusalOf(outcome, gasLimit);
    await settle(execution, message, fees, { gasLimit, execution: outcome });
    this.budget.gas -= outcome.gasUsed;
    this.gasUsed += outcome.gasUsed;
    this.record({ ...message, from, gas: gasLimit }, nonce, outcome, logs.logs, fees);
  }

  private gasOf({ gas }: CallMessage, { gasLimit }: Header): bigint {
    const left = gasLimit - this.gasUsed;
    if (gas !== null && gas > left)
      throw simulationError(-38015, `block gas limit reached: ${this.gasUsed + gas} >= ${gasLimit}`);
    if (this.budget.gas === 0n) throw simulationError(-38026, `RPC gas cap exhausted: ${this.around.gasMax}`);
    return bigintMin(gas ?? left, this.budget.gas);
  }

  private feesOf({ from, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: CallMessage, { baseFee }: Header): Fees {
    const cap = gasPrice ?? maxFeePerGas ?? 0n;
    const tip = gasPrice ?? maxPriorityFeePerGas ?? 0n;
    if (this.request.validation && cap < baseFee)
      throw simulationError(
        -38012,
        `max fee per gas less than block base fee: address ${from ?? zeroAddress}, maxFeePerGas: ${cap}, baseFee: ${baseFee}`,
      );
    const price = cap === 0n ? 0n : bigintMin(cap, baseFee + tip);
    return { price, cap, baseFee: bigintMin(price, baseFee) };
  }

  private nonceOf({ nonce }: CallMessage, from: Address): bigint {
    const state = (this.around.overlay.account(from) ?? emptyAccount).nonce;
    const given = nonce ?? state;
    if (this.request.validation && given < state)
      throw simulationError(-38010, `nonce too low: address ${from}, tx: ${given} state: ${state}`);
    if (this.request.validation && given > state)
      throw simulationError(-38011, `nonce too high: address ${from}, tx: ${given} state: ${state}`);
    if (this.request.validation && given === nonceMax)
      throw simulationError(-38011, `nonce has max value: address ${from}, nonce: ${given}`);
    return given;
  }

  private record(
    message: CallMessage & { readonly from: Address },
    nonce: bigint,
    outcome: Extract<Execution, { kind: 'ran' }>,
    logs: readonly Log[],
    fees: Fees,
  ): void {
    const { result, gasUsed, refund } = outcome;
    const { type, encode } = unsignedOf(message, nonce, this.parent.header.chainId);
    const raw = encode(null);
    this.around.budget.spend(charactersOf(result.returnValue, logs));
    const failed = result.exceptionError !== undefined;
    const failure = failed ? failureOf(result) : null;
    const returnData = failed ? new Uint8Array(0) : result.returnValue;
    this.calls.push({ from: message.from, returnData, gasUsed, maxUsedGas: gasUsed + refund, logs, failure });
    this.receipts.push({
      transactionHash: keccakHex(raw),
      transactionIndex: this.transactions.length,
      type,
      from: message.from,
      to: message.to,
      status: failed ? 0 : 1,
      gasUsed,
      cumulativeGasUsed: this.gasUsed,
      effectiveGasPrice: fees.price,
      contractAddress: null,
      logs,
      logsBloom: logsBloom(logs),
      output: failure?.revertData ?? returnData,
    });
    this.transactions.push(raw);
  }
}

/** What a block, a call and a log take at least as JSON: names, hashes, a bloom filter. */
const [blockCharacters, callCharacters, logCharacters] = [1500, 150, 400];
const charactersOf = (returnData: Uint8Array, logs: readonly Log[]): number =>
  logs.reduce((sum, { data }) => sum + logCharacters + 2 * data.length, callCharacters + 2 * returnData.length);

/** What a transaction refuses to begin with, by the numbers of the specification. */
function refusalOf({ message }: Extract<Execution, { kind: 'refused' }>, gasLimit: bigint): EvmError {
  const words = `err: ${message} (supplied gas ${gasLimit})`;
  if (message.startsWith('insufficient funds')) return simulationError(-38014, words);
  if (message.startsWith('max initcode size')) return simulationError(-38025, words);
  if (/^(intrinsic gas too low|insufficient gas for floor)/.test(message)) return simulationError(-38013, words);
  return simulationError(-32602, words);
}

function failureOf(result: ExecResult): SimulatedCall['failure'] {
  if (!isRevert(result)) return { words: failureWords(result), revertData: null };
  const reason = revertReason(result.returnValue);
  const words = reason === null ? failureWords(result) : `${failureWords(result)}: ${reason}`;
  return { words, revertData: result.returnValue };
}

/** The transaction that a call stands for. */
function unsignedOf(message: CallMessage, nonce: bigint, chainId: number): UnsignedTransaction {
  const { to, value, data, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList, authorizationList } = message;
  const content = { to, value, data, gas: gas ?? 0n, accessList: accessList ?? [], authorizationList };
  const tip = maxPriorityFeePerGas ?? 0n;
  const fees =
    gasPrice === null
      ? { kind: 'dynamic' as const, maxFeePerGas: maxFeePerGas ?? tip, maxPriorityFeePerGas: tip }
      : { kind: 'legacy' as const, gasPrice };
  return unsignedTransaction(chainId, nonce, { ...content, fees });
}
