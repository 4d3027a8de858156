import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ConfigError, type ConfigErrorDetail } from './errors.ts';
import { type ConfigInput, configKeys, loadConfig } from './load.ts';
import { describeConfig, parseConfigToml, renderConfigToml } from './render.ts';

const file = (text: string) => ({ file: { name: 'config.toml', text } });

function refusal(input: ConfigInput): ConfigErrorDetail & { message: string } {
  try {
    loadConfig(input);
  } catch (error) {
    if (error instanceof ConfigError) return { ...error.detail, message: error.message };
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(input)}`);
}

describe('loadConfig', () => {
  it('nothing given: the defaults, checked by their own rules', () => {
    const { config, provenance } = loadConfig();
    expect(config.rpc.listen).toEqual({ host: '127.0.0.1', port: 8545 });
    expect(config.rpc.operatorListen).toBeNull();
    expect(config.consensus.proposeMs).toBe(400);
    expect(config.p2p.peers).toEqual([]);
    expect([...provenance.values()].every(({ kind }) => kind === 'default')).toBe(true);
  });

  it('defaults < file < environment < flags, and each value knows its origin', () => {
    const text = '[consensus]\npropose_ms = 1\nprevote_ms = 1\nprecommit_ms = 1\n';
    const { config, provenance } = loadConfig({
      ...file(text),
      environment: { PRIME_CONSENSUS_PREVOTE_MS: '2', PRIME_CONSENSUS_PRECOMMIT_MS: '2', HOME: 'x' },
      flags: { 'consensus.precommit_ms': '3' },
    });
    expect(config.consensus).toMatchObject({ proposeMs: 1, prevoteMs: 2, precommitMs: 3, proposeDeltaMs: 200 });
    expect(provenance.get('consensus.propose_ms')).toEqual({ kind: 'file', name: 'config.toml' });
    expect(provenance.get('consensus.prevote_ms')).toEqual({ kind: 'environment', name: 'PRIME_CONSENSUS_PREVOTE_MS' });
    expect(provenance.get('consensus.precommit_ms')).toEqual({ kind: 'flag', name: 'consensus.precommit_ms' });
    expect(provenance.get('consensus.propose_delta_ms')).toEqual({ kind: 'default', name: '' });
  });

  it('every key can be set from the environment with what its default looks like', () => {
    for (const { variable, path, schema } of configKeys) {
      const value: unknown = schema['default'];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const { provenance } = loadConfig({ environment: { [variable]: text } });
      expect([path, provenance.get(path)]).toEqual([path, { kind: 'environment', name: variable }]);
    }
  });

  it('the address of an explorer: one that everybody may be shown, or none', () => {
    const explorer = (url: string): string | null =>
      loadConfig({ environment: { PRIME_RPC_EXPLORER_URL: url } }).config.rpc.explorerUrl;
    expect(explorer('')).toBeNull();
    for (const url of ['http://127.0.0.1:8500', 'https://explorer.example/prime/', 'http://[::1]:8500'])
      expect(explorer(url)).toBe(url);
    for (const url of [
      'explorer.example',
      'javascript:alert(1)',
      'data:text/html,x',
      '//explorer.example',
      'ftp://explorer.example',
      'https://',
      'https://a.example:99999',
      'https://user@a.example',
      'https://user:password@a.example',
      'https://a.example/?q',
      'https://a.example/#f',
      'https://a.example/a b',
      'https://a.example/\n',
      `https://a.example/${'x'.repeat(2_048)}`,
    ])
      expect([url, refusal({ environment: { PRIME_RPC_EXPLORER_URL: url } }).code]).toEqual([
        url,
        'CONFIG_INVALID_VALUE',
      ]);
  });

  it('the result can not be changed, peers included', () => {
    const peer = { address: `0x${'a'.repeat(40)}`, host: 'h', port: 1, spki: `0x${'b'.repeat(64)}` };
    const { config } = loadConfig({ environment: { PRIME_P2P_PEERS: JSON.stringify([peer]) } });
    expect(config.p2p.peers).toEqual([peer]);
    expect(() => Object.assign(config.p2p.peers[0]!, { host: 'x' })).toThrow(TypeError);
    expect(() => Object.assign(config.rpc, { listen: null })).toThrow(TypeError);
  });

  it('an unknown section, key, variable or flag is refused, with what is allowed', () => {
    expect(refusal(file('[rcp]\nlisten = ""'))).toMatchObject({ code: 'CONFIG_UNKNOWN_KEY', path: 'rcp' });
    const misspelt = refusal(file('[rpc]\nlisten_on = ""'));
    expect(misspelt).toMatchObject({ code: 'CONFIG_UNKNOWN_KEY', path: 'rpc.listen_on' });
    expect(misspelt.message).toContain('rpc.listen, rpc.operator_listen');
    expect(refusal({ environment: { PRIME_RPC_LISTN: 'x' } })).toMatchObject({
      code: 'CONFIG_UNKNOWN_KEY',
      path: 'PRIME_RPC_LISTN',
      message: expect.stringMatching(/allowed are PRIME_RPC_LISTEN, (PRIME_RPC_[A-Z_]+(, )?)+$/),
    });
    expect(refusal({ environment: { PRIME_FOO: '1' } }).message).toMatch(/allowed are PRIME_NODE_…, PRIME_RPC_…, /);
    expect(refusal({ flags: { 'rpc.nope': '1' } })).toMatchObject({ code: 'CONFIG_UNKNOWN_KEY', path: 'rpc.nope' });
  });

  it('a key of Object.prototype is as unknown as any other', () => {
    expect(refusal(file('[constructor]\nname = 1'))).toMatchObject({ code: 'CONFIG_UNKNOWN_KEY' });
    expect(refusal(file('[rpc]\ntoString = 1'))).toMatchObject({ code: 'CONFIG_UNKNOWN_KEY' });
  });

  it('the switches of tests are no configuration and no error', () => {
    expect(() => loadConfig({ environment: { PRIME_CLOCK_OFFSET_MS: '1', PRIME_CRASH_AT: '1' } })).not.toThrow();
  });

  it('a flag is true or false, in files, variables and flags', () => {
    const { config } = loadConfig({
      ...file('[ws]\nenabled = false'),
      environment: { PRIME_WS_SUBSCRIPTIONS: 'false' },
    });
    expect([config.ws.enabled, config.ws.subscriptions]).toEqual([false, false]);
    expect(loadConfig({ flags: { 'ws.enabled': 'true' } }).config.ws.enabled).toBe(true);
    for (const input of [file('[ws]\nenabled = "yes"'), { flags: { 'ws.enabled': '1' } }])
      expect(refusal(input)).toMatchObject({ code: 'CONFIG_INVALID_VALUE', path: 'ws.enabled' });
  });

  it.each([
    ['[rpc]\nlisten = 8545', 'rpc.listen'],
    ['[rpc]\nlisten = ""', 'rpc.listen'],
    ['[rpc]\nlisten = "localhost"', 'rpc.listen'],
    ['[rpc]\nlisten = "localhost:65536"', 'rpc.listen'],
    ['[rpc]\nlisten = "http://localhost:1"', 'rpc.listen'],
    ['[node]\nrole = "king"', 'node.role'],
    ['[consensus]\npropose_ms = 0', 'consensus.propose_ms'],
    ['[consensus]\npropose_ms = 1.5', 'consensus.propose_ms'],
    ['[consensus]\npropose_ms = "1"', 'consensus.propose_ms'],
    ['[p2p]\npeers = 1', 'p2p.peers'],
    ['[[p2p.peers]]\naddress = "0x1"\nhost = "h"\nport = 1\nspki = "0x2"', 'p2p.peers.0.address'],
    ['rpc = 1', 'rpc'],
    ['[[rpc]]\nlisten = ""', 'rpc'],
  ])('%j is refused and names its key', (text, path) => {
    expect(refusal(file(text))).toMatchObject({ code: 'CONFIG_INVALID_VALUE', path });
  });

  it('API keys: optional settings stay absent, names are unique, keys are camelCase', () => {
    const hash = `sha256:${'a'.repeat(64)}`;
    const two = (name: string): string =>
      `[[rpc.api_keys]]\nname = "a"\nhash = "${hash}"\nrequests_per_second = 5\nmethods = ["eth_*"]\n[[rpc.api_keys]]\nname = "${name}"\nhash = "${hash}"`;
    expect(loadConfig(file(two('b'))).config.rpc.apiKeys).toEqual([
      { name: 'a', hash, requestsPerSecond: 5, methods: ['eth_*'] },
      { name: 'b', hash },
    ]);
    expect(refusal(file(two('a')))).toMatchObject({ code: 'CONFIG_INVALID_VALUE', path: 'rpc.api_keys.name' });
    for (const wrong of ['hash = "abc"', 'name = "x y"', 'secret = "x"', 'methods = [""]'])
      expect(refusal(file(`[[rpc.api_keys]]\n${wrong}`))).toMatchObject({
        code: 'CONFIG_INVALID_VALUE',
        path: expect.stringMatching(/^rpc\.api_keys\.0/),
      });
  });

  it('trusted proxies are addresses or networks', () => {
    const proxies = (list: readonly string[]) => file(`[rpc]\ntrusted_proxies = ${JSON.stringify(list)}`);
    const good = ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'];
    expect(loadConfig(proxies(good)).config.rpc.trustedProxies).toEqual(good);
    for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0.0/', '1.2.3', '::1/129', '1.1.1.1/8/8'])
      expect([wrong, refusal(proxies([wrong])).code]).toEqual([wrong, 'CONFIG_INVALID_VALUE']);
  });

  it.each(['states', 'blocks'] as const)('an archive that keeps recent %s only contradicts itself', (part) => {
    const flags = { 'node.role': 'archive', [`history.${part}`]: 'recent' };
    expect(refusal({ flags })).toMatchObject({ code: 'CONFIG_INVALID_VALUE', path: `history.${part}` });
    expect(loadConfig({ flags: { ...flags, 'node.role': 'full' } }).config.history[part]).toBe('recent');
  });

  it('a trusted height without its hash: refused', () => {
    const flags = { 'sync.trusted_height': '7' };
    expect(refusal({ flags })).toMatchObject({ code: 'CONFIG_INVALID_VALUE', path: 'sync.trusted_hash' });
    const hash = `0x${'ab'.repeat(32)}`;
    expect(loadConfig({ flags: { ...flags, 'sync.trusted_hash': hash } }).config.sync.trustedHash).toBe(hash);
  });

  it('a number in the environment must be one', () => {
    for (const text of ['', 'x', '1e3', '0x10', ' 1']) {
      const detail = refusal({ environment: { PRIME_CONSENSUS_PROPOSE_MS: text } });
      expect([text, detail.code]).toEqual([text, 'CONFIG_INVALID_VALUE']);
    }
  });

  it('what is not TOML is refused with its line', () => {
    expect(refusal(file('[rpc]\nlisten = \n'))).toMatchObject({ code: 'CONFIG_SYNTAX', line: 2 });
  });

  it('any text: a configuration or a ConfigError, nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          loadConfig(file(text));
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
        }
      }),
    );
  });
});

