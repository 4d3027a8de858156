import { describePlan, drawPlan } from '@prime/load';
import { askedOf, funderOf, nodesOf, readScenario, type ScenarioFlags, seedOf, workersOf } from './given.ts';

/** `prime load plan`. */
export async function plan(named: string, flags: ScenarioFlags): Promise<void> {
  const { scenario } = await readScenario(named, flags);
  const { funder, secret } = await funderOf(flags);
  const [url] = nodesOf(flags).urls;
  const drawn = await drawPlan({
    scenario,
    url: url!,
    seed: seedOf(flags),
    secret,
    workers: workersOf(flags),
    asked: askedOf(scenario, flags),
    funder,
  });
  console.log(describePlan(drawn, scenario));
}
