export { type Arrivals, type RateStage, stagedArrivals } from './arrivals.ts';
export { endpointOf, requestWriter } from './endpoint.ts';
export { HttpChannel } from './httpChannel.ts';
export { processClock, runOpenLoop } from './openLoop.ts';
export { builtInNames, builtInScenario, builtInText, intendedRefusals } from './scenario/builtInScenarios.ts';
export { describePlan } from './scenario/describePlan.ts';
export { kindNames, kindTable } from './scenario/kindTable.ts';
export type * from './scenario/operation.ts';
export { operationsOf } from './scenario/operations.ts';
export { parseScenario, withSize } from './scenario/parseScenario.ts';
export { planOf } from './scenario/plan.ts';
export { type Scenario, scenarioFileSchema } from './scenario/schema.ts';
export { highestRate, rateStages, scheduledOperations, stagesSeconds } from './scenario/stages.ts';
export { SocketChannel } from './socketChannel.ts';
export { type Call, call, callAll, RefusedCall, toHex } from './rpcClient.ts';
export { parseReport } from './report/parseReport.ts';
export type { RunReport } from './report/runReport.ts';
export { runLoad } from './run/loadRun.ts';
export { type Progress, progressLine, progressMetrics } from './run/progress.ts';
export { listenAsWorker } from './run/remoteWorkers.ts';
export { operationsOfWork } from './run/work.ts';
export type { Asked, LoadOptions } from './run/runOptions.ts';
export type { Funder } from './run/funding.ts';
export { type Transport, transports } from './run/lanes.ts';
export { usualWorkers } from './run/crew.ts';
export { drawPlan } from './run/drawPlan.ts';
export { wallNowMs } from './stages/stageEndpoint.ts';
export {
  type LatencyRecorder,
  StageJoin,
  type StageJoinOptions,
  type StageLatencies,
  type StageOperation,
} from './stages/stageJoin.ts';
  type StagedNode,
  type StagedNodeStanding,
  StageReader,
  type StageReaderOptions,
} from './stages/stageReader.ts';
