import { expect, it } from '@jest/globals';
import { methodClassOf, methodClasses } from './methodClass.ts';
import { definitions } from '../registry.ts';

/** Names of the methods of a class. */
const of = (wanted: string): readonly string[] =>
  definitions.filter((definition) => methodClassOf(definition) === wanted).map(({ name }) => name);

it('every class has methods, and an alias is of the class of its method', () => {
  for (const each of methodClasses) expect([each, of(each).length > 0]).toEqual([each, true]);
  const byHandler = new Map(definitions.map((definition) => [definition.handler, methodClassOf(definition)]));
  for (const definition of definitions)
    expect([definition.name, methodClassOf(definition)]).toEqual([definition.name, byHandler.get(definition.handler)]);
});

it('nothing heavy is among the reads, which are measured by milliseconds', () => {
  expect(definitions.filter(({ cost, name }) => cost === 'heavy' && of('read').includes(name))).toEqual([]);
});

it('what waits for a block is apart from what does not', () => {
  const waiting = definitions.filter(({ params }) => params.some(({ name }) => name === 'authorization'));
  expect(waiting.length).toBeGreaterThan(10);
  const apart = ['orders', 'admin'];
  expect(waiting.filter((definition) => !apart.includes(methodClassOf(definition))).map(({ name }) => name)).toEqual(
    [],
  );
});

it('what traces is told by its namespace', () => {
  expect(of('trace')).toEqual(definitions.map(({ name }) => name).filter((name) => name.startsWith('debug_')));
});
