import { describe, expect, it } from '@jest/globals';
import { StreamsError } from '../errors.ts';
import { parseStreams } from './parseStreams.ts';

const refusal = (text: string): string => {
  try {
    parseStreams(text, 'streams.toml');
  } catch (error) {
    if (error instanceof StreamsError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'no refusal';
};

const source = '[source]\nurls = ["http://127.0.0.1:8545"]\n';
const files = '[files]\ndirectory = "out"\n';
const nats = (rest: string): string => `${source}[nats]\n${rest}`;
const natsUrl = 'urls = ["nats://127.0.0.1:4222"]\n';

describe('a configuration file of streams', () => {
  it('needs nodes and a sink, and has the defaults of what it leaves out', () => {
    expect(parseStreams(source + files, 'streams.toml')).toEqual({
      source: { urls: ['http://127.0.0.1:8545'], from: 0 },
      files: { directory: 'out', parquet: false },
    });
    expect(parseStreams(nats(natsUrl), 'streams.toml').nats).toEqual({
      urls: ['nats://127.0.0.1:4222'],
      stream: 'prime',
      prefix: 'prime',
      replicas: 1,
      duplicate_window_s: 120,
    });
    expect(parseStreams(`${source}[postgres]`, 'streams.toml').postgres).toEqual({ schema: 'prime' });
  });

  it.each([
    ['[source', 'STREAMS_CONFIG_MALFORMED streams.toml is no TOML: line 1, column'],
    ['', 'STREAMS_CONFIG_INVALID streams.toml: source is missing'],
    [source, 'nats is missing; allowed: at least one of the tables nats, postgres and files'],
    [`${source}[kafka]`, 'kafka is no key; allowed: source, nats, postgres, files'],
    [`[source]\nurls = []\n${files}`, 'source.urls can not be []; allowed: one or more'],
    [`[source]\nurls = ["ws://a"]\n${files}`, 'source.urls.0 can not be "ws://a"; allowed: http://host:port'],
    [`${source}from = -1\n${files}`, 'source.from can not be -1; allowed: >= 0'],
    [`${source}form = 1\n${files}`, 'source.form is no key; allowed: urls, from, api_key_file'],
    [`${source}[files]`, 'files.directory is missing'],
    [
      nats('urls = ["nats://user:secret@host"]'),
      'nats.urls.0 can not be "nats://user:secret@host"; allowed: nats://host',
    ],
    [nats(`${natsUrl}replicas = 6`), 'nats.replicas can not be 6; allowed: <= 5'],
    [nats(`${natsUrl}stream = "a.b"`), 'nats.stream can not be "a.b"; allowed: small letters, digits and _'],
    [`${source}[postgres]\nurl = "postgres://a"`, 'postgres.url is no key; allowed: url_file, schema'],
    [`${source}[postgres]\nschema = "a-b"`, 'postgres.schema can not be "a-b"; allowed: small letters, digits and _'],
  ])('%j: %s', (text, words) => {
    expect(refusal(text)).toContain(words);
  });

  it.each([1, 5])('takes the greatest and the least values: %i replicas', (replicas) => {
    expect(refusal(nats(`${natsUrl}replicas = ${replicas}`))).toBe('no refusal');
  });
});
