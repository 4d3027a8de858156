import { describe, expect, it } from '@jest/globals';
import { parseStrategy, type StrategyKind, strategySchemas } from '@prime/bot';
import { readText } from '../repository.ts';

/** docs/bot.md and docs/reference/strategy.md against the schema of strategy files. */

interface Key {
  readonly type?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly 'x-unit'?: string;
  readonly properties?: Readonly<Record<string, Key>>;
}

const keysOf = (properties: Readonly<Record<string, Key>>, prefix = ''): readonly (readonly [string, Key])[] =>
  Object.entries(properties).flatMap(([name, key]) => [
    [`${prefix}${name}`, key] as const,
    ...keysOf(key.properties ?? {}, `${prefix}${name}.`),
  ]);
const kinds = Object.keys(strategySchemas) as readonly StrategyKind[];
const keys = kinds.flatMap((kind) => keysOf(strategySchemas[kind].properties as Readonly<Record<string, Key>>));
const names = new Set(keys.map(([name]) => name));
const guide = readText('docs/bot.md');
const rows = [...readText('docs/reference/strategy.md').matchAll(/^\| `([a-z_.]+)` \|(.*)\|$/gm)].map(
  ([, name, rest]) => [name!, rest!.split(' | ').map((cell) => cell.trim())] as const,
);

describe('what is written about strategy files', () => {
  it('the reference has each key, with its bounds, default, unit and meaning, and no other', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(names);
    for (const [name, key] of keys) {
      const row = rows.filter(([shown]) => shown === name).find(([, [, fallback]]) => matchesDefault(fallback!, key));
      const [allowed, , unit, meaning] = row?.[1] ?? [];
      expect([name, meaning]).toEqual([name, expect.stringMatching(/\w/)]);
      if (key.type !== 'integer' && key['x-unit'] === undefined) continue;
      expect([name, unit]).toEqual([name, key['x-unit']]);
      if (key.type === 'integer')
        expect([name, allowed]).toEqual([name, `whole number, ${key.minimum} to ${key.maximum}`]);
    }
    expect(names.size).toBeGreaterThan(40);
  });

  it('each strategy file of the guide is one', () => {
    const files = [...guide.matchAll(/```toml\n([\s\S]*?)```/g)].map(([, text]) => text!);
    expect(files.map((text) => parseStrategy(text, 'docs/bot.md').strategy)).toEqual(['maker', 'maker']);
  });

  it('the guide names no key that there is not', () => {
    const parts = kinds.flatMap((kind) => Object.keys(strategySchemas[kind].properties));
    const named = [...guide.matchAll(/`([a-z_]+\.[a-z_]+)`/g)]
      .map(([, name]) => name!)
      .filter((name) => parts.includes(name.split('.')[0]!));
    const short = [...guide.matchAll(/`([a-z]+(?:_[a-z]+)*_(?:ms|seconds|bps|ticks|percent|second))`/g)].map(
      ([, name]) => name!,
    );
    const leaves = new Set([...names].map((name) => name.split('.').at(-1)!));
    expect(named.filter((name) => !names.has(name))).toEqual([]);
    expect(short.filter((name) => !leaves.has(name))).toEqual([]);
    expect([named.length > 4, short.length > 4]).toEqual([true, true]);
  });
});

const matchesDefault = (shown: string, key: Key): boolean =>
  key.default === undefined || shown === `\`${JSON.stringify(key.default)}\``;
