/** What NATS and PostgreSQL hold when writers die, come twice, or are of another chain: sinks alone, without a network. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import {
  type BlockRecords,
  type ChainIdentity,
  type ChainRecord,
  createNatsSink,
  createPostgresSink,
  type Sink,
} from '@prime/streams';
import { freeBasePort } from '@prime/testkit';
import pg from 'pg';
import { hasNats, hasPostgres, NatsServer, PostgresServer } from './streamServers.ts';

const isHere = [hasNats(), hasPostgres()].every(Boolean);
const here = isHere ? describe : describe.skip;

let folder: string;
let nats: NatsServer;
let postgres: PostgresServer;
beforeAll(async () => {
  if (!isHere) return;
  folder = await mkdtemp(join(tmpdir(), 'prime-sinks-'));
  await chmod(folder, 0o755);
  const port = await freeBasePort(1);
  nats = new NatsServer(join(folder, 'nats'), port);
  postgres = new PostgresServer(join(folder, 'postgres'), port + 1);
  await Promise.all([nats.start(), postgres.start()]);
});
afterAll(async () => {
  if (!isHere) return;
  await Promise.all([nats.kill(), postgres.kill()]);
  await rm(folder, { recursive: true, force: true });
});

const chain: ChainIdentity = { chainId: 7, genesisHash: '0xgenesis' };
const hashOf = (height: number): string => `0xblock${height}`;

/** A block with as many logs as it is told to have. */
function blockOf(height: number, logs = 2, data = '0x01'): BlockRecords {
  const place = { height, block_hash: hashOf(height), time_ms: 1_700_000_000_000 + height };
  const records: ChainRecord[] = Array.from({ length: logs }, (_, index) => ({
    type: 'log',
    ...place,
    index,
    log_index: index,
    address: '0xaa',
    topics: ['0x01', '0x02'],
    data,
    transaction_hash: '0xbb',
    transaction_index: 0,
  }));
  const roots = { state_root: '0x1', receipts_root: '0x2', events_root: '0x3', validators_hash: '0x4' };
  records.push({
    type: 'block',
    ...place,
    index: logs,
    parent_hash: hashOf(height - 1),
    proposer: '0xcc',
    gas_limit: `${2n ** 255n}`,
    gas_used: '0',
    base_fee: '7',
    ...roots,
    next_validators_hash: '0x5',
    transactions: logs,
    actions: 0,
    events: 0,
    logs,
    fills: 0,
  });
  return { height, hash: hashOf(height), parentHash: hashOf(height - 1), timeMs: place.time_ms, records };
}

const settings = { replicas: 1, maxAgeMs: null, maxBytes: null, duplicateWindowMs: 100 };
const natsSink = (stream: string): Sink => createNatsSink({ urls: [nats.url], stream, prefix: stream }, settings);

async function messagesOf(stream: string): Promise<string[]> {
  const connection = await connect({ servers: nats.url });
  try {
    const { state } = await (await jetstreamManager(connection)).streams.info(stream);
    const ids: string[] = [];
    const consumer = await jetstream(connection).consumers.get(stream);
    if (state.messages === 0) return ids;
    for await (const message of await consumer.consume()) {
      ids.push(message.headers!.get('Nats-Msg-Id'));
      if (ids.length === state.messages) break;
    }
    return ids;
  } finally {
    await connection.close();
  }
}

async function writeAll(sink: Sink, ...blocks: readonly BlockRecords[]): Promise<void> {
  for (const block of blocks) await sink.write([block]);
}

