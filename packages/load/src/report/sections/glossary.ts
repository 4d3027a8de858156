import { html, type Section } from '../figures.ts';
import { lateMs } from '../runReport.ts';

const words: readonly (readonly [string, string])[] = [
  ['Operation', 'One request of the load: a transaction, an action of the order book, or a read.'],
  ['Due', 'When the schedule says that an operation is to be sent. It does not wait for the network.'],
  ['Asked', 'Operations that were due in a second, whatever became of them.'],
  [
    'Acknowledged',
    'The node answered with a result. Its latency counts from when the operation was due, so one that waited behind a stall has the latency that a user would have had.',
  ],
  ['Committed', 'Found in a block.'],
  [
    'Visible',
    'The block with the operation can be read from a node. Its latency counts from when the operation was due.',
  ],
  ['Failed', 'Committed, and its execution was refused or reverted.'],
  ['Refused', 'The node answered with an error.'],
  ['Unknown', 'The connection ended, or no answer came in time. The audit finds out what became of it.'],
  ['Unresolved', 'Unknown, and the audit could not find it out.'],
  [
    'Late',
    `The generator sent it more than ${lateMs} ms behind its time, or never. Late operations count; too many make the run worthless.`,
  ],
  ['Throughput', 'Operations a second, over the measured part of the run or over one step of it.'],
  ['p50, p99, p99.9', 'The latency that 50, 99, 99.9 of 100 operations do not exceed. Exact to 0.1 % and 1 µs.'],
  ['Lost', 'Acknowledged, and in no block.'],
  ['Doubled', 'In the chain more than once.'],
  ['Wrong', 'An answer, fill, balance or root that a model which is not the engine computes otherwise.'],
  ['Block interval', "Time between two blocks by the blocks' own times."],
  ['Time to recover', 'From the end of a fault until all validators committed a new block.'],
  [
    'Knee',
    'The highest rate at which p99 and the share of errors hold; each trial may err, and the interval says how sure it is.',
  ],
  ['Cores', 'Processor seconds a second: 1 is one core that is always busy.'],
];

/** Words of the page with what they mean, for readers who see a report for the first time. */
export const glossarySection: Section = {
  id: 'glossary',
  title: 'Words',
  body: html`<dl class="glossary">${words.map(([word, meaning]) => html`<div><dt>${word}</dt><dd>${meaning}</dd></div>`)}</dl>`,
  charts: [],
};
