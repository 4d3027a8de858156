import { createClientId, toClientId } from '@prime/sdk';
import { Option } from 'commander';
import type { Hex } from 'viem';
import { usageError } from '../errors.ts';

/** `--round`. */
export const roundOption = (): Option =>
  new Option('--round <way>', 'what to do with a price or size between two steps (default: refuse it)').choices([
    'down',
    'up',
    'nearest',
  ]);

const clientIdBytes = 16;

/** The value of `--client-id`. @throws CliError `CLI_USAGE` */
export function parseClientId(text: string): Hex {
  if (text === 'new') return createClientId();
  if (/^0x[0-9a-fA-F]{32}$/.test(text)) return text.toLowerCase() as Hex;
  const bytes = Buffer.byteLength(text);
  if (!text.startsWith('0x') && bytes >= 1 && bytes <= clientIdBytes) return toClientId(text);
  throw usageError(
    `--client-id must be 1 to ${clientIdBytes} bytes of text, or 0x and 32 hex digits, got ${text}`,
    '--client-id',
  );
}