here('a stream of NATS', () => {
  it('tells where it is: before anything, and after blocks', async () => {
    const sink = natsSink('cursor');
    expect(await sink.open(chain)).toBeNull();
    await writeAll(sink, blockOf(0, 0), blockOf(1));
    await sink.close();
    expect(await sink.open(chain)).toEqual({ height: 1, hash: hashOf(1) });
    await sink.close();
    expect(await messagesOf('cursor')).toEqual(['0:0', '1:0', '1:1', '1:2']);
  });

  it('takes blocks together as it takes them one by one', async () => {
    const blocks = [blockOf(0), blockOf(1, 0), blockOf(2, 600), blockOf(3)];
    const sink = natsSink('together');
    await sink.open(chain);
    await sink.write(blocks);
    await sink.close();
    expect(await sink.open(chain)).toEqual({ height: 3, hash: hashOf(3) });
    await sink.close();
    expect(await messagesOf('together')).toEqual(
      blocks.flatMap(({ records }) => records.map(({ height, index }) => `${height}:${index}`)),
    );
  });

  it('gets the rest of a block of which it has a part, once, also long after its window for doubles', async () => {
    // More than are on their way at one time: the server is killed in the middle.
    const large = blockOf(1, 3_000);
    const sink = natsSink('part');
    await sink.open(chain);
    await sink.write([blockOf(0)]);
    const writing = sink.write([large]).then(
      () => 'whole',
      () => 'in part',
    );
    await nats.kill();
    await nats.start();
    await writing;
    await sink.close().catch(() => undefined);
    const before = await messagesOf('part');
    const again = natsSink('part');
    const cursor = await again.open(chain);
    expect(cursor?.height).toBe(before.length === 3 + 3_001 ? 1 : 0);
    if (cursor?.height === 0) await again.write([large]);
    await writeAll(again, blockOf(2));
    await again.close();
    const ids = await messagesOf('part');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(3 + 3_001 + 3);
    expect(ids.at(-1)).toBe('2:2');
  });

  it('takes each record from one of two writers', async () => {
    const [first, second] = [natsSink('two'), natsSink('two')];
    await first.open(chain);
    await second.open(chain);
    await first.write([blockOf(0)]);
    await expect(second.write([blockOf(0, 2)])).resolves.toBeUndefined();
    // What came from the other writer already is acknowledged at the same place. What would leave it out is refused by the sequence.
    await first.write([blockOf(1)]);
    await expect(second.write([blockOf(2)])).rejects.toMatchObject({ code: 10_071 });
    await second.close();
    expect(await second.open(chain)).toEqual({ height: 1, hash: hashOf(1) });
    await second.write([blockOf(2)]);
    await Promise.all([first.close(), second.close()]);
    expect(await messagesOf('two')).toEqual(['0:0', '0:1', '0:2', '1:0', '1:1', '1:2', '2:0', '2:1', '2:2']);
  });

  it('of another chain, or of something else, is refused', async () => {
    await expect(natsSink('two').open({ chainId: 7, genesisHash: '0xother' })).rejects.toMatchObject({
      code: 'STREAMS_OTHER_CHAIN',
    });
    const connection = await connect({ servers: nats.url });
    await jetstream(connection).publish('two.7.blocks', 'hello');
    await connection.close();
    await expect(natsSink('two').open(chain)).rejects.toMatchObject({ code: 'STREAMS_STORE_DAMAGED' });
  });

  it('that lost all messages to its retention says so', async () => {
    const connection = await connect({ servers: nats.url });
    await (await jetstreamManager(connection)).streams.purge('cursor');
    await connection.close();
    await expect(natsSink('cursor').open(chain)).rejects.toMatchObject({
      code: 'STREAMS_CURSOR_LOST',
      message: expect.stringContaining('longer nats.max_age_hours'),
    });
  });

  it('that has a part of a block, and lost what was before it to its retention, gets the rest', async () => {
    const block = blockOf(1, 4);
    const sink = natsSink('short');
    await sink.open(chain);
    await sink.write([blockOf(0)]);
    // As if the process had ended here.
    await sink.write([{ ...block, records: block.records.slice(0, 2) }]);
    await sink.close();
    const connection = await connect({ servers: nats.url });
    const { streams } = await jetstreamManager(connection);
    await streams.purge('short', { seq: 4 });
    expect(await sink.open(chain)).toEqual({ height: 0, hash: null });
    await expect(sink.write([{ ...block, hash: '0xanother' }])).rejects.toMatchObject({
      code: 'STREAMS_STORE_DAMAGED',
    });
    await sink.write([block]);
    await sink.close();
    expect(await messagesOf('short')).toEqual(['1:0', '1:1', '1:2', '1:3', '1:4']);
    await streams.deleteMessage('short', 8);
    await connection.close();
    await expect(sink.open(chain)).rejects.toMatchObject({ code: 'STREAMS_STORE_DAMAGED' });
  });

  it('a record that is larger than the server takes is refused, with what to do', async () => {
    const sink = natsSink('large');
    await sink.open(chain);
    const most = 1_048_576;
    await sink.write([blockOf(0, 1, '1'.repeat(most - 2_000))]);
    const outcome = sink.write([blockOf(1, 1, '1'.repeat(most))]);
    await expect(outcome).rejects.toMatchObject({
      detail: { code: 'STREAMS_RECORD_TOO_LARGE', id: '1:0', maximum: most },
    });
    await sink.close();
  });
});

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

