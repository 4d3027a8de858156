import { builtInText } from './builtInTexts.ts';
import { parseScenario } from './parseScenario.ts';
import type { Scenario } from './schema.ts';

/** A scenario that comes with the program. @throws LoadError `LOAD_SCENARIO_UNKNOWN` */
export const builtInScenario = (name: string): Scenario => parseScenario(builtInText(name), `${name}.toml`);
