import type { SignedAction } from '@prime/sdk';
import { buildBatch, type Contender } from './contenders.ts';

/** Batches that are sent, and how many at one time. */
export interface Load {
  readonly batches: number;
  /** Orders in a batch. */
  readonly size: number;
  readonly inFlight: number;
}

/** µs of processor time for one order. */
export interface StageSample {
  readonly build: number;
  readonly encode: number;
  readonly sign: number;
  readonly send: number;
}

const processorMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

/** Runs a task so many times, some at once. @throws whatever the first failure is */
async function inTurns(count: number, atOnce: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Each stage over all batches, before the next stage begins. */
export async function measureStages({ client, signedMs }: Contender, load: Load): Promise<StageSample> {
  const { batches, size, inFlight } = load;
  const micros = (ms: number): number => (ms * 1000) / (batches * size);

  const building = process.cpuUsage();
  const built = Array.from({ length: batches }, () => buildBatch(size));
  const build = processorMs(building);

  const [signing, signedBefore, signingStart] = [process.cpuUsage(), signedMs(), performance.now()];
  const signed: SignedAction<{ type: 'batch'; items: ReturnType<typeof buildBatch> }>[] = [];
  for (const items of built) signed.push(await client.signAction({ action: { type: 'batch', items } }));
  const signature = signedMs() - signedBefore;
  // The signature's share by the clock, of processor time: others may have had the processor meanwhile.
  const share = signature / (performance.now() - signingStart);
  const both = processorMs(signing);

  const sending = process.cpuUsage();
  await inTurns(batches, inFlight, async (index) => {
    await client.sendAction({ signed: signed[index]! });
  });
  const send = processorMs(sending);
  return { build: micros(build), encode: micros(both * (1 - share)), sign: micros(both * share), send: micros(send) };
}

/** `submitBatch` in a closed loop: everything together. */
export async function measureWhole({ client }: Contender, { batches, size, inFlight }: Load) {
  const [start, processor] = [performance.now(), process.cpuUsage()];
  await inTurns(batches, inFlight, async () => {
    const { results } = await client.submitBatch({ items: buildBatch(size) });
    if (results.length !== size) throw new Error(`${results.length} of ${size} orders were answered`);
  });
  const [elapsed, used] = [performance.now() - start, processorMs(processor)];
  const orders = batches * size;
  return {
    perSecond: (orders * 1000) / elapsed,
    perCoreSecond: (orders * 1000) / used,
    coreShare: used / elapsed,
  };
}
