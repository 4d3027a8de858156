import type { LoadOptions, Scenario } from '@prime/load';
import type { Testnet } from '@prime/testkit';

export interface LoadRun {
  readonly name: string;
  /** The file that workers make the operations from. */
  readonly toml: string;
  readonly scenario: Scenario;
  readonly rate: number;
  readonly seconds: number;
  readonly funder: LoadOptions['funder'];
  /** Which node writers and readers begin with. */
  readonly firstNode: number;
}

/** What `prime load run NAME` asks of a network of this machine, told to nobody, with the model's judgement. */
export function loadOptions(testnet: Testnet, run: LoadRun): LoadOptions {
  const { name, toml, scenario, rate, seconds, funder, firstNode } = run;
  return {
    scenario,
    toml,
    work: { name, toml, size: scenario.size },
    seed: 1,
    secret: null,
    command: `prime load run ${name}`,
    urls: Array.from({ length: testnet.count }, (_, index) => testnet.url((index + firstNode) % testnet.count)),
    adminUrls: [],
    stageNodes: [],
    workers: 1,
    workersAt: [],
    token: null,
    transport: 'ws',
    connections: 1,
    asked: {
      kind: 'open',
      arrivals: scenario.arrivals,
      stages: [{ name: 'hold', fromRate: rate, toRate: rate, seconds }],
    },
    funder,
    aheadMax: rate * seconds,
    answerMs: 120_000,
    drainMs: 120_000,
    withModel: true,
    keepsFunds: true,
    meanwhile: () => ({ end: () => Promise.resolve({ faults: [], findings: [] }) }),
    signal: new AbortController().signal,
    say: () => undefined,
    onProgress: () => undefined,
  };
}
