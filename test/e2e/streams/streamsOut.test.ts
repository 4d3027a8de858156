/** `prime streams run` over two nodes into all sinks, all of which are killed while orders flow, and `prime export --verify` of what is there then. */
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { rpc } from '@prime/load/rpc';
import { createTestnet, freeBasePort, type Testnet, until } from '@prime/testkit';
import pg from 'pg';
import { hasNats, hasPostgres, NatsServer, PostgresServer } from './streamServers.ts';
import { addressOf, Desk, hex, mainMarket } from '../trading/trading.ts';
import { PrimeProcess } from '../operations/program.ts';

const isHere = [hasNats(), hasPostgres()].every(Boolean);

let testnet: Testnet;
let folder: string;
let nats: NatsServer;
let postgres: PostgresServer;
/** Set once everything is written: the last block that is looked at. */
let last = 0;
const [validator, follower] = [0, 1];
const [maker, taker] = [addressOf('maker'), addressOf('taker')];
/** The order book's account, whose code makes a log of each payment. */
const ordersAddress = '0x0000000000000000000000000000000000000100';

beforeAll(async () => {
  if (!isHere) return;
  folder = await mkdtemp(join(tmpdir(), 'prime-streams-'));
  // Another user runs PostgreSQL.
  await chmod(folder, 0o755);
  testnet = await createTestnet({
    validators: 1,
    followers: 1,
    // Four blocks a second: sinks of a machine that writes fewer than come would never be at the head.
    genesis: ({ consensus }) =>
      Object.assign(consensus as object, { minBlockIntervalMs: 250, emptyBlockIntervalMs: 250 }),
  });
  const port = await freeBasePort(1);
  nats = new NatsServer(join(folder, 'nats'), port);
  postgres = new PostgresServer(join(folder, 'postgres'), port + 1);
  await Promise.all([testnet.startAll(), nats.start(), postgres.start()]);
  await writeFile(join(folder, 'postgres.url'), `${postgres.url}\n`);
  await writeConfig('streams.toml', 'out');
});
afterAll(async () => {
  if (!isHere) return;
  await Promise.all([testnet.destroy(), nats.kill(), postgres.kill()]);
  await rm(folder, { recursive: true, force: true });
});

const writeConfig = (name: string, directory: string): Promise<void> =>
  writeFile(
    join(folder, name),
    `[source]
urls = ["${testnet.url(follower)}", "${testnet.url(validator)}"]
[nats]
urls = ["${nats.url}"]
[postgres]
url_file = "${join(folder, 'postgres.url')}"
[files]
directory = "${join(folder, directory)}"
`,
  );

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** The program as operators start it: it ends with whoever started it. */
class Prime extends PrimeProcess {
  constructor(...args: readonly string[]) {
    super(args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  }

  async ended(signal?: NodeJS.Signals): Promise<Ended> {
    return { code: await this.end(signal), output: this.lines.join('\n') };
  }
}

const streams = (...args: readonly string[]): Prime =>
  new Prime('streams', 'run', '--config', join(folder, 'streams.toml'), '--log-format', 'json', ...args);

const verify = (...args: readonly string[]): Promise<Ended> =>
  new Prime('export', '--verify', ...args, '--rpc', testnet.url(validator)).ended();
const inPostgres = ['--postgres-url-file'] as const;
const urlFile = (): string => join(folder, 'postgres.url');

async function query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** What PostgreSQL says how far it is; -1 while it does not. */
const heightInPostgres = async (): Promise<number> => {
  const rows = await query<{ height: string | null }>('SELECT height FROM prime.chain').catch(() => []);
  return Number(rows[0]?.height ?? -1);
};

const isAt = (height: number): Promise<boolean> =>
  until(`block ${height} is in the tables`, async () => (await heightInPostgres()) >= height);

/** An event as nodes tell it and as sinks hold it, in one form. */
interface PlainEvent {
  readonly id: string;
  readonly hash: string;
  readonly kind: string;
  readonly cause: string | null;
  readonly data: Readonly<Record<string, string>>;
}

const plainData = (data: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      // Amounts are hex quantities here and decimal text or numbers there; addresses and hashes stay hex.
      typeof value === 'string' && /^-?0x/.test(value) && value.length < 30
        ? (value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value)).toString()
        : String(value),
    ]),
  );

