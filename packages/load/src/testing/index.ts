export { type SyntheticOptions, syntheticReport } from './syntheticReport.ts';
