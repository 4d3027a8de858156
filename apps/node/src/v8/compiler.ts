import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { threadNames } from '../threads/topology.ts';

/** V8's flag: how much bytecode a function runs until it is looked at for the optimizing compiler. It is read each time, so that it may change. */
const flag = '--interrupt-budget';
/** The V8 of Node.js 20, which has the flag. Those of 22 and 24 compile by another measure, and would print an error. */
const versionWithFlag = /^11\.3\./;
/** What that V8 has by itself. */
export const usualBudget = 67_584;
/** Six times that: only what really runs all the time is compiled for speed. */
export const startBudget = 400_000;

const setBudget =
  (budget: number) =>
  (
    processors: number = availableParallelism(),
    setFlag: (flag: string) => void = setFlagsFromString,
    v8: string = process.versions.v8,
  ): void => {
    if (processors <= threadNames.length && versionWithFlag.test(v8)) setFlag(`${flag}=${budget}`);
  };

/**
 * Has V8 compile less for speed while the node starts and catches up, where processors are no more than threads with work: then the compiler's
 * threads take their time from those that start (docs/performance/compiling.md).
 *
 * @param setFlag for tests
 * @param v8 version of it
 */
export const compileLater = setBudget(startBudget);

/** As V8 does it by itself, in all threads of the process, from now on; parameters as of {@link compileLater}. */
export const compileAsUsual = setBudget(usualBudget);
