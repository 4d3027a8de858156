import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { CliError } from '../../errors.ts';
import { parseTestnetManifest } from './parse.ts';
import type { ManifestProblem } from './problem.ts';

const head = 'format = "prime-testnet-1"\n';
const four = `${head}validators = 4\n`;

function problemsOf(text: string): readonly ManifestProblem[] {
  try {
    parseTestnetManifest(text, 'net.toml');
  } catch (error) {
    if (error instanceof CliError && error.detail.code === 'CLI_TESTNET_MANIFEST') return error.detail.problems;
    throw error;
  }
  return [];
}
const pathsOf = (text: string): string[] => problemsOf(text).map(({ path }) => path);

describe('a manifest of a network', () => {
  const folder = fileURLToPath(new URL('../../../../../deploy/manifests', import.meta.url));
  it.each(readdirSync(folder))('the example %s is one', (name) => {
    expect(problemsOf(readFileSync(join(folder, name), 'utf8'))).toEqual([]);
  });

  it('a number of nodes is as many tables', () => {
    const counted = parseTestnetManifest(`${four}followers = 2`, 'a');
    const listed = parseTestnetManifest(`${head}${'[[validators]]\n'.repeat(4)}${'[[followers]]\n'.repeat(2)}`, 'b');
    expect(counted).toEqual(listed);
    expect([counted.validators.length, counted.followers.length]).toEqual([4, 2]);
  });

  it('says everything that is wrong at once, with path, value and what is allowed', () => {
    const text = `${head}chain_id = 0\npreset = "main"\noracle = "x"\n[[validators]]\nstake = "much"\nmoniker = ""\n[[validators]]\nport = 1\n[monitoring]\nport = 70000`;
    expect(problemsOf(text)).toEqual(
      expect.arrayContaining([
        { path: 'chain_id', value: '0', allowed: 'a whole number of 1 to 9007199254740991' },
        { path: 'preset', value: '"main"', allowed: 'one of local, testnet' },
        { path: 'oracle', value: '"x"', allowed: expect.stringContaining('validators') },
        { path: 'validators[0].stake', value: '"much"', allowed: 'a whole number of 1 to 1000000000' },
        { path: 'validators[0].moniker', value: '""', allowed: 'text of 1 to 64 characters' },
        { path: 'validators[1].port', value: '1', allowed: 'one of moniker, stake, host, signer_host' },
        { path: 'monitoring.port', value: '70000', allowed: 'a whole number of 1 to 65535' },
      ]),
    );
    expect(problemsOf(text)).toHaveLength(7);
  });

  it('the message is one line for each problem', () => {
    expect(() => parseTestnetManifest(`${head}chain_id = 0`, 'net.toml')).toThrow(
      /^net\.toml is no manifest of a network:\n {2}(validators is missing: .*\n {2}chain_id = 0: allowed is .*|chain_id = 0.*\n {2}validators is missing.*)$/,
    );
  });

  it('what is no TOML says where', () => {
    expect(problemsOf('validators = = 4')).toEqual([
      { path: 'line 1, column 14', value: expect.any(String), allowed: 'TOML' },
    ]);
  });

  it.each([
    ['validators = 0', ['validators']],
    ['validators = 1', []],
    ['validators = 100', []],
    ['validators = 101', ['validators']],
    ['validators = -1', ['validators']],
    ['validators = 1.5', ['validators']],
    ['validators = 4\nfollowers = 0', []],
    ['validators = 4\nfollowers = 100', []],
    ['validators = 4\nfollowers = 101', ['followers']],
  ])('limits of counts: %s', (text, paths) => {
    expect(pathsOf(head + text)).toEqual(paths);
  });

  const sentry = '[[sentries]]\nvalidators = ["validator0"]\n';
  it.each([
    ['99 followers beside a sentry', `${head}validators = 4\nfollowers = 99\n${sentry}`, []],
    ['100 followers beside a sentry', `${head}validators = 4\nfollowers = 100\n${sentry}`, ['followers']],
    ['128 peers', `${head}validators = 100\n${sentry.repeat(29)}`, []],
    ['129 peers', `${head}validators = 100\n${sentry.repeat(30)}`, ['sentries']],
  ])('limits across keys: %s', (_name, text, paths) => {
    expect(pathsOf(text)).toEqual(paths);
  });

  it.each([
    ['base_port = 65001\nvalidators = 4', ['base_port']],
    ['base_port = 65000\nvalidators = 54', []],
    ['base_port = 65000\nvalidators = 55', ['base_port']],
    ['base_port = 8470\nvalidators = 4', ['base_port']],
    ['base_port = 20000\nvalidators = 4\n[monitoring]\nport = 20032', ['monitoring.port']],
    ['base_port = 20000\nvalidators = 4\n[monitoring]\nport = 20033', []],
    [
      'base_port = 20000\nvalidators = 4\nremote_signers = ["validator3"]\n[monitoring]\nport = 20035',
      ['monitoring.port'],
    ],
    ['validators = 4\n[monitoring]\nport = 8500', ['monitoring.port']],
    ['validators = 4\n[monitoring]\nport = 3000', ['monitoring.grafana_port']],
    ['validators = 4\n[monitoring]\ngrafana_port = 8500', ['monitoring.grafana_port']],
    ['validators = 4\n[monitoring]\nport = 3000\ngrafana_port = 3001', []],
  ])('ports: %s', (text, paths) => {
    expect(pathsOf(head + text)).toEqual(paths);
  });

  it.each([
    ['a sentry of nobody', '[[sentries]]\nvalidators = ["validator4"]', ['sentries[0].validators']],
    ['a signer of nobody', 'remote_signers = ["validator4"]', ['remote_signers']],
    ['a signer of a follower', 'followers = 1\nremote_signers = ["follower0"]', ['remote_signers[0]']],
    [
      'a fault of nobody',
      '[[faults]]\nat_seconds = 1\nfor_seconds = 1\nkind = "kill"\nvalidators = ["sentry0"]',
      ['faults[0]'],
    ],
    ['a region of nobody', '[latency]\nregions = { a = ["follower0"] }\nms = {}', ['latency.regions.a']],
    [
      'a node in two regions',
      '[latency]\nregions = { a = ["validator0"], b = ["validator0"] }\nms = {}',
      ['latency.regions.b'],
    ],
    [
      'a latency to nowhere',
      '[latency]\nregions = { a = ["validator0"] }\nms = { a = { b = 1 }, c = {} }',
      ['latency.ms.a.b', 'latency.ms.c'],
    ],
    ['makers of no market', '[makers]\nmarkets = ["BTC/USD"]', ['makers.markets[0]']],
    ['makers without markets', 'markets = []\n[makers]', ['makers']],
    [
      'two markets of one name',
      '[[markets]]\nsymbol = "A/B"\ntick_size = "1"\nlot_size = "1"\n[[markets]]\nsymbol = "a/b"\ntick_size = "1"\nlot_size = "1"',
      ['markets[1].symbol'],
    ],
    ['a tick of nothing', '[[markets]]\nsymbol = "A/B"\ntick_size = "0"\nlot_size = "1"', ['markets[0].tick_size']],
    ['an unknown scenario', '[load]\nscenario = "nothing"', ['load.scenario']],
    ['blocks without work before those with', 'block_interval_ms = 2000', ['empty_block_interval_ms']],
    [
      'makers of a network of strangers',
      'preset = "testnet"\n[makers]\n[load]\nscenario = "transfers"',
      ['makers', 'load'],
    ],
  ])('what contradicts itself: %s', (_name, text, paths) => {
    expect(pathsOf(`${four}${text}`)).toEqual(paths);
  });

  it('all nodes have a host, or none has; a signer is elsewhere only where there is one', () => {
    const two = (first: string, second: string): string => `${head}[[validators]]\n${first}\n[[validators]]\n${second}`;
    expect(pathsOf(two('host = "a.example"', 'host = "b.example"'))).toEqual([]);
    expect(pathsOf(two('host = "a.example"', ''))).toEqual(['validators[1].host']);
    expect(pathsOf(two('host = "a.example"\nsigner_host = "s.example"', 'host = "b.example"'))).toEqual([
      'validators[0].signer_host',
    ]);
    expect(pathsOf(`${head}remote_signers = ["validator0"]\n[[validators]]\nsigner_host = "s.example"`)).toEqual([
      'validators[0].signer_host',
    ]);
    expect(pathsOf(two('host = "a example"', 'host = "b.example"'))).toEqual(['validators[0].host']);
  });
});

