export {
  type AlarmLevel,
  alarmLevels,
  createLogger,
  type LevelledLogger,
  type Logger,
  type LoggerOptions,
  type LogLevel,
} from './logger.ts';
export { define } from './define.ts';
export {
  allocateMetrics,
  type HistogramReading,
  type MetricDefinition,
  type MetricDefinitions,
  type MetricReading,
  type Metrics,
  MetricsError,
  type MetricsErrorDetail,
  openMetrics,
  readMetrics,
} from './metrics.ts';
export { type LabelledMetric, type LabelledValue, prometheusType, renderMetrics } from './registry.ts';
export { parseSamples, type Samples } from './samples.ts';
