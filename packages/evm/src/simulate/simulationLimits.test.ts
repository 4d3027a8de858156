import { describe, expect, it } from '@jest/globals';
import type { SimulationBlock, SimulationRequest } from '@prime/codec';
import type { Height } from '@prime/primitives';
import { at, base, block, call, numbered, open, counter, header, payer, refused } from '../testing/simulations.ts';

describe('a simulation is bounded', () => {
  const request = (blocks: readonly SimulationBlock[]): SimulationRequest => ({
    blocks,
    base,
    validation: false,
    traceTransfers: false,
  });

  it('by blocks and by calls of all blocks', async () => {
    const small = await open({ simulation: { blocksMax: 2, callsMax: 3 } });
    const run = (...blocks: SimulationBlock[]) => small.simulate(request(blocks), 60_000);
    const full = [block([call(counter), call(counter)]), block([call(counter)])];
    expect(await run(...full)).toHaveLength(2);
    await expect(run(...full, block([]))).rejects.toMatchObject({
      code: 'EVM_SIMULATION_REFUSED',
      message: 'too many blocks: at most 2',
      detail: { number: -38026 },
    });
    await expect(run(block([], numbered({ height: 13 as Height })))).rejects.toThrow(
      refused(-38026, /^too many blocks: at most 2$/),
    );
    await expect(run(full[0]!, full[0]!)).rejects.toThrow(refused(-38026, /^too many calls: at most 3$/));
  });

  it('by the gas of all calls together', async () => {
    const poorer = await open({ callGasMax: 60_000n });
    const run = (count: number) =>
      poorer.simulate(request([block(Array.from({ length: count }, () => call(at(70))))]), 60_000);
    expect((await run(2))[0]!.roots.gasUsed).toBe(42_000n);
    // What is left is not enough to begin with.
    await expect(run(3)).rejects.toThrow(refused(-38013, /intrinsic gas too low: have 18000/));
  });

  it.each([
    ['what calls return', [block(Array.from({ length: 20 }, () => call(header)))]],
    ['logs', [block(Array.from({ length: 20 }, () => call(payer)))]],
    ['many blocks', Array.from({ length: 20 }, () => block([]))],
  ])('by the length of the answer: %s', async (_, blocks) => {
    const terse = await open({ charactersMax: 6_000 });
    await expect(terse.simulate(request(blocks), 60_000)).rejects.toMatchObject({
      code: 'EVM_TRACE_TOO_LARGE',
      message: 'answer is larger than 6000 characters',
    });
    expect(await terse.simulate(request(blocks.slice(0, 1).map(() => block([call(header)]))), 60_000)).toHaveLength(1);
  });

  it('by time, empty blocks too', async () => {
    let clock = 0;
    const slow = await open({ now: () => clock++ });
    const blocks = Array.from({ length: 50 }, () => block([]));
    await expect(slow.simulate(request(blocks), 20)).rejects.toMatchObject({
      code: 'EVM_CALL_TIMEOUT',
      detail: { timeoutMs: 20 },
    });
    expect(await slow.simulate(request(blocks), 100)).toHaveLength(50);
  });
});
