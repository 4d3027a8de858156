import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { NodeSampler, parseMetrics } from './nodeSampler.ts';

const text = (more: string): string => `# HELP process_resident_memory_bytes Memory.
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 1000
prime_consensus_height 7
${more}`;

describe('the metrics of a node as they are read', () => {
  it('are those that it tells', () => {
    const told = text(`prime_thread_cpu_seconds_total{thread="evm"} 2.5
prime_thread_cpu_seconds_total{thread="other"} 4
prime_disk_sync_seconds_sum{file="log"} 0.25
prime_disk_sync_seconds_sum{file="blocks"} 0.5
prime_disk_sync_seconds_count{file="log"} 99
prime_mempool_fill_ratio 0.125
prime_home_bytes 123456789012
prime_log_lines_total{level="warn"} 8
prime_log_lines_total{level="error"} 3
`);
    expect(parseMetrics(told)).toEqual({
      cpuSeconds: { evm: 2.5, other: 4 },
      rssBytes: 1000,
      head: 7,
      mempoolFill: 0.125,
      diskSyncSeconds: 0.75,
      homeBytes: 123_456_789_012,
      errorLines: 3,
    });
  });

  it('are null where it does not tell: warnings are no errors, other names are not its home', () => {
    const told = text('prime_log_lines_total{level="warn"} 8\nprime_home_bytes_max 5\nxprime_home_bytes 6\n');
    expect(parseMetrics(told)).toMatchObject({ homeBytes: null, errorLines: null });
  });

  it.each(['', 'prime_consensus_height 7\n', 'process_resident_memory_bytes 7\n', '<html>not found</html>'])(
    'are none in %p',
    (other) => expect(parseMetrics(other)).toBeNull(),
  );
});

interface Told {
  readonly cpu: number;
  readonly home?: number;
  readonly errors?: number;
}

const page = ({ cpu, home, errors }: Told): string =>
  text(
    [
      `prime_thread_cpu_seconds_total{thread="evm"} ${cpu}\nprime_thread_cpu_seconds_total{thread="other"} ${cpu}`,
      ...(home === undefined ? [] : [`prime_home_bytes ${home}`]),
      ...(errors === undefined ? [] : [`prime_log_lines_total{level="error"} ${errors}`]),
      '',
    ].join('\n'),
  );

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function endpoint(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Samples a node once for each of what it tells; null is a node that does not answer. Samples are a second apart. */
async function sampled(told: readonly (Told | null)[]): Promise<NodeSampler> {
  let time = 0;
  const url = await endpoint((response) => {
    const now = told[time]!;
    if (now === null) response.destroy();
    else response.end(page(now));
  });
  const sampler = new NodeSampler([url], () => time * 1000);
  for (; time < told.length; time++) await sampler.sample();
  return sampler;
}

const linesOf = (sampler: NodeSampler): number | null => sampler.errorLines[0]!.lines;

describe('lines at level error', () => {
  it.each<[string, (Told | null)[], number | null]>([
    ['no sample', [], null],
    ['one sample has no difference', [{ cpu: 1, errors: 5 }], null],
    [
      'those from before do not count',
      [
        { cpu: 1, errors: 5 },
        { cpu: 2, errors: 5 },
      ],
      0,
    ],
    [
      'differences are summed',
      [
        { cpu: 1, errors: 5 },
        { cpu: 2, errors: 6 },
        { cpu: 3, errors: 6 },
        { cpu: 4, errors: 8 },
      ],
      3,
    ],
    ['a node that does not tell', [{ cpu: 1 }, { cpu: 2 }], null],
    [
      'all lines of a process that came meanwhile, also when they are more than those of the one before',
      [
        { cpu: 50, errors: 1 },
        { cpu: 60, errors: 2 },
        { cpu: 1, errors: 9 },
        { cpu: 2, errors: 10 },
      ],
      11,
    ],
    [
      'a process that came meanwhile and logged less, however long it works already',
      [
        { cpu: 1, errors: 7 },
        { cpu: 2, errors: 1 },
      ],
      1,
    ],
    ['a process that did not tell, and one that does', [{ cpu: 9 }, { cpu: 1, errors: 2 }, { cpu: 2, errors: 3 }], 3],
    ['a node that is away', [{ cpu: 1, errors: 5 }, null, null, { cpu: 2, errors: 7 }], 2],
    ['a node that comes later begins with its first answer', [null, { cpu: 1, errors: 4 }, { cpu: 2, errors: 5 }], 1],
    ['a node that never answers', [null, null], null],
  ])('%s', async (_words, told, lines) => {
    expect(linesOf(await sampled(told))).toBe(lines);
  });

  it('are those of the whole run, whatever is forgotten for its next part', async () => {
    const sampler = await sampled([
      { cpu: 1, errors: 0 },
      { cpu: 2, errors: 1 },
    ]);
    sampler.restart();
    expect(sampler.samples).toEqual([{ name: 'validator0', samples: [] }]);
    expect(linesOf(sampler)).toBe(1);
  });

  it('belong to the node that logged them', async () => {
    const errors = [0, 0];
    const urls = await Promise.all(
      errors.map((_, index) => endpoint((response) => response.end(page({ cpu: 1, errors: errors[index]! })))),
    );
    const sampler = new NodeSampler(urls, () => 0);
    await sampler.sample();
    errors[1] = 3;
    await sampler.sample();
    expect(sampler.errorLines).toEqual([
      { name: 'validator0', lines: 0 },
      { name: 'validator1', lines: 3 },
    ]);
  });
});

describe('samples', () => {
  it('are differences of processor time, and what the home takes; null where a node does not tell', async () => {
    const { samples } = await sampled([{ cpu: 1, home: 10 }, { cpu: 1.5, home: 30 }, { cpu: 1.75 }]);
    const rest = { rssBytes: 1000, head: 7 };
    expect(samples).toEqual([
      {
        name: 'validator0',
        samples: [
          { atMs: 1000, cpu: { evm: 0.5, other: 0.5 }, diskBytes: 30, ...rest },
          { atMs: 2000, cpu: { evm: 0.25, other: 0.25 }, diskBytes: null, ...rest },
        ],
      },
    ]);
  });

  it('have none of the time in which a node was exchanged for another process', async () => {
    const { samples } = await sampled([{ cpu: 5 }, { cpu: 1 }, { cpu: 1.5 }]);
    expect(samples[0]!.samples.map(({ atMs, cpu }) => [atMs, cpu['evm']])).toEqual([[2000, 0.5]]);
  });

  it('that are asked for while one is under way are that one', async () => {
    const waiting: ServerResponse[] = [];
    let isFirst: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isFirst = resolve;
    });
    const url = await endpoint((response) => {
      waiting.push(response);
      isFirst();
    });
    const sampler = new NodeSampler([url], () => 0);
    const both = [sampler.sample(), sampler.sample()];
    await asked;
    waiting[0]!.end(page({ cpu: 1, errors: 5 }));
    await Promise.all(both);
    expect(waiting).toHaveLength(1);
  });
});