/** Events of all blocks as the node tells them. */
async function told(): Promise<PlainEvent[]> {
  type Wire = { block_number: string; block_hash: string; index: string; domain: string; kind: string } & {
    transaction_hash: string | null;
    data: object;
  };
  const found: Wire[] = [];
  for (let from = 0; from <= last; from += 50) {
    const filter = { fromBlock: hex(from), toBlock: hex(Math.min(last, from + 49)) };
    found.push(...(await rpc<Wire[]>(testnet.url(validator), 'prime_getDomainEvents', [filter])));
  }
  return found.map((event) => ({
    id: `${Number(event.block_number)}/${Number(event.index)}`,
    hash: event.block_hash,
    kind: `${event.domain}.${event.kind}`,
    cause: event.transaction_hash,
    data: plainData(event.data),
  }));
}

interface Stored {
  readonly type: string;
  readonly height: number;
  readonly index: number;
  readonly block_hash: string;
  readonly event_index: number;
  readonly domain: string;
  readonly kind: string;
  readonly transaction_hash: string | null;
  readonly data: object;
}

const plainOf = (records: readonly Stored[]): PlainEvent[] =>
  records
    .filter(({ type, height }) => type === 'event' && height <= last)
    .map((record) => ({
      id: `${Number(record.height)}/${Number(record.event_index)}`,
      hash: record.block_hash,
      kind: `${record.domain}.${record.kind}`,
      cause: record.transaction_hash,
      data: plainData(record.data),
    }));

