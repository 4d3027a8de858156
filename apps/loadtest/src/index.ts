export { CountedNode } from './counts/countedNode.ts';
export { type CounterName, counterNames, type Counts } from './counts/counters.ts';
export { type Percentiles, percentiles, report, round } from './figures.ts';
export { type LoadName, loadNames, prepareLoad } from './writeLoad/loads.ts';
export { sendLoad } from './writeLoad/sendLoad.ts';
