export { type Percentiles, percentiles } from './figures.ts';
