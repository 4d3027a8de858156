export { type LevelledLogger, type LogLevel, type Logger, alarmLevels, createLogger } from './logger.ts';
export { define } from './define.ts';
export { type MetricReading, type Metrics, allocateMetrics, openMetrics, readMetrics } from './metrics.ts';
export { type LabelledMetric, type LabelledValue, prometheusType, renderMetrics } from './registry.ts';
export { parseSamples, type Samples } from './samples.ts';
