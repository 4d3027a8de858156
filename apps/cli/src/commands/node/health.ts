import type { Command } from 'commander';
import { CliError, parseWholeNumber, usageError } from '../../errors.ts';

interface HealthFlags {
  readonly url: string;
  readonly timeout: string;
}

/** Where the admin endpoint of a node is that is told nothing else. */
const defaultUrl = 'http://127.0.0.1:9100/health';
const timeoutMsMax = 60_000;

/** `prime health`: what a container engine runs inside a container, where there is neither a shell nor curl. */
export function addHealthCommand(program: Command): void {
  program
    .command('health')
    .description('Ask a running node, signer or explorer whether it is well: exit code 0, or 1 and why not')
    .option('--url <url>', 'what to ask: /health (alive) or /ready (caught up)', defaultUrl)
    .option('--timeout <ms>', 'how long to wait for the answer, ms', '2000')
    .action(health);
}

/** @throws CliError `CLI_CHECKS_FAILED`, `CLI_USAGE` */
async function health({ url, timeout }: HealthFlags): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageError(`--url must be an http or https address, got ${url}`, '--url');
  const limitMs = parseWholeNumber(timeout, '--timeout', 1, timeoutMsMax);
  const unwell = (words: string, cause?: unknown): CliError =>
    new CliError(`${url} ${words}`, { code: 'CLI_CHECKS_FAILED', checks: ['health'] }, { cause });
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
  } catch (cause) {
    const { name, message, cause: reason } = cause as Error;
    const words = name === 'TimeoutError' ? `no answer in ${limitMs} ms` : ((reason as Error)?.message ?? message);
    throw unwell(`is not reached: ${words}`, cause);
  }
  const text = (await answer.text()).trim();
  if (!answer.ok) throw unwell(`answers ${answer.status}: ${text}`);
  console.log(text);
}
