export { nextBaseFee, type ParentGas } from './block/baseFee.ts';
export { createCommon, createCustomCrypto, createNodeCommon } from './library/common.ts';
export type { BlockHashOf } from './block/environment.ts';
export { EvmError, type EvmErrorDetail } from './errors.ts';
export { createEvmState, type EvmStateOptions } from './block/evmState.ts';
export { type AllocatedState, allocateState, genesisState } from './block/genesisState.ts';
export type * from './ports.ts';
export {
  create2DeployerAddress,
  historyAddress,
  multicall3Address,
} from './block/predeploys.ts';
export { emptyReceiptsRoot } from './block/receipts.ts';
export { defaultCallGasMax } from './read/message.ts';
export {
  type CallBudget,
  createStateReader,
  type NoOutcome,
  type StateReader,
  type StateReaderOptions,
} from './read/stateReader.ts';
export { checkState, type StateFindings } from './state/checkState.ts';
export { createStateBuilder, type StateBuilder } from './state/stateBuilder.ts';
export { pruneState } from './state/pruneState.ts';
export {
  type BlockPlace,
  createTraceReader,
  type ReplayedBlock,
  type TraceReader,
  type TraceReaderOptions,
} from './trace/traceReader.ts';
export type { SimulationLimits } from './simulate/simulation.ts';
