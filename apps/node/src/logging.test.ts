import { expect, it } from '@jest/globals';
import { loadConfig } from '@prime/config';
import { readMetrics } from '@prime/telemetry';
import {
  countLogLinesIn,
  logLevels,
  logLinesMemory,
  logMetrics,
  requestLog,
  setLogLevel,
  threadLogger,
} from './logging.ts';

it('levels of modules change while they log, one or all, and hold for loggers that are made later', () => {
  const { config } = loadConfig({ flags: { 'log.level': 'warn' } });
  const before = threadLogger({ config }, 'consensus') as { readonly level?: string };
  threadLogger({ config }, 'signer');
  expect(logLevels()).toEqual({ consensus: 'warn', signer: 'warn' });
  expect(setLogLevel('consensus', 'debug')).toEqual({ consensus: 'debug' });
  expect(before.level).toBe('debug');
  expect(logLevels()).toEqual({ consensus: 'debug', signer: 'warn' });
  expect(setLogLevel('nobody', 'trace')).toEqual({});
  expect(setLogLevel(null, 'error')).toEqual({ consensus: 'error', signer: 'error' });
  expect(setLogLevel('snapshots', 'info')).toEqual({});
  threadLogger({ config }, 'snapshots');
  threadLogger({ config }, 'gateway');
  expect(logLevels()).toEqual({ consensus: 'error', signer: 'error', snapshots: 'info', gateway: 'error' });
});

it('requests are written at debug only, and the level may change while callers ask', () => {
  const { config } = loadConfig({});
  const log = requestLog(threadLogger({ config }, 'requests'));
  expect(log.isOn).toBe(false);
  setLogLevel('requests', 'debug');
  expect(log.isOn).toBe(true);
  setLogLevel('requests', 'trace');
  expect(log.isOn).toBe(true);
  setLogLevel('requests', 'warn');
  expect(log.isOn).toBe(false);
});

it('warnings of all loggers are counted, those too that nobody sees, and go where the process counts', () => {
  const { config } = loadConfig({ flags: { 'log.level': 'error' } });
  const counts = () => {
    const readings = readMetrics(logMetrics, logLinesMemory());
    return Object.fromEntries(readings.flatMap((reading) => (reading.type === 'counters' ? reading.counts : [])));
  };
  const before = counts();
  expect(before).toEqual({ error: 0, warn: 0 });
  const [one, other] = [threadLogger({ config }, 'quiet'), threadLogger({ config }, 'silent')];
  setLogLevel('quiet', 'error');
  setLogLevel('silent', 'error');
  one.warn({}, 'counted');
  other.warn({}, 'counted');
  other.info({}, 'not counted');
  expect(counts()).toEqual({ error: 0, warn: 2 });
  const process = logLinesMemory();
  // Another thread of the process, as it were: the same memory, a lane of its own.
  countLogLinesIn(process);
  threadLogger({ config }, 'quiet').warn({}, 'counted');
  one.warn({}, 'counted');
  expect(logLinesMemory()).toBe(process);
  expect(counts()).toEqual({ error: 0, warn: 4 });
});
