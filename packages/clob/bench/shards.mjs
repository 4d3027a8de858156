/**
 * What sharding by market is worth: processor time of the longest path through a block (stage in front, the slowest shard, stage behind with
 * records and root) beside the same blocks on one thread. All of it runs in this one thread, stage by stage, so the figures need no more
 * processors than there are; messages are copied as threads would copy them, and the time of that is told apart.
 *
 *   npm run bench:clob -- --shards 2,4,8 [--operations 100000 --rounds 3 --only "maker mix, 200 markets"]
 */
import { deserialize, serialize } from 'node:v8';
import { ShardFront } from '../dist/shards/front.js';
import { Shard } from '../dist/shards/shard.js';
import { cpuSecondsSince } from './bare.mjs';
import { Blocks, fundedEngine, payloadsOf } from './engine.mjs';

const blockActions = 5000;
const stages = ['one thread', 'in front', 'slowest shard', 'behind', 'messages', 'apart'];

const total = (times) => times.reduce((sum, time) => sum + time, 0);

function stopwatch() {
  const times = Object.fromEntries(stages.map((stage) => [stage, 0]));
  const timed = (run) => {
    const before = process.cpuUsage();
    const value = run();
    return [value, cpuSecondsSince(before)];
  };
  return {
    times,
    run(stage, work) {
      const [value, seconds] = timed(work);
      times[stage] += seconds;
      return value;
    },
    /** Work that would run side by side. */
    side(stage, works) {
      const done = works.map(timed);
      times[stage] += Math.max(0, ...done.map(([, seconds]) => seconds));
      return done.map(([value]) => value);
    },
  };
}

function blocksOf(stream) {
  const blocks = new Blocks();
  const funded = fundedEngine(stream.markets, blocks);
  const payloads = payloadsOf(stream);
  const made = [];
  for (let index = 0; index < payloads.length; ) {
    const isWarm = index >= stream.warm;
    const end = Math.min(isWarm ? payloads.length : stream.warm, index + (isWarm ? blockActions : 1000));
    made.push({ isWarm, block: blocks.make(payloads.slice(index, end)) });
    index = end;
  }
  return { ...funded, made };
}

function runAlone(stream) {
  const { engine, made } = blocksOf(stream);
  const watch = stopwatch();
  let root = null;
  for (const { isWarm, block } of made) {
    const execute = () => engine.execute(block);
    root = (isWarm ? watch.run('one thread', execute) : execute()).ordersRoot;
    engine.commit();
  }
  return { times: watch.times, root, shared: 0 };
}

const carried = (message) => (message === null ? null : deserialize(serialize(message)));

function runShared(stream, shards) {
  const { engine, state, made } = blocksOf(stream);
  const front = new ShardFront(engine, { shards, actionsMin: 1 });
  const pool = Array.from({ length: shards }, () => new Shard(state.params));
  for (const [shard, parts] of front.load(10_000).entries()) for (const part of parts) pool[shard].sync(part);
  const [counted, ignored] = [stopwatch(), stopwatch()];
  let root = null;
  for (const { isWarm, block } of made) {
    const watch = isWarm ? counted : ignored;
    const work = watch.run('in front', () => front.begin(block));
    let outcome = null;
    if (work !== null) {
      const items = watch.run('messages', () => work.map(carried));
      const done = watch.side(
        'slowest shard',
        items.map((part, shard) => () => (part === null ? null : pool[shard].run(part))),
      );
      const results = watch.run('messages', () => done.map(carried));
      outcome = watch.run('behind', () => front.finish(results));
      if (outcome === null) for (const [shard, { kind }] of done.entries()) if (kind === 'done') pool[shard].rollback();
    }
    outcome ??= watch.run('one thread', () => front.execute(block));
    root = outcome.ordersRoot;
    const syncs = front.commit();
    watch.run('apart', () => front.settle());
    for (const [shard, sync] of syncs.entries()) pool[shard].sync(carried(sync));
  }
  return { times: counted.times, root, shared: front.counts.shared };
}

/** @param shards numbers of shards to compare with one thread */
function measure(stream, shards, rounds) {
  const contenders = [() => runAlone(stream), ...shards.map((count) => () => runShared(stream, count))];
  const runs = contenders.map(() => []);
  // The first round is for the compiler.
  for (let round = 0; round <= rounds; round++)
    for (const [index, run] of contenders.entries()) {
      globalThis.gc?.();
      const result = run();
      if (round > 0) runs[index].push(result);
    }
  const records = stream.operations.length - stream.warm;
  const best = runs.map((results) =>
    results.reduce((a, b) => (total(Object.values(a.times)) < total(Object.values(b.times)) ? a : b)),
  );
  return best.map(({ times, root, shared }, index) => {
    if (root !== best[0].root) throw new Error('a pool of shards has another root');
    const path = times['one thread'] + times['in front'] + times['slowest shard'] + times.behind;
    const perRecord = Object.fromEntries(stages.map((stage) => [stage, (times[stage] / records) * 1e6]));
    return { shards: index === 0 ? 0 : shards[index - 1], shared, path: (path / records) * 1e6, ...perRecord };
  });
}

/** Prints what {@link measure} finds for a stream, µs of processor time a record. */
export function tellShards({ name, make }, shards, { rounds, operations }) {
  const rows = measure(make(operations), shards, rounds);
  const cells = (values) => values.map((value) => String(value).padStart(15)).join('');
  console.log(`${name}: longest path and its parts, µs of processor time a record, blocks of ${blockActions}`);
  console.log(cells(['shards', 'path', 'gain', ...stages]));
  for (const { shards: count, path, ...row } of rows)
    console.log(
      cells([
        count === 0 ? 'none' : count,
        path.toFixed(2),
        (rows[0].path / path).toFixed(2),
        ...stages.map((stage) => row[stage].toFixed(2)),
      ]),
    );
}
