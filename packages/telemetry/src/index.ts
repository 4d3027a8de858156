export * from './logger.ts';
export { define } from './define.ts';
export * from './metrics.ts';
export { type LabelledMetric, type LabelledValue, prometheusType, renderMetrics } from './registry.ts';
export { parseSamples, type Samples } from './samples.ts';
