import { describe, expect, it } from '@jest/globals';
import type { ChainBlock } from '../chainBlock.ts';
import { damaged, type StreamsError } from '../errors.ts';
import type { BlockSource, Cursor, Sink } from '../ports.ts';
import type { BlockRecords } from '../record.ts';
import { blockOf, busyBlock, hashOf, logOf } from '../testing/blocks.ts';
import { StreamsMetrics } from './metrics.ts';
import { blocksTogetherMax, recordsTogetherMax } from './pump.ts';
import { runStreams } from './runStreams.ts';

const chain = { chainId: 7, genesisHash: hashOf('genesis') };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A chain that is as long as it is asked for. */
class FakeSource implements BlockSource {
  readonly chain = chain;
  head = 1_000;
  readonly read_: number[] = [];
  blockAt = busyBlock;
  until(): Promise<void> {
    return Promise.resolve();
  }
  read(height: number): Promise<ChainBlock> {
    this.read_.push(height);
    return Promise.resolve(this.blockAt(height));
  }
  close(): void {}
}

/** A sink that holds what it is given, and fails when it is told to. */
class FakeSink implements Sink {
  readonly name: Sink['name'];
  cursor: Cursor | null = null;
  readonly written: number[] = [];
  /** Of each write, how many blocks it was given. */
  readonly together: number[] = [];
  opens = 0;
  isOpen = false;
  inFlight = 0;
  inFlightMax = 0;
  failure: (height: number) => Error | null = () => null;
  onWrite: (height: number) => void = () => undefined;

  constructor(name: Sink['name']) {
    this.name = name;
  }
  open(): Promise<Cursor | null> {
    this.opens++;
    this.isOpen = true;
    return Promise.resolve(this.cursor);
  }
  async write(blocks: readonly BlockRecords[]): Promise<void> {
    this.inFlightMax = Math.max(this.inFlightMax, ++this.inFlight);
    await Promise.resolve();
    this.inFlight--;
    this.together.push(blocks.length);
    for (const { height } of blocks) {
      const failure = this.failure(height);
      if (failure !== null) throw failure;
    }
    for (const { height, hash } of blocks) {
      this.written.push(height);
      this.cursor = { height, hash };
      this.onWrite(height);
    }
  }
  close(): Promise<void> {
    this.isOpen = false;
    return Promise.resolve();
  }
}

function start(sinks: readonly FakeSink[], { from = 0, to }: { from?: number; to?: number | undefined }, head = 1_000) {
  const source = new FakeSource();
  source.head = head;
  const stop = new AbortController();
  const metrics = new StreamsMetrics(
    sinks.map(({ name }) => name),
    () => source.head,
  );
  const done = runStreams({ source, sinks, from, to, metrics, log, signal: stop.signal });
  return { source, stop, metrics, done };
}

describe('blocks into sinks', () => {
  it('go from the first that is wanted to the last, one at a time', async () => {
    const sink = new FakeSink('files');
    await start([sink], { from: 3, to: 6 }).done;
    expect(sink.written).toEqual([3, 4, 5, 6]);
    expect([sink.inFlightMax, sink.isOpen]).toEqual([1, false]);
  });

  it.each([blocksTogetherMax - 1, blocksTogetherMax, blocksTogetherMax + 1])(
    'are written together where %i of them are there',
    async (count) => {
      const sink = new FakeSink('postgres');
      await start([sink], { from: 1, to: count }).done;
      expect(sink.written).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      expect(sink.together).toEqual(count <= blocksTogetherMax ? [count] : [blocksTogetherMax, 1]);
    },
  );

  it.each([
    [recordsTogetherMax - 1, [2]],
    [recordsTogetherMax, [1, 1]],
    [recordsTogetherMax + 1, [1, 1]],
  ])('of %i records each are written together as long as they are fewer than go together', async (count, together) => {
    const sink = new FakeSink('nats');
    const { source, done } = start([sink], { to: 1 });
    // The block has a record of its own, behind those of its logs.
    const logs = Array.from({ length: count - 1 }, (_, index) => logOf(index));
    source.blockAt = (height) => blockOf({ height, logs });
    await done;
    expect(sink.together).toEqual(together);
  });

  it('go one by one where none is there ahead', async () => {
    const sink = new FakeSink('files');
    const { done } = start([sink], { to: 3 }, 0);
    await done;
    expect(sink.together).toEqual([1, 1, 1, 1]);
  });

  it('go on after what a sink holds, and end at once where it holds the last', async () => {
    const sink = new FakeSink('files');
    sink.cursor = { height: 4, hash: hashOf('block 4') };
    await start([sink], { to: 6 }).done;
    expect(sink.written).toEqual([5, 6]);
    await start([sink], { to: 6 }).done;
    expect(sink.written).toEqual([5, 6]);
  });

  it('are written again by a sink that was lost, from where it says that it is', async () => {
    const sink = new FakeSink('nats');
    let failures = 3;
    sink.failure = (height) => (height === 2 && failures-- > 0 ? new Error('gone') : null);
    const { done, metrics } = start([sink], { to: 4 });
    await done;
    expect(sink.written).toEqual([0, 1, 2, 3, 4]);
    expect(sink.opens).toBe(4);
    const text = await metrics.render();
    expect(text).toContain('streams_sink_failures_total{sink="nats"} 3');
    expect(text).toContain('streams_sink_height{sink="nats"} 4');
    expect(text).toContain('streams_sink_lag_blocks{sink="nats"} 996');
    expect(text).toContain('streams_records_total{sink="nats"} 25');
  });

  it('a sink that is lost holds back no other', async () => {
    const [lost, other] = [new FakeSink('nats'), new FakeSink('files')];
    lost.failure = () => new Error('gone');
    const { stop, done } = start([lost, other], {});
    other.onWrite = (height) => {
      if (height === 50) stop.abort();
    };
    await done;
    expect(other.written).toHaveLength(2 * blocksTogetherMax);
    expect(lost.written).toEqual([]);
  });

  it('end between two writes when they are told to', async () => {
    const sink = new FakeSink('files');
    const { stop, done } = start([sink], {});
    sink.onWrite = (height) => {
      if (height === 5) stop.abort();
    };
    await done;
    expect([sink.written.at(-1), sink.isOpen]).toEqual([blocksTogetherMax - 1, false]);
  });

  it('end all of them where one needs a person', async () => {
    const [bad, good] = [new FakeSink('postgres'), new FakeSink('files')];
    bad.failure = (height) => (height === 2 ? damaged('it', 'because') : null);
    await expect(start([bad, good], {}).done).rejects.toMatchObject({ code: 'STREAMS_STORE_DAMAGED' });
    expect(bad.opens).toBe(1);
    expect(good.isOpen).toBe(false);
  });

  it('are refused where they do not go on from what a sink holds', async () => {
    const sink = new FakeSink('files');
    sink.cursor = { height: 4, hash: hashOf('another block') };
    const outcome = await start([sink], {}).done.catch((error: unknown) => error);
    expect((outcome as StreamsError).detail).toEqual({
      code: 'STREAMS_FORKED',
      sink: 'files',
      height: 4,
      found: hashOf('block 4'),
      expected: hashOf('another block'),
    });
    expect(sink.written).toEqual([]);
  });

  it('go on from a sink that does not keep the hash any more', async () => {
    const sink = new FakeSink('nats');
    sink.cursor = { height: 4, hash: null };
    await start([sink], { to: 5 }).done;
    expect(sink.written).toEqual([5]);
  });
});
