import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'smol-toml';
import { builtInScenario } from './builtInScenarios.ts';
import { builtInNames, builtInText } from './builtInTexts.ts';
import { kindNames, kindTable } from './kindTable.ts';
import { parseScenario, sizeOf, withSize } from './parseScenario.ts';
import { scenarioFileSchema } from './schema.ts';
import { scenarioText } from './testing/networks.ts';

const transfer = 'kind = "transfer"\nweight = 1';

/** What the error of a text says. */
function refused(text: string): object {
  try {
    parseScenario(text, 'mine.toml');
  } catch (error) {
    return { message: (error as Error).message, ...(error as { detail: object }).detail };
  }
  throw new Error('it was taken');
}

describe('a scenario file', () => {
  it('of what has to be there: everything else has its default', () => {
    const scenario = parseScenario(scenarioText([transfer]), 'mine.toml');
    expect(scenario).toEqual({
      format: 'prime-load-scenario-1',
      name: 'test',
      about: 'What a test sends.',
      catches: 'Errors.',
      accounts: 64,
      markets: 0,
      symbols: [],
      size: 64,
      sizes: { ci: [64], nightly: [64] },
      mix: [{ kind: 'transfer', weight: 1 }],
      arrivals: 'poisson',
      stages: [{ kind: 'hold', rate: 1000, seconds: 10 }],
      step_ms: 600,
      think: { mean_ms: 0, spread: 'exponential' },
      readers: { count: 0, streams: ['orderBook'] },
      bounds: { memory_mb: 2_000, disk_mb: 5_000, gap_ms: 10_000 },
    });
  });

  it('a size of a part stands before that of the scenario', () => {
    const scenario = parseScenario(scenarioText([transfer, `${transfer}\nsize = 9`], 'size = 5'), 'mine.toml');
    expect(scenario.mix.map((item) => sizeOf(scenario, item))).toEqual([5, 9]);
    expect(scenario.mix.map((item) => sizeOf(withSize(scenario, 6), item))).toEqual([6, 9]);
  });

  it('that is no TOML: line, column and reason', () => {
    const found = refused(scenarioText([transfer]).replace('weight = 1', 'weight = = 1'));
    expect(found).toMatchObject({ code: 'LOAD_SCENARIO_MALFORMED', file: 'mine.toml', line: 8, column: 10 });
    expect(found).toHaveProperty('message', expect.stringMatching(/^mine\.toml:8:10 is not TOML: \S/));
  });

  it.each([
    ['an unknown key', ['name =', 'nam = "x"\nname ='], 'nam', /no key/, /format, name, about/],
    [
      'an unknown key of a part',
      ['weight = 1', 'weight = 1\nwait = 2'],
      'mix[0].wait',
      /no key/,
      /^kind, weight, size, refusals$/,
    ],
    [
      'a refusal that is no word',
      ['weight = 1', 'weight = 1\nrefusals = ["CLOB_BAD_PRICE"]'],
      'mix[0].refusals[0]',
      /CLOB_BAD_PRICE/,
      /pattern|integer/,
    ],
    ['a key that is missing', ['about = "What a test sends."', ''], 'about', /missing/, /./],
    ['an unknown kind', ['"transfer"', '"transfers"'], 'mix[0].kind', /"transfers"/, /"transfer", "token_transfer"/],
    ['a weight of nothing', ['weight = 1', 'weight = 0'], 'mix[0].weight', /can not be 0/, /> 0/],
    ['a text for a number', ['rate = 1000', 'rate = "1000"'], 'stages[0].rate', /"1000"/, /number/],
    ['a kind of stage that there is not', ['"hold"', '"jump"'], 'stages[0].kind', /"jump"/, /"ramp", "hold", "spike"/],
    ['a name that is no name', ['name = "test"', 'name = "My Test"'], 'name', /My Test/, /pattern/],
    ['another format', ['scenario-1', 'scenario-2'], 'format', /scenario-2/, /"prime-load-scenario-1"/],
    ['a size beyond its kind', ['weight = 1', 'weight = 1\nsize = 1000001'], 'mix[0].size', /1000001/, /<= 1000000/],
  ])('with %s: the key, what is wrong, what is allowed', (_, [from = '', to = ''], path, problem, allowed) => {
    const text = scenarioText([transfer]);
    expect(text).toContain(from);
    expect(refused(text.replace(from, to))).toMatchObject({
      code: 'LOAD_SCENARIO_INVALID',
      file: 'mine.toml',
      path,
      problem: expect.stringMatching(problem),
      allowed: expect.stringMatching(allowed),
    });
  });

  it('of a kind that can not be so large: told with the largest size', () => {
    const text = scenarioText(['kind = "storage_write"\nweight = 1'], 'size = 1401');
    expect(refused(text)).toMatchObject({ path: 'size', allowed: '1 to 1400 for storage_write (slots)' });
    expect(parseScenario(text.replace('1401', '1400'), 'mine.toml').size).toBe(1_400);
    const scenario = parseScenario(text.replace('1401', '1400'), 'mine.toml');
    expect(() => withSize(scenario, 1_401)).toThrow('1 to 1400');
  });
});

describe('the published schema', () => {
  const isFile = new Ajv2020({ allowUnionTypes: true }).compile(scenarioFileSchema);

  it('takes every scenario that is built in, and what has defaults may be left out', () => {
    for (const name of builtInNames()) expect([name, isFile(parse(builtInText(name)))]).toEqual([name, true]);
    expect(isFile(parse(scenarioText([transfer])))).toBe(true);
    expect(isFile(parse(scenarioText([transfer], 'speed = 1')))).toBe(false);
    expect(isFile(parse(scenarioText([])))).toBe(false);
  });
});

describe('scenarios that are built in', () => {
  it('are those of the manual, each under its name', () => {
    expect(builtInNames()).toEqual(
      (
        'agents bridge bursts cancel-all contract-orders deploys erc20 exchange-core expiries liquidation-cascade maker ' +
        'many-markets reads storage subscribers sweeps transfers uniswap'
      ).split(' '),
    );
    for (const name of builtInNames()) expect(builtInScenario(name).name).toBe(name);
  });

  it('another name: told which there are', () => {
    expect(() => builtInScenario('../maker')).toThrow(
      expect.objectContaining({
        detail: expect.objectContaining({ code: 'LOAD_SCENARIO_UNKNOWN', known: builtInNames() }),
      }),
    );
  });

  it('can be run at each of their sizes', () => {
    for (const scenario of builtInNames().map(builtInScenario))
      for (const size of [...scenario.sizes.ci, ...scenario.sizes.nightly])
        expect(withSize(scenario, size).size).toBe(size);
  });

  it('use every kind but those that are there for own scenarios', () => {
    const used = new Set(builtInNames().flatMap((name) => builtInScenario(name).mix.map(({ kind }) => kind)));
    expect(kindNames.filter((kind) => !used.has(kind))).toEqual([
      'primeorders_getOrderBook',
      'primeorders_getAccount',
      'noop',
    ]);
    for (const kind of kindNames) expect(kindTable[kind].about).toMatch(/^[A-Z].*\.$/);
  });
});
