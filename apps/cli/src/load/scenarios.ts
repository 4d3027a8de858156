import { builtInNames, builtInScenario, builtInText, scenarioFileSchema } from '@prime/load';

/** `prime load scenarios`. @throws LoadError `LOAD_SCENARIO_UNKNOWN` */
export function scenarios(name: string | undefined, { schema = false }: { readonly schema?: boolean }): void {
  if (schema) return console.log(JSON.stringify(scenarioFileSchema, null, 2));
  if (name !== undefined) return console.log(builtInText(name).trimEnd());
  const names = builtInNames();
  const width = Math.max(...names.map(({ length }) => length));
  for (const each of names) {
    const { about, catches } = builtInScenario(each);
    console.log(`${each.padEnd(width)}  ${about}\n${' '.repeat(width)}  Catches: ${catches}`);
  }
}