async function inFiles(directory = 'out'): Promise<Stored[]> {
  const names = (await readdir(join(folder, directory))).filter((name) => /\.ndjson(\.part)?$/.test(name)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, directory, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').slice(0, -1)).map((line) => JSON.parse(line) as Stored);
}

/** Every message of the stream, with the id that NATS dedupes by and its subject. */
async function inNats(): Promise<{ readonly ids: string[]; readonly subjects: string[]; readonly records: Stored[] }> {
  const connection = await connect({ servers: nats.url });
  try {
    const client = jetstream(connection);
    const consumer = await client.consumers.get('prime');
    const messages = (await client.jetstreamManager()).streams.info('prime').then(({ state }) => state.messages);
    const [ids, subjects, records]: [string[], string[], Stored[]] = [[], [], []];
    const count = await messages;
    for await (const message of await consumer.consume()) {
      ids.push(message.headers!.get('Nats-Msg-Id'));
      subjects.push(message.subject);
      records.push(message.json<Stored>());
      if (ids.length === count) break;
    }
    return { ids, subjects, records };
  } finally {
    await connection.close();
  }
}

/** Trades without which views would show little. */
const tradesMin = 10;
/** Orders that met another one. */
let traded = 0;

/** Orders, trades and payments through the EVM, until it is told to stop. */
async function trade(signal: AbortSignal): Promise<void> {
  const desk = new Desk(testnet);
  const [sender] = await desk.call<[string]>('eth_accounts');
  for (const owner of [maker, taker]) await desk.deposit(owner, 10_000_000);
  for (let round = 0; !signal.aborted; round++) {
    const price = 100 + (round % 5);
    await Promise.all([
      desk.place(maker, 'sell', price + 10, 10),
      desk.place(maker, 'buy', price - 10, 8),
      desk.call('eth_sendTransaction', { from: sender, to: ordersAddress, value: hex(round + 1) }),
    ]);
    await desk.place(taker, round % 3 === 0 ? 'sell' : 'buy', round % 3 === 0 ? price - 10 : price + 10, 4);
    traded++;
    if (round % 4 === 0) await desk.cancelAll(maker);
  }
}

const here = isHere ? describe : describe.skip;

here('streams out, which are killed in the middle with all that they write to', () => {
  it('go on where they ended', async () => {
    const stop = new AbortController();
    const trading = trade(stop.signal);
    const head = (): Promise<number> => new Desk(testnet).height();
    let running = streams();
    await isAt(await head());
    for (let round = 0; round < 3; round++) {
      expect(await running.end('SIGKILL')).toBeNull();
      running = streams();
      await isAt(await head());
    }
    // One sink after the other is gone, and the others go on.
    await nats.kill();
    await isAt((await head()) + 5);
    await nats.start();
    await postgres.kill();
    await until('the process says that a sink is not there', async () =>
      running.lines.some((line) => line.includes('sink is not there') && line.includes('postgres')),
    );
    await testnet.kill(follower, 'SIGKILL');
    await postgres.start();
    // The second node takes over.
    await isAt((await head()) + 5);
    await until('there were trades enough', async () => traded > tradesMin);
    stop.abort();
    await trading;
    expect(await running.ended('SIGTERM')).toMatchObject({ code: 0 });
    last = await head();
    const rest = await streams('--to', `${last}`).ended();
    expect(rest).toMatchObject({ code: 0 });
  });

  it('have every event that the node tells, once in each sink', async () => {
    const events = await told();
    expect(events.filter(({ kind }) => kind === 'orders.trade').length).toBeGreaterThan(tradesMin);
    expect(plainOf(await inFiles())).toEqual(events);
    const rows = await query<Stored>(
      "SELECT 'event' AS type, * FROM prime.event_records WHERE height <= $1 ORDER BY height, index",
      [last],
    );
    expect(plainOf(rows)).toEqual(events);
    const { ids, subjects, records } = await inNats();
    expect(plainOf(records)).toEqual(events);
    expect(new Set(ids).size).toBe(ids.length);
    // What follows what: after a block comes the next one, before it the next index.
    const order = records.map(({ height, index }) => `${height}:${index}`);
    expect(ids).toEqual(order);
    for (const [at, { type, height, index }] of records.slice(0, -1).entries())
      expect(order[at + 1]).toBe(type === 'block' ? `${height + 1}:0` : `${height}:${index + 1}`);
    const firsts = new Set(subjects.map((subject) => subject.split('.').slice(2, 4).join('.')));
    expect([...firsts]).toEqual(
      expect.arrayContaining(['blocks', 'events.orders', `fills.${mainMarket}`, `logs.${ordersAddress}`]),
    );
  });

  it('have views that agree with the node', async () => {
    const url = testnet.url(validator);
    const candles = await query<Record<string, string>>(
      `SELECT (extract(epoch FROM open_time) * 1000)::bigint AS open_time_ms, open, high, low, close, volume, quote_volume, trades
         FROM prime.candles_1m WHERE market_id = $1 ORDER BY open_time`,
      [mainMarket],
    );
    const fromNode = await rpc<Record<string, string>[]>(url, 'primeorders_getCandles', [hex(mainMarket), '1m']);
    // The view is made of trades: it has no mark and no index.
    const traded = ['open_time_ms', 'open', 'high', 'low', 'close', 'volume', 'quote_volume', 'trades'];
    const shown = fromNode
      .filter(({ trades }) => trades !== '0x0')
      .map((candle) => Object.fromEntries(traded.map((name) => [name, BigInt(candle[name]!).toString()])));
    expect(candles.length).toBeGreaterThan(0);
    expect(candles).toEqual(shown);
    const account = await rpc<{ positions: { market_id: number; size: string }[] }>(url, 'primeorders_getAccount', [
      taker,
    ]);
    const positions = await query<{ market_id: string; size: string }>(
      'SELECT market_id, size FROM prime.positions WHERE account = $1',
      [taker],
    );
    const signed = (size: string): string => (size.startsWith('-') ? -BigInt(size.slice(1)) : BigInt(size)).toString();
    expect(positions).toEqual(
      account.positions.map(({ market_id: id, size }) => ({ market_id: `${id}`, size: signed(size) })),
    );
    expect(positions).toHaveLength(1);
  });

  it('are verified as clean, up to what validators signed', async () => {
    const ofFiles = await verify(join(folder, 'out'));
    expect(ofFiles.output).toMatch(/: blocks 0 to \d+ \(\d+ blocks, \d+ records\), signed for up to block \d+: clean$/);
    const ofTables = await verify(...inPostgres, urlFile());
    expect([ofTables.code, ofTables.output]).toEqual([0, expect.stringMatching(/clean$/)]);
    expect(ofFiles.code).toBe(0);
    const tooFar = await verify(join(folder, 'out'), '--to', '99999999');
    expect([tooFar.code, tooFar.output]).toEqual([66, expect.stringContaining('[STREAMS_BLOCK_MISSING]')]);
    const nowhere = new Prime('export', '--verify', join(folder, 'out'), '--rpc', testnet.url(follower));
    expect(await nowhere.ended()).toMatchObject({ code: 69, output: expect.stringContaining('[CLI_UNREACHABLE]') });
  });

  it('a row of a table that is dropped, doubled or altered is named', async () => {
    const [event] = await query<{ height: string; index: string }>(
      "SELECT height, index FROM prime.event_records WHERE kind = 'trade' ORDER BY height LIMIT 1",
    );
    const { height, index } = event!;
    const place = [height, index];
    const [fill] = await query<{ height: string; index: string; size: string }>(
      'DELETE FROM prime.fill_records WHERE (height, index) = (SELECT height, index FROM prime.fill_records ORDER BY height, index LIMIT 1) RETURNING height, index, size',
    );
    await query(
      `UPDATE prime.event_records SET data = jsonb_set(data, '{size}', '"5"') WHERE height = $1 AND index = $2`,
      place,
    );
    await query(
      'INSERT INTO prime.event_records SELECT height, 9999, block_hash, time_ms, event_index, domain, kind, transaction_hash, ticket, data FROM prime.event_records WHERE height = $1 AND index = $2',
      [height, `${Number(index) - 1}`],
    );
    const { code, output } = await verify(...inPostgres, urlFile());
    expect(code).toBe(1);
    const id = (at: string | number): string => `${height}:${at}`;
    expect(output).toContain(
      `altered: ${id(index)} (event orders/trade) was altered: data.size is "5" and should be "4"`,
    );
    expect(output).toContain(`doubled: ${id(9999)} (event `);
    expect(output).toContain(` is a copy of ${id(Number(index) - 1)}, a row of event_records`);
    expect(output).toContain(`dropped: ${fill!.height}:${fill!.index} (fill of market ${mainMarket}) is missing`);
    expect(output).toContain('is not what the chain has: 3 findings [STREAMS_NOT_VERIFIED]');
  });

  it('a line of a file that is dropped, doubled or altered is named', async () => {
    await cp(join(folder, 'out'), join(folder, 'altered'), { recursive: true });
    const names = (await readdir(join(folder, 'altered'))).filter((name) => /\.ndjson(\.part)?$/.test(name));
    const path = join(folder, 'altered', names.toSorted().at(-1)!);
    const lines = (await readFile(path, 'utf8')).split('\n');
    const blocks = lines.flatMap((line, at) => (line.includes('"type":"block"') ? [at] : []));
    const [dropped, doubled, altered] = [blocks.at(-2)!, blocks.at(-5)!, blocks.at(-8)!];
    const idAt = (at: number): string => {
      const { height, index } = JSON.parse(lines[at]!) as Stored;
      return `${height}:${index}`;
    };
    const changed = lines.flatMap((line, at) => {
      if (at === dropped) return [];
      if (at === doubled) return [line, line];
      return [at === altered ? line.replace(/"gas_used":"\d+"/, '"gas_used":"7"') : line];
    });
    await writeFile(path, changed.join('\n'));
    const { code, output } = await verify(join(folder, 'altered'));
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`dropped: .*${idAt(dropped).split(':')[0]}.* is missing`));
    expect(output).toContain(`doubled: ${idAt(doubled)} (block) is there once more, line `);
    expect(output).toMatch(
      new RegExp(`altered: ${idAt(altered)} \\(block\\) was altered: gas_used is "7" and should be`),
    );
    expect(output).toContain('3 findings');
  });

  it('refuse tables of another chain and of a newer program, and change nothing', async () => {
    const before = await heightInPostgres();
    await query("UPDATE prime.chain SET genesis_hash = '0xother'");
    const other = await streams('--to', `${before + 1}`).ended();
    expect([other.code, other.output]).toEqual([65, expect.stringContaining('[STREAMS_OTHER_CHAIN]')]);
    await query('INSERT INTO prime.schema_version (version) VALUES (99)');
    const newer = await streams('--to', `${before + 1}`).ended();
    expect([newer.code, newer.output]).toEqual([64, expect.stringContaining('[STREAMS_SCHEMA_NEWER]')]);
    expect(await heightInPostgres()).toBe(before);
  });
});
