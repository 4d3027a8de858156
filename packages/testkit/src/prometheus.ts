import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeBasePort } from './ports.ts';
import { until } from './until.ts';
import { isAtHand } from './programs.ts';

/** Prometheus of the system (Debian's package `prometheus`), which brings `promtool`. */

const programs = { prometheus: '/usr/bin/prometheus', promtool: '/usr/bin/promtool' } as const;

/** @returns false where it is not installed and its tests are skipped @throws Error in CI, where it is not installed */
export const prometheusAtHand = (): boolean => isAtHand('prometheus', Object.values(programs).every(existsSync));

/** Runs promtool to its end. @param input what it reads @returns its exit code, and all that it said */
export function promtool(
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(programs.promtool, [...args], { encoding: 'utf8', input });
  return { status, output: `${stdout}${stderr}` };
}

/** A series with its newest value. */
export interface PrometheusSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** An alert that is pending or fires. */
export interface PrometheusAlert {
  readonly name: string;
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What a Prometheus server of a test scrapes, and the rules that it watches. */
export interface PrometheusOptions {
  /** Scraped, by name of the job: `host:port`. */
  readonly targets: Readonly<Record<string, readonly string[]>>;
  /** Rule files, as their text. */
  readonly rules?: readonly string[];
  /** Between two scrapes, and between two looks at the rules, s. */
  readonly intervalSeconds: number;
}

/** A running Prometheus with a database of its own. */
export interface Prometheus {
  readonly url: string;
  /** What an expression is now. @throws Error when Prometheus refuses it */
  query(expression: string): Promise<readonly PrometheusSample[]>;
  /** Pending ones too. */
  alerts(): Promise<readonly PrometheusAlert[]>;
  close(): Promise<void>;
}

const configOf = ({ targets, rules = [], intervalSeconds }: PrometheusOptions): string =>
  // JSON is YAML.
  JSON.stringify({
    global: {
      scrape_interval: `${intervalSeconds * 1000}ms`,
      scrape_timeout: `${intervalSeconds * 1000}ms`,
      evaluation_interval: `${intervalSeconds * 1000}ms`,
    },
    rule_files: rules.map((_, index) => `rules${index}.yaml`),
    scrape_configs: Object.entries(targets).map(([name, each]) => ({
      job_name: name,
      static_configs: [{ targets: each }],
    })),
  });

/** Starts Prometheus; resolves when it answers. */
export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prime-prometheus-'));
  await Promise.all([
    writeFile(join(folder, 'prometheus.yaml'), configOf(options)),
    ...(options.rules ?? []).map((text, index) => writeFile(join(folder, `rules${index}.yaml`), text)),
  ]);
  const address = `127.0.0.1:${await freeBasePort(1)}`;
  const child = spawn(
    programs.prometheus,
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder },
  );
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const close = async (): Promise<void> => {
    await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://${address}`;
  await until('Prometheus answers', async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said}`);
    return (await fetch(`${url}/-/ready`)).ok;
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    url,
    async query(expression) {
      const { result } = (await ask(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`)) as {
        readonly result: readonly {
          readonly metric: Readonly<Record<string, string>>;
          readonly value: readonly [number, string];
        }[];
      };
      return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
    },
    async alerts() {
      const { alerts } = (await ask(`${url}/api/v1/alerts`)) as {
        readonly alerts: readonly Omit<PrometheusAlert, 'name'>[];
      };
      return alerts.map(({ labels: { alertname: name, ...labels }, annotations, state }) => ({
        name: name!,
        state,
        labels,
        annotations,
      }));
    },
    close,
  };
}

async function ask(url: string): Promise<unknown> {
  const answer = (await (await fetch(url)).json()) as { status: string; data: unknown; error?: string };
  if (answer.status !== 'success') throw new Error(`Prometheus refuses: ${answer.error}`);
  return answer.data;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
