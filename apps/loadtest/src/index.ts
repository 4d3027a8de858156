export { type Percentiles, percentiles, report, round } from './figures.ts';
