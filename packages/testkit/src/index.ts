export { type AnotherBuild, anotherBuild, type BuildChange } from './anotherBuild.ts';
export { type Exit, run } from './nodeProcess.ts';
export { freeBasePort } from './ports.ts';
export { createTestnet, type Testnet, type TestnetOptions } from './testnet.ts';
export { deadlineMs, until } from './until.ts';
export {
  type Prometheus,
  type PrometheusAlert,
  type PrometheusOptions,
  type PrometheusSample,
  prometheusAtHand,
  promtool,
  startPrometheus,
} from './prometheus.ts';
export { type ChromiumLaunch, chromiumAtHand, isAtHand } from './programs.ts';
