import { afterEach, describe, expect, it } from '@jest/globals';
import { builtInScenario } from './builtInScenarios.ts';
import type { Operation } from './operation.ts';
import { SignedAhead, type SignedAheadOptions } from './signedAhead.ts';
import { factsAfterSetup, firstOperations, freshFacts } from './testing/networks.ts';

const scenario = builtInScenario('maker');
const facts = factsAfterSetup(scenario, 7, 2);
const open: SignedAhead[] = [];
const ahead = (more: Partial<SignedAheadOptions> = {}): SignedAhead => {
  const partition = { worker: 0, workers: 1 };
  const options = { scenario, seed: 7, partition, facts, accounts: 65, capacity: 500, threads: 2, ...more };
  const made = new SignedAhead(options);
  open.push(made);
  return made;
};
/** So many operations, waiting where none is ready. */
async function take(from: SignedAhead, count: number): Promise<Operation[]> {
  const taken: Operation[] = [];
  while (taken.length < count) {
    const operation = from.take();
    if (operation === null) await from.filled();
    else taken.push(operation);
  }
  return taken;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.close()));
});

describe('operations signed ahead', () => {
  it('by one thread: those that one alone would sign, in their order', async () => {
    const made = ahead({ threads: 1 });
    expect(await take(made, 1_200)).toEqual(firstOperations(scenario, 1_200, { facts }));
  });

  it('by two threads: those of two workers, in turn', async () => {
    const made = ahead();
    const [first, second] = [0, 1].map((worker) =>
      firstOperations(scenario, 300, { facts, partition: { worker, workers: 2 } }),
    );
    const inTurn = first!.flatMap((operation, index) => [operation, second![index]!]);
    expect(await take(made, 600)).toEqual(inTurn);
  });

  it('never more than fit, and full when it says so', async () => {
    const made = ahead({ capacity: 500, threads: 2 });
    await made.filled();
    expect(made.ready).toBe(500);
    for (let index = 0; index < 500; index++) expect(made.take()).not.toBeNull();
    await made.filled();
    expect(made.ready).toBe(500);
  });

  it('emptied faster than it is filled: null, and the next one is the one that was due', async () => {
    const made = ahead({ capacity: 4, threads: 1 });
    const taken: Operation[] = [];
    let late = 0;
    while (taken.length < 40) {
      const operation = made.take();
      if (operation === null) {
        late++;
        await made.filled();
      } else taken.push(operation);
    }
    expect(late).toBeGreaterThan(0);
    expect(taken).toEqual(firstOperations(scenario, 40, { facts }));
  });

  it('of a scenario whose setup was not carried out: the error of the thread', async () => {
    const made = ahead({ facts: freshFacts });
    await expect(made.filled()).rejects.toMatchObject({ detail: { code: 'LOAD_MARKET_MISSING' } });
    expect(() => made.take()).toThrow('MAKER-7.0/LOAD');
  });
});
