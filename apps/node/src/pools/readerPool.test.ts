import { afterEach, describe, expect, it } from '@jest/globals';
import { createReaderPool, type ReaderPool, type ReaderPoolOptions } from './readerPool.ts';

const data = {
  blocks: '',
  state: '',
  cacheBytes: 1 << 20,
  chainId: 7919,
  timeoutMs: 20,
  nice: 0,
  minTrades: 0,
  firstValidators: [],
  callGasMax: 1n,
  traceTimeoutMs: 40,
  traceCharactersMax: 1,
  simulation: { blocksMax: 1, callsMax: 1 },
};
const worker = new URL('../testing/slowReader.worker.js', import.meta.url);

const pools: ReaderPool[] = [];
/** A pool of one stand-in reader, asked for code: its first argument says how it behaves. */
function open(options: Partial<ReaderPoolOptions>): (behaviour: string) => Promise<unknown> {
  const pool = createReaderPool({
    threads: 1,
    data,
    worker,
    queueMax: 100,
    waitMs: 60_000,
    graceMs: 60_000,
    ...options,
  });
  pools.push(pool);
  const { code } = pool.backend as unknown as { code(behaviour: string): Promise<unknown> };
  return code;
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('createReaderPool', () => {
  it('answers what the reader answers, and throws what it throws, with its code', async () => {
    const ask = open({});
    expect(await ask('fine')).toBe('code fine');
    await expect(ask('fail')).rejects.toMatchObject({ code: 'EVM_NODE_MISSING', message: 'gone' });
  });

  it('a reader that does not come back: READER_TIMEOUT, and another one takes its place', async () => {
    const ask = open({ graceMs: 1000 });
    await expect(ask('never')).rejects.toMatchObject({ code: 'READER_TIMEOUT', detail: { timeoutMs: 1020 } });
    expect(await ask('fine')).toBe('code fine');
  });

  it('more questions than may wait: READER_BUSY, at once', async () => {
    const ask = open({ queueMax: 2, graceMs: 500 });
    const waiting = ['never', 'fine', 'fine'].map((behaviour) => ask(behaviour).catch(({ code }) => code as string));
    await expect(ask('fine')).rejects.toMatchObject({ code: 'READER_BUSY', detail: { limit: 2 } });
    expect(await Promise.all(waiting)).toEqual(['READER_TIMEOUT', 'code fine', 'code fine']);
  });

  it('a thread that loads for longer than a question may take: the question waits for it', async () => {
    const slow = new URL('../testing/slowLoadingReader.worker.js', import.meta.url);
    const ask = open({ worker: slow, graceMs: 1000, waitMs: 50 });
    expect(await Promise.all([ask('first'), ask('second')])).toEqual(['code', 'code']);
  });

  it('a question that waits too long: READER_BUSY, and the reader lives on', async () => {
    const ask = open({ waitMs: 20, graceMs: 500 });
    await ask('fine');
    const hung = ask('never').catch(({ code }) => code as string);
    await expect(ask('fine')).rejects.toMatchObject({ code: 'READER_BUSY' });
    expect(await hung).toBe('READER_TIMEOUT');
    expect(await ask('fine')).toBe('code fine');
  });
});
