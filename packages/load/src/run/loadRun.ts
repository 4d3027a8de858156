import { cpus, totalmem } from 'node:os';
import { type LedgerStart, readBlocksByRpc } from '@prime/audit';
import { createCryptoProvider, type CryptoProvider } from '@prime/crypto';
import { reportFormat, type RunReport } from '../report/runReport.ts';
import type { Plan } from '../scenario/operation.ts';
import { operationsOfAsked, planWithAccounts, rateOfAsked } from './drawPlan.ts';
import { keepAll, readAccounts, readFacts, readNodes } from './facts.ts';
import { fund } from './funding.ts';
import { giveBack } from './giveBack.ts';
import { MeasuredPart } from './measuredPart.ts';
import type { FactsData } from './worker/messages.ts';
import type { Asked, LoadOptions, MeanwhileOutcome } from './runOptions.ts';
import { searchKnee } from './searchKnee.ts';
import { setUp } from './setup.ts';
import { judgeRun } from './verdict/verdict.ts';

const mebibyte = 2 ** 20;

/**
 * Carries out a whole run: reads the network, pays the accounts, sets up, sends, judges, and gives back what is left.
 *
 * @throws LoadError when the run can not begin; what goes wrong later is in the verdict
 */
export async function runLoad(options: LoadOptions): Promise<RunReport> {
  const run = new LoadRun(options, await createCryptoProvider());
  try {
    await run.begin();
    await run.measure();
    return await run.end();
  } finally {
    run.close();
  }
}

class LoadRun {
  readonly #options: LoadOptions;
  readonly #provider: CryptoProvider;
  readonly #startedAt = new Date();
  #nodes: Awaited<ReturnType<typeof readNodes>> = [];
  #facts: FactsData | null = null;
  #plan: Plan | null = null;
  /** Of the accounts, before anything was sent. */
  #accounts: readonly LedgerStart[] = [];
  /** First height that the run may have changed. */
  #from = 0;
  #part: MeasuredPart | null = null;
  #knee: RunReport['knee'] = null;
  #meanwhile: MeanwhileOutcome = { faults: [], findings: [] };

  constructor(options: LoadOptions, provider: CryptoProvider) {
    this.#options = options;
    this.#provider = provider;
  }