here('tables of PostgreSQL', () => {
  const sinkOf = (schema: string): Sink => createPostgresSink({ url: postgres.url, schema });

  it('tell where they are, and hold integers of any size', async () => {
    const sink = sinkOf('cursor');
    expect(await sink.open(chain)).toBeNull();
    await writeAll(sink, blockOf(3), blockOf(4));
    await sink.close();
    expect(await sink.open(chain)).toEqual({ height: 4, hash: hashOf(4) });
    await sink.close();
    expect(await query('SELECT first_height, height FROM cursor.chain')).toEqual([{ first_height: '3', height: '4' }]);
    const [block] = await query('SELECT gas_limit, logs FROM cursor.blocks LIMIT 1');
    expect(block).toEqual({ gas_limit: `${2n ** 255n}`, logs: '2' });
    expect(await query('SELECT topics FROM cursor.logs LIMIT 1')).toEqual([{ topics: ['0x01', '0x02'] }]);
  });

  it('take blocks together as they take them one by one', async () => {
    const blocks = [blockOf(3), blockOf(4, 0), blockOf(5, 40)];
    const [together, single] = [sinkOf('together'), sinkOf('single')];
    await together.open(chain);
    await single.open(chain);
    await together.write(blocks);
    await writeAll(single, ...blocks);
    await Promise.all([together.close(), single.close()]);
    for (const table of ['chain', 'blocks', 'logs'])
      expect(await query(`SELECT * FROM together.${table}`)).toEqual(await query(`SELECT * FROM single.${table}`));
    expect(await together.open(chain)).toEqual({ height: 5, hash: hashOf(5) });
    await together.close();
  });

  it('take each block from one of two writers, whole', async () => {
    const [first, second] = [sinkOf('two'), sinkOf('two')];
    // Both make the tables.
    await Promise.all([first.open(chain), second.open(chain)]);
    await first.write([blockOf(0)]);
    await expect(second.write([blockOf(0)])).rejects.toMatchObject({
      code: 'STREAMS_SINK_FAILED',
      message: 'postgres: the tables are not at block none any more: another process writes there',
    });
    await second.close();
    expect(await second.open(chain)).toEqual({ height: 0, hash: hashOf(0) });
    await second.write([blockOf(1)]);
    await Promise.all([first.close(), second.close()]);
    expect(await query('SELECT count(*)::int FROM two.log_records')).toEqual([{ count: 4 }]);
  });

  it('have all of a block or nothing of it, when the server ends in the middle', async () => {
    const sink = sinkOf('whole');
    await sink.open(chain);
    await sink.write([blockOf(0)]);
    const writing = sink.write([blockOf(1, 20_000)]).then(
      () => 1,
      () => 0,
    );
    await postgres.kill();
    await postgres.start();
    await writing;
    await sink.close().catch(() => undefined);
    const cursor = await sink.open(chain);
    const [counted] = await query('SELECT count(*)::int FROM whole.log_records');
    expect(counted).toEqual({ count: cursor!.height === 0 ? 2 : 20_002 });
    if (cursor!.height === 0) await sink.write([blockOf(1, 20_000)]);
    await sink.close();
    expect(await query('SELECT count(*)::int FROM whole.log_records')).toEqual([{ count: 20_002 }]);
  });

  it('become right again where a row was changed and its block is written once more', async () => {
    await query("UPDATE cursor.log_records SET data = '0x00' WHERE height = 4");
    await query('UPDATE cursor.chain SET height = 3');
    const sink = sinkOf('cursor');
    await sink.open(chain);
    await sink.write([blockOf(4)]);
    await sink.close();
    expect(await query('SELECT DISTINCT data FROM cursor.log_records')).toEqual([{ data: '0x01' }]);
  });

  it('of another chain, or of a newer program, are refused', async () => {
    await expect(sinkOf('two').open({ chainId: 7, genesisHash: '0xother' })).rejects.toMatchObject({
      code: 'STREAMS_OTHER_CHAIN',
    });
    await query('INSERT INTO two.schema_version (version) SELECT max(version) + 1 FROM two.schema_version');
    await expect(sinkOf('two').open(chain)).rejects.toMatchObject({ code: 'STREAMS_SCHEMA_NEWER' });
  });
});
