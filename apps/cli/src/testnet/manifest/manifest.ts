import type { PlainFault } from '@prime/chaos/plain';
import type { ManifestFile } from './schema.ts';

/** What a node of a network is: a follower executes and serves, a sentry stands before a hidden validator. */
export type Role = 'validator' | 'sentry' | 'follower';

/** A manifest as its file has it, with a list for everything of which there may be any number. */
export type Manifest = ManifestFile &
  Required<Pick<ManifestFile, 'sentries' | 'followers' | 'remote_signers' | 'faults'>>;

/** @param file what the schema has let through */
export const withEmptyLists = (file: ManifestFile): Manifest => ({
  sentries: [],
  followers: [],
  remote_signers: [],
  faults: [],
  ...file,
});

/** A network of which nothing is said but its size. */
export const plainManifest = (validators: number): Manifest =>
  withEmptyLists({
    format: 'prime-testnet-1',
    preset: 'local',
    prices: 'simulated',
    validators: Array.from({ length: validators }, () => ({})),
  });

/** Names of the nodes: validators, then sentries, then followers. Their numbers are those of chaos runs. */
export const nodeNames = ({ validators, sentries, followers }: Manifest): string[] => [
  ...validators.map((_, index) => `validator${index}`),
  ...sentries.map((_, index) => `sentry${index}`),
  ...followers.map((_, index) => `follower${index}`),
];

/** The fault of a chaos run: nodes by their numbers. */
export function numbered(fault: Manifest['faults'][number], names: readonly string[]): PlainFault {
  const numberOf = (value: unknown): unknown => {
    if (typeof value === 'string' && names.includes(value)) return names.indexOf(value);
    if (Array.isArray(value)) return value.map(numberOf);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numberOf(item)]));
  };
  const { at_seconds: _at, for_seconds: _for, ...done } = fault;
  return numberOf(done) as PlainFault;
}
