import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Quote } from './agree.ts';
import type { FeederSource } from './feederFile.ts';
import { weiPerBaseUnit } from './priceText.ts';
import { simulatedPrice } from './simulated.ts';

/** Where prices are read. Whatever goes wrong there is an error with words for the log; a price is never made up. */

interface Read {
  readonly text: string;
  readonly observedAtMs: number;
}

/**
 * Asks a source.
 *
 * @param decimals of the quote less those of the base
 * @throws Error when it does not answer in time, with too much, or with no number above 0
 */
export async function readSource(source: FeederSource, decimals: number, nowMs: () => number): Promise<Quote> {
  const { text, observedAtMs } = await readText(source, nowMs);
  const price = weiPerBaseUnit(text, decimals);
  if (price === null) throw new Error(`${JSON.stringify(text.slice(0, 80))} is no price`);
  return { price, observedAtMs };
}

async function readText(source: FeederSource, nowMs: () => number): Promise<Read> {
  switch (source.kind) {
    case 'http': {
      const body = await fetchBody(source.url, source.timeout_ms, source.max_bytes);
      return { text: numberAt(body, source.path), observedAtMs: nowMs() };
    }
    case 'file': {
      const [body, { mtimeMs }] = await Promise.all([readFile(source.file, 'utf8'), stat(source.file)]);
      return { text: numberAt(body, source.path), observedAtMs: Math.floor(mtimeMs) };
    }
    case 'exec': {
      const [program, ...args] = source.command as [string, ...string[]];
      const options = { timeout: source.timeout_ms, maxBuffer: outputBytesMax, killSignal: 'SIGKILL' } as const;
      const { stdout } = await promisify(execFile)(program, args, options);
      return { text: numberAt(stdout, source.path), observedAtMs: nowMs() };
    }
    case 'sim': {
      const { seed, price, volatility_bps: volatilityBps, jump_bps: jumpBps } = source;
      const observedAtMs = nowMs();
      return { text: String(simulatedPrice({ seed, price, volatilityBps, jumpBps }, observedAtMs)), observedAtMs };
    }
  }
}

const outputBytesMax = 262_144;

async function fetchBody(url: string, timeoutMs: number, bytesMax: number): Promise<string> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
    // Another address is another source, which nobody named.
    redirect: 'manual',
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`HTTP ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > bytesMax) throw new Error(`the answer is longer than ${bytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The number at a path of a JSON text, as it is written there. @throws Error when there is none */
function numberAt(body: string, path: string): string {
  let value: unknown = JSON.parse(body);
  for (const name of path === '' ? [] : path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  throw new Error(`there is no number at ${path === '' ? 'the top' : path}`);
}
