export { type AnotherBuild, anotherBuild, type BuildChange } from './anotherBuild.ts';
export { createTestnet, type Exit, freeBasePort, run, type Testnet, type TestnetOptions, until } from './processes.ts';
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
