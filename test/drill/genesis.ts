import { existsSync, readFileSync } from 'node:fs';
import { parseGenesis, presetGenesis, type PresetName, presetNames } from '@prime/config';
import { type ClobParams, defaultClobParams, type GenesisMarket } from '@prime/codec';
import type { TimestampMs } from '@prime/primitives';
import { addressOf, type DrillGenesis } from './arena.ts';

/** Whose rules a drill runs by: a file, or a name. */

/** Every parameter that protects a market at its neutral value, and two markets without oracle. */
export const neutralGenesis: DrillGenesis = {
  clob: defaultClobParams,
  markets: ['PRM/USD', 'ETH/USD'].map(
    (symbol): GenesisMarket => ({ symbol, tickSize: 1n, lotSize: 1n, baseDecimals: 16, quoteDecimals: 18 }),
  ),
  blockMs: 250,
};

/** What `--genesis` may be beside a file. */
export const genesisNames: readonly string[] = [...presetNames, 'neutral'];

/** The rules of a preset, as `prime testnet init --preset` writes them. */
export function genesisOfPreset(name: PresetName): DrillGenesis {
  const network = { networkName: 'drill', chainId: 1, timestampMs: 0 as TimestampMs };
  const { clob, markets, consensus } = presetGenesis(name, network, { devAccounts: [], admin: addressOf(0xad) });
  return drillable(clob, markets, consensus.minBlockIntervalMs);
}

/** Blocks of a drill are no closer than this, ms: makers and feeders act once a second. */
const blockMsLeast = 100;

/** Signing costs nothing here, and nobody's first action has to bring wei in. */
const drillable = (clob: ClobParams, markets: readonly GenesisMarket[], intervalMs: number): DrillGenesis => ({
  clob,
  markets,
  blockMs: Math.max(blockMsLeast, intervalMs),
});

/**
 * The genesis of that name, or of that file.
 *
 * @throws RangeError when there is neither @throws ConfigError for a file that is no genesis
 */
export function readGenesis(nameOrFile: string): DrillGenesis {
  if (nameOrFile === 'neutral') return neutralGenesis;
  const preset = presetNames.find((name) => name === nameOrFile);
  if (preset !== undefined) return genesisOfPreset(preset);
  if (!existsSync(nameOrFile))
    throw new RangeError(`--genesis takes a file or one of ${genesisNames.join(', ')}, not '${nameOrFile}'`);
  const { clob, markets, consensus } = parseGenesis(readFileSync(nameOrFile, 'utf8'));
  return drillable(clob, markets, consensus.minBlockIntervalMs);
}
