import { usageError } from '../errors.ts';

const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Seconds of `90s`, `30m`, `12h`, `7d`. @throws CliError `CLI_USAGE` */
export function parseDuration(text: string, argument: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count === undefined || Number(count) === 0)
    throw usageError(`${argument} must be a time such as 90s, 30m, 12h or 7d, got ${text}`, argument);
  return Number(count) * unitSeconds[unit as keyof typeof unitSeconds];
}
