import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finding, type Finding, judgeFaults } from '@prime/audit';
import {
  type ChaosNetwork,
  fundOwners,
  type Manifest,
  networkOf,
  parseManifest,
  runPhases,
  startAll,
} from '@prime/chaos';
import type { Meanwhile } from '@prime/load';
import { createPrng } from '@prime/primitives';
import { parse } from 'smol-toml';
import { asRun, primeProgram } from '../chaos/primeProgram.ts';
import { usageError } from '../errors.ts';
import { readGiven, takeFolder } from '../files.ts';
import type { Nodes } from './given.ts';

/** Before the first fault, so that a report shows what the network does without any, ms. */
const calmMs = 5_000;

/** A network of this machine whose validators are killed, paused, cut off and slowed down while a load is sent. */
export interface FaultyNetwork {
  readonly nodes: Nodes;
  readonly meanwhile: () => Meanwhile;
  /** Ends all processes. */
  readonly close: () => Promise<void>;
  /** Removes what they left behind: homes are for finding out what went wrong. */
  readonly remove: () => Promise<void>;
}

/**
 * @param file a chaos manifest, as TOML or JSON; what it says of load is not used
 * @throws CliError for a file that is none, a folder that is not empty, a network that does not start
 */
export async function startFaulty(file: string, folder: string, say: (line: string) => void): Promise<FaultyNetwork> {
  const manifest = await readManifest(file);
  const directory = resolve(folder);
  await takeFolder(directory);
  const stop = new AbortController();
  const { signal } = stop;
  const prng = createPrng(manifest.seed);
  const network = await networkOf(manifest, { directory, basePort: null, prime: primeProgram, signal, prng, say });
  try {
    await asRun(() => startAll(network));
    await fundOwners(
      network,
      manifest.phases.flatMap(({ faults }) => faults),
    );
  } catch (error) {
    await network.close();
    throw error;
  }
  return {
    nodes: { urls: network.homes.publicUrls, adminUrls: [] },
    meanwhile: () => breakMeanwhile(network, manifest, stop),
    close: async () => {
      stop.abort();
      await network.close();
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

function breakMeanwhile(network: ChaosNetwork, manifest: Manifest, stop: AbortController): Meanwhile {
  // Its times count from its own begin.
  const offsetMs = performance.now() - network.nowMs();
  const phases = (async () => {
    await new Promise((done) => setTimeout(done, calmMs));
    return runPhases(manifest, network, stop.signal);
  })();
  phases.catch(() => undefined);
  return {
    end: async () => {
      stop.abort();
      const outcomes = await phases;
      return {
        faults: outcomes.map(({ name, startedMs, healedMs, recoveryMs }) => ({
          name,
          fromMs: startedMs + offsetMs,
          toMs: healedMs + offsetMs,
          recoveryMs,
        })),
        findings: [
          phasesFinding(outcomes.length, manifest.phases.length),
          ...judgeFaults({
            names: network.homes.names,
            phases: outcomes,
            signatures: network.signLog.records,
            ends: network.ends,
            wrongAnswers: network.wrongAnswers,
            complaints: network.complaints,
          }),
        ],
      };
    },
  };
}

/** A load that is over ends the phase that goes on; those behind it are left out. */
const phasesFinding = (done: number, planned: number): Finding =>
  finding(
    'phases of faults',
    `${done} of ${planned} carried out while the load was sent`,
    done === 0 ? ['the load was over before the first one'] : [],
  );

/** What a manifest says of load is not used, and may be left out. */
const noLoad = { transfers: 0, orders: 0, trades: 0, deposits: 0, withdrawals: 0, bursts: 0 } as const;

async function readManifest(file: string): Promise<Manifest> {
  const text = await readGiven(file, '--faults');
  let value: unknown;
  try {
    value = file.endsWith('.toml') ? parse(text) : JSON.parse(text);
  } catch (cause) {
    throw usageError(
      `${file} is no ${file.endsWith('.toml') ? 'TOML' : 'JSON'}: ${(cause as Error).message}`,
      '--faults',
      { cause },
    );
  }
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
  return asRun(async () =>
    parseManifest(JSON.stringify(isTable ? { load: noLoad, ...(value as object) } : value), file),
  );
}