describe('renderConfigToml', () => {
  it('without values: a file of comments that changes nothing', () => {
    const { config, provenance } = loadConfig(file(renderConfigToml({})));
    expect(config).toEqual(loadConfig().config);
    expect(provenance.get('rpc.listen')?.kind).toBe('default');
  });

  it('written values are read back', () => {
    const peer = { address: `0x${'1'.repeat(40)}`, host: 'a "quoted" name', port: 7, spki: `0x${'2'.repeat(64)}` };
    const values = { 'rpc.listen': '[::1]:9', 'p2p.peers': [peer, { ...peer, port: 8 }], 'log.level': 'debug' };
    const { config } = loadConfig(file(renderConfigToml(values)));
    expect(config.rpc.listen).toEqual({ host: '::1', port: 9 });
    expect(config.p2p.peers).toEqual(values['p2p.peers']);
    expect(config.log.level).toBe('debug');
    expect(parseConfigToml(renderConfigToml(values))).toEqual(values);
  });

  it('a key that does not exist is a mistake of the caller', () => {
    expect(() => renderConfigToml({ 'rpc.nope': 1 })).toThrow(RangeError);
  });
});

it('describeConfig tells each value and its origin', () => {
  const lines = describeConfig(loadConfig({ environment: { PRIME_LOG_LEVEL: 'warn' } }));
  expect(lines).toHaveLength(configKeys.length);
  expect(lines).toContain('log.level = "warn"  # environment PRIME_LOG_LEVEL');
  expect(lines).toContain('rpc.listen = "127.0.0.1:8545"  # default');
});
