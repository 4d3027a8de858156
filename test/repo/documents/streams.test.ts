import { describe, expect, it } from '@jest/globals';
import { parseStreams, streamsSchema } from '@prime/streams';
import { readText } from '../repository.ts';

/** docs/streams.md and the unit file against the program. */

const guide = readText('docs/streams.md');
const unit = readText('deploy/systemd/prime-streams.service');

describe('what is written about streams', () => {
  it('the configuration of the guide is one', () => {
    const files = [...guide.matchAll(/```toml\n([\s\S]*?)```/g)].map(([, text]) => text!);
    expect(files.map((text) => Object.keys(parseStreams(text, 'docs/streams.md')))).toEqual([
      ['source', 'nats', 'postgres', 'files'],
    ]);
  });

  it('the guide names no key that there is not', () => {
    const keys = [...guide.matchAll(/`(source|nats|postgres|files)\.([a-z_]+)`/g)];
    expect(keys.length).toBeGreaterThan(5);
    for (const [key, table, name] of keys) {
      const { properties } = streamsSchema.properties[table as keyof typeof streamsSchema.properties];
      expect([key, Object.hasOwn(properties, name!)]).toEqual([key, true]);
    }
  });

  it('the guide has each metric, and no other', () => {
    const source = readText('packages/streams/src/run/metrics.ts');
    const made = new Set([...source.matchAll(/'(streams_[a-z_]+)'/g)].map(([, name]) => name));
    const told = new Set([...guide.matchAll(/`(streams_[a-z_]+)/g)].map(([, name]) => name));
    expect(told).toEqual(made);
  });

  it('the guide has each code that ends the process, and systemd does not start it again then', () => {
    const rows = [...guide.matchAll(/^\| (`STREAMS_[^|]+) \| (\d+) \|/gm)];
    const exits = new Set(rows.map(([, , exit]) => exit!));
    expect(rows.length).toBeGreaterThan(5);
    expect(new Set(/^RestartPreventExitStatus=(.*)$/m.exec(unit)![1]!.split(' '))).toEqual(exits);
    const source = readText('packages/streams/src/errors.ts');
    for (const [code] of rows.flatMap(([, codes]) => [...codes!.matchAll(/STREAMS_\w+/g)]))
      expect(source).toContain(`'${code}'`);
  });
});