describe('faults of a manifest', () => {
  const fault = (from: number, seconds: number, rest: string): string =>
    `[[faults]]\nat_seconds = ${from}\nfor_seconds = ${seconds}\n${rest}\n`;
  const kill = 'kind = "kill"\nvalidators = ["validator0"]';

  it.each([
    ['one ends as the other begins', fault(0, 5, kill) + fault(5, 5, kill), []],
    ['they overlap by a second', fault(0, 5, kill) + fault(4, 5, kill), ['faults[1].at_seconds']],
    ['one within the other, whatever their order', fault(2, 1, kill) + fault(0, 9, kill), ['faults[1].at_seconds']],
    ['other nodes', fault(0, 5, kill) + fault(0, 5, kill.replace('0', '1')), []],
    [
      'a node and its links',
      fault(0, 5, kill) + fault(0, 5, 'kind = "cut"\nlinks = [{ from = "validator0", to = "validator1" }]'),
      [],
    ],
    [
      'all links twice',
      fault(0, 5, 'kind = "degrade"\nlinks = "all"\nlatency_ms = 1') +
        fault(1, 1, 'kind = "reset"\nlinks = "all"\nevery_ms = 50'),
      ['faults[1].at_seconds'],
    ],
    [
      'a link and a partition that has it',
      fault(0, 5, 'kind = "partition"\ngroups = [["validator0"], ["validator1"]]') +
        fault(1, 1, 'kind = "cut"\nlinks = [{ from = "validator1", to = "validator0" }]'),
      ['faults[1].at_seconds'],
    ],
    [
      'a link that the partition has not',
      fault(0, 5, 'kind = "partition"\ngroups = [["validator0"], ["validator1"]]') +
        fault(1, 1, 'kind = "cut"\nlinks = [{ from = "validator1", to = "validator2" }]'),
      [],
    ],
  ])('two at a time do not undo each other: %s', (_name, text, paths) => {
    expect(pathsOf(four + text)).toEqual(paths);
  });

  it.each([
    ['no such kind', fault(0, 1, 'kind = "wipe"\nvalidator = "validator0"'), ['faults[0].kind']],
    ['a field of another kind', fault(0, 1, `${kill}\nlinks = "all"`), ['faults[0].links']],
    ['nobody', fault(0, 1, 'kind = "kill"\nvalidators = []'), ['faults[0].validators']],
    ['a number of a node', fault(0, 1, 'kind = "kill"\nvalidators = [0]'), ['faults[0].validators[0]']],
    [
      'no time',
      '[[faults]]\nkind = "kill"\nvalidators = ["validator0"]',
      ['faults[0].at_seconds', 'faults[0].for_seconds'],
    ],
    ['nothing lasts no time', fault(0, 0, kill), ['faults[0].for_seconds']],
    [
      'a link to itself',
      fault(0, 1, 'kind = "cut"\nlinks = [{ from = "validator0", to = "validator0" }]'),
      ['faults[0].links'],
    ],
    [
      'a node in two groups',
      fault(0, 1, 'kind = "partition"\ngroups = [["validator0"], ["validator0", "validator1"]]'),
      ['faults[0].groups'],
    ],
    ['one group', fault(0, 1, 'kind = "partition"\ngroups = [["validator0"]]'), ['faults[0].groups']],
    [
      'a clock on a network of strangers',
      `preset = "testnet"\n${fault(0, 1, 'kind = "clock"\nvalidator = "validator0"\noffset_ms = 5')}`,
      ['faults[0].kind'],
    ],
  ])('refused: %s', (_name, text, paths) => {
    expect(pathsOf(four + text)).toEqual(paths);
  });

  it('links have proxies up to 32 nodes; processes fail in any number of them', () => {
    const cut = fault(0, 1, 'kind = "cut"\nlinks = [{ from = "validator0", to = "validator1" }]');
    expect(pathsOf(`${head}validators = 32\n${cut}`)).toEqual([]);
    expect(pathsOf(`${head}validators = 33\n${cut}`)).toEqual(['faults (1)']);
    expect(pathsOf(`${head}validators = 33\n${fault(0, 1, kill)}`)).toEqual([]);
  });
});
