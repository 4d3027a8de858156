export {
  type LevelledLogger,
  type LogLevel,
  type Logger,
  alarmLevels,
  createLogger,
  type AlarmLevel,
} from './logger.ts';
export { define } from './define.ts';
export {
  type MetricReading,
  type Metrics,
  allocateMetrics,
  openMetrics,
  readMetrics,
  MetricsError,
  type MetricsErrorDetail,
} from './metrics.ts';
export { type LabelledMetric, type LabelledValue, prometheusType, renderMetrics } from './registry.ts';
export { parseSamples, type Samples } from './samples.ts';
