import type { NetworkPlan } from '../manifest/plan.ts';
import type { Monitoring } from '../monitoring.ts';
import type { NetworkFile } from '../networkFile.ts';

/** What a network can be written out for. */
export const exportTargets = ['compose', 'helm', 'systemd'] as const;

/** One of these targets, as `prime testnet export` takes it. */
export type ExportTarget = (typeof exportTargets)[number];

/** A file of an export, relative to its folder. */
export interface ExportedFile {
  readonly path: string;
  readonly text: string;
  /** Permissions: 0o600 where keys are in it. */
  readonly mode: number;
}

/** What a network has come to be: identities, which are drawn when the homes are written. */
export interface MadeNetwork {
  readonly genesisText: string;
  /** Of the owners of the validators, by names of nodes. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Pins of TLS keys, by names of nodes and signers. */
  readonly spkis: Readonly<Record<string, string>>;
  /** Of nodes and signers, by their names: what their `keys` folders hold that a process needs, by file name. */
  readonly keyFiles: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What its feeders read; null where no market has an oracle. */
  readonly feeder: string | null;
  readonly monitoring: Monitoring;
  /** As whoever uses the export from outside sees it. */
  readonly network: NetworkFile;
}

/** A plan as the files of a target: a pure function. */
export type Renderer = (plan: NetworkPlan, made: MadeNetwork) => ExportedFile[];

/** A file that everybody may read. */
export const open = (path: string, text: string): ExportedFile => ({ path, text, mode: 0o644 });

/** A file for its owner alone: it holds a key. */
export const secret = (path: string, text: string): ExportedFile => ({ path, text, mode: 0o600 });
/** For configurations that people read. */
export const note = (lines: readonly string[]): string => lines.map((line) => `# ${line}\n`).join('');
