/**
 * Which protocol version is in force when, as a node is told: genesis says what was planned from the start, the `[upgrades]` section
 * of its configuration what was agreed since. A height is agreed on among operators, so it can not be in the hash of genesis.
 */
import { type Static, Type } from '@sinclair/typebox';
import {
  createProtocolSchedule,
  type Genesis,
  type ProtocolSchedule,
  protocolVersionMax,
  type Upgrade,
  upgradesMax,
  upgradesProblem,
} from '@prime/codec';
import type { Height } from '@prime/primitives';
import { ConfigError, type ConfigSource, showValue } from '../errors.ts';
import { strict, whole } from './genesisTypes.ts';
import { unitKey, wholeNumber } from '../schema/schemaTypes.ts';

const upgrade = Type.Object(
  {
    version: Type.Integer({ minimum: 2, maximum: 0xffffffff, description: 'Protocol version that begins.' }),
    height: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'First block of the version.',
    }),
  },
  strict,
);

/** The `upgrades` list of genesis.json. */
export const upgradesSchema = Type.Array(Type.Object({ version: whole(2, 0xffffffff), height: whole(1) }, strict), {
  minItems: 1,
  maxItems: upgradesMax,
  title: `1 to ${upgradesMax} upgrades {version, height}`,
});

/** The `[upgrades]` section of config.toml. */
export const upgradesSection = Type.Object({
  schedule: Type.Array(upgrade, {
    default: [],
    maxItems: upgradesMax,
    [unitKey]: 'upgrades {version, height}; JSON in the environment',
    description:
      'Protocol versions that the operators agreed on after genesis, with their first blocks; the same on every node. Passed ones stay here.',
  }),
  version_max: wholeNumber(
    { default: 0, from: 0, to: protocolVersionMax, unit: 'version' },
    'Newest protocol version that this node follows: it stops before the first block of a newer one. 0 is the newest that the program knows; more than that is refused.',
  ),
  halt_height: wholeNumber(
    { default: 0, from: 0, to: Number.MAX_SAFE_INTEGER, unit: 'block' },
    'The node stops once this block is decided, and does not start again while it is set. 0 is never.',
  ),
});

const readUpgrades = (upgrades: Static<typeof upgradesSchema>): Upgrade[] =>
  upgrades.map(({ version, height }) => ({ version, height: height as Height }));

/** What {@link protocolSchedule} reads of a configuration. */
export interface UpgradesConfig {
  readonly schedule: readonly { readonly version: number; readonly height: number }[];
  readonly versionMax: number;
}

/**
 * The schedule that a node goes by.
 *
 * @throws ConfigError `CONFIG_INVALID_VALUE` when what the configuration adds does not follow what genesis says
 */
export function protocolSchedule(genesis: Pick<Genesis, 'upgrades'>, config: UpgradesConfig): ProtocolSchedule {
  const planned = genesis.upgrades ?? [];
  const upgrades = [...planned, ...readUpgrades([...config.schedule])];
  const problem = upgradesProblem(upgrades);
  if (problem !== null) {
    const path = `upgrades.schedule.${problem.index - planned.length}`;
    const value = showValue(upgrades[problem.index]);
    const source: ConfigSource = { kind: 'file', name: 'config.toml' };
    const allowed = `${problem.allowed}, after what genesis and the entries before it say`;
    throw new ConfigError(`${path} = ${value}: allowed is ${allowed}`, {
      code: 'CONFIG_INVALID_VALUE',
      path,
      value,
      allowed,
      source,
    });
  }
  return createProtocolSchedule(upgrades, config.versionMax === 0 ? protocolVersionMax : config.versionMax);
}
