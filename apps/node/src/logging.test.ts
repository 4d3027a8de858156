import { expect, it } from '@jest/globals';
import { loadConfig } from '@prime/config';
import { logLevels, setLogLevel, threadLogger } from './logging.ts';

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