  /** Until the first operation could be sent. */
  async begin(): Promise<void> {
    const { scenario, urls, seed, secret, funder, withModel, say, asked } = this.#options;
    this.#nodes = await readNodes(urls);
    this.#from = Math.max(...this.#nodes.map(({ head }) => head)) + 1;
    if (withModel && this.#from > 1 && !(await keepAll(urls)))
      say('no node keeps all blocks: the model can not judge the order book, and --without-model leaves it out');
    const url = urls[0]!;
    const options = { scenario, url, seed, secret, workers: this.#workers, asked, funder, provider: this.#provider };
    const { plan, before } = await planWithAccounts(options);
    const addresses = plan.accounts.map(({ address }) => address);
    this.#plan = plan;
    this.#accounts = before.map(({ nonce, wei }, index) => ({ address: addresses[index]!, nonce, balance: wei }));
    const { accounts, needsGas } = plan;
    await fund({ url, funder, accounts, before, needsGas, provider: this.#provider, say });
    await setUp(url, plan.setup, say);
    this.#facts = {
      ...(await readFacts(url)),
      nonces: (await readAccounts(url, plan.accounts)).map(({ nonce }) => nonce),
    };
  }

  async measure(): Promise<void> {
    const { work, seed, secret, urls, transport, connections, aheadMax, answerMs, asked, scenario, say } =
      this.#options;
    const part = new MeasuredPart(this.#options, this.#from);
    this.#part = part;
    say('connecting and signing ahead');
    await part.prepare(
      (worker, workers) => ({
        work,
        seed,
        secret,
        rate: rateOfAsked(asked),
        partition: { worker, workers },
        facts: this.#facts!,
        urls,
        transport,
        connections,
        aheadMax,
        answerMs,
      }),
      operationsOfAsked(asked),
    );
    const { markets } = this.#facts!;
    await part.observe(
      this.#plan!.markets.map((symbol) => markets.findIndex((market) => market.symbol === symbol) + 1),
    );
    say(`${scenario.name}: ${wordsOf(asked)}`);
    const meanwhile = this.#options.meanwhile?.() ?? null;
    if (asked.kind !== 'search') await part.run(asked);
    else {
      const knee = await searchKnee(asked.bounds, async (rate) => {
        const trial = await part.attempt(rate, asked.seconds, asked.holds);
        say(`${rate.toFixed(0)}/s: ${trial.why}`);
        return trial;
      });
      const failed = knee.trials.filter(({ holds, spoiled }) => !holds && !spoiled);
      const limit = failed.at(-1)?.why ?? 'nothing within the rates that were tried';
      this.#knee = { ...knee, trials: [...knee.trials], limit };
    }
    if (meanwhile === null) return;
    say('waiting until the network is whole again');
    this.#meanwhile = await meanwhile.end();
    // What could not be in a block while faults lasted comes now.
    await part.drained();
  }

  async end(): Promise<RunReport> {
    const { scenario, seed, urls, withModel, say, funder, secret, drainMs, readBlocks } = this.#options;
    const part = this.#part!;
    const { gap_ms: gapMs, memory_mb: memory, disk_mb: disk } = scenario.bounds;
    const { stages, findings } = await part.observed();
    const verdict = await judgeRun({
      urls,
      scenario,
      ledger: part.ledger,
      refusals: part.refusals,
      from: this.#from,
      seen: part.seen,
      span: { fromMs: part.beganMs, toMs: part.endedMs },
      faults: this.#meanwhile.faults.map((fault) => ({ ...fault, toMs: fault.toMs + (fault.recoveryMs ?? drainMs) })),
      accounts: this.#accounts,
      tokens: this.#plan!.tokens,
      sampler: part.sampler,
      bounds: { gapMs, memoryBytes: memory * mebibyte, diskBytes: disk * mebibyte },
      withModel,
      readBlocks: readBlocks ?? readBlocksByRpc,
      more: [...findings, ...this.#meanwhile.findings],
      settleMs: drainMs,
      say,
    });
    const report = this.#report(part, verdict, stages);
    if (!this.#options.keepsFunds) {
      say('giving back what is left');
      await giveBack({
        url: urls[0]!,
        scenario,
        workers: this.#workers,
        funder,
        seed,
        secret,
        plan: this.#plan!,
        provider: this.#provider,
      }).catch((error: unknown) => say(`not given back: ${error instanceof Error ? error.message : String(error)}`));
    }
    return report;
  }

  close(): void {
    this.#part?.close();
  }

  get #workers(): number {
    return this.#options.workersAt.length || this.#options.workers;
  }

  #report(part: MeasuredPart, verdict: RunReport['verdict'], stages: RunReport['stages']): RunReport {
    const { scenario, toml, seed, asked, command } = this.#options;
    const { name, about } = scenario;
    const seconds = Math.max(part.durationMs, 1) / 1000;
    return {
      format: reportFormat,
      scenario: { name, about, toml },
      seed,
      asked: wordsOf(asked),
      command,
      startedAt: this.#startedAt.toISOString(),
      durationMs: part.durationMs,
      network: {
        chainId: this.#facts!.chainId,
        validators: this.#nodes.map(({ url, version }) => ({ url, version })),
        firstHeight: this.#from,
        lastHeight: part.watcher.next - 1,
      },
      machine: machine(),
      generator: {
        workers: part.crew.summaries.map(({ cpuSeconds, ...rest }) => ({ ...rest, cpuShare: cpuSeconds / seconds })),
        unfit: this.#knee === null ? part.unfit(part.recorder) : unfitFor(this.#knee, part.crew.alive < part.crew.size),
      },
      verdict,
      ...part.recorder.report(part.ledger, part.beganMs, part.durationMs),
      stages,
      bands: [
        ...bandsOf(asked),
        ...this.#meanwhile.faults.map(({ fromMs, toMs, ...rest }) => ({
          kind: 'fault' as const,
          fromMs: fromMs - part.beganMs,
          toMs: toMs - part.beganMs,
          ...rest,
        })),
      ],
      validators: part.sampler.samples,
      knee: this.#knee,
    };
  }
}

/** Trials that the generator spoiled taught nothing; where they ended the search, its interval is what the generator allows. */
function unfitFor({ trials }: NonNullable<RunReport['knee']>, isReduced: boolean): string | null {
  if (isReduced) return 'a worker died, and less was sent than was asked for';
  const spoiled = trials.filter((trial) => trial.spoiled).length;
  return spoiled * 2 > trials.length ? `the generator was late in ${spoiled} of ${trials.length} trials` : null;
}

function wordsOf(asked: Asked): string {
  switch (asked.kind) {
    case 'closed':
      return `${asked.clients} clients for ${asked.seconds} s`;
    case 'search':
      return `search from ${asked.bounds.from}/s`;
    case 'open':
      return asked.stages
        .map(
          ({ fromRate, toRate, seconds }) =>
            `${fromRate === toRate ? fromRate : `${fromRate} to ${toRate}`}/s for ${seconds} s`,
        )
        .join(', ');
  }
}

function bandsOf(asked: Asked): RunReport['bands'] {
  if (asked.kind !== 'open') return [];
  let fromMs = 0;
  return asked.stages.map(({ name, seconds }) => {
    const toMs = fromMs + seconds * 1000;
    const band = { kind: 'stage' as const, name, fromMs, toMs, recoveryMs: null };
    fromMs = toMs;
    return band;
  });
}

const machine = (): RunReport['machine'] => ({
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  memoryBytes: totalmem(),
  platform: `${process.platform} ${process.arch}`,
  node: process.versions.node,
});
