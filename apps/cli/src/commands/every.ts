import type { Command } from 'commander';
import { commandGroups } from '../commandGroups.ts';

/** Adds all commands, in the order of the list. In the bundle they share here what several of them load, which help and completion wait for. */
export async function addEveryGroup(program: Command): Promise<void> {
  for (const load of Object.values(commandGroups)) {
    const addTo = await load();
    addTo(program);
  }
}
