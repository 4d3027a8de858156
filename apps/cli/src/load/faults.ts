import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finding } from '@prime/audit';
import type { Meanwhile } from '@prime/load';
import { createPrng } from '@prime/primitives';
import { parse } from 'smol-toml';
import { clockTime } from '../chaos/report.ts';
import { runPhases, startAll, takeFolder } from '../chaos/runChaos.ts';
import { ChaosNetwork } from '../chaos/run/network.ts';
import { fundOwners } from '../chaos/run/membership.ts';
import { type Manifest, parseManifest, usualBlockIntervalMs } from '../chaos/schedule/manifest.ts';
import { CliError } from '../errors.ts';
import { readGiven } from '../files.ts';
import type { Nodes } from './given.ts';

/** Before the first fault, so that a report shows what the network does without any, ms. */
const calmMs = 5_000;

/** A network of this machine whose validators are killed, paused, cut off and slowed down while a load is sent. */
export class FaultyNetwork {
  readonly #network: ChaosNetwork;
  readonly #manifest: Manifest;
  readonly #directory: string;
  readonly #stop: AbortController;

  private constructor(network: ChaosNetwork, manifest: Manifest, directory: string, stop: AbortController) {
    this.#network = network;
    this.#manifest = manifest;
    this.#directory = directory;
    this.#stop = stop;
  }

  /**
   * @param file a chaos manifest, as TOML or JSON; what it says of load is not used
   * @throws CliError for a file that is none, a folder that is not empty, a network that does not start
   */
  static async start(file: string, folder: string, say: (line: string) => void): Promise<FaultyNetwork> {
    const manifest = await readManifest(file);
    const directory = resolve(folder);
    await takeFolder(directory);
    const stop = new AbortController();
    const network = await ChaosNetwork.prepare({
      directory,
      validators: manifest.validators,
      followers: manifest.followers ?? 0,
      patience: manifest.patience,
      seed: manifest.seed,
      blockIntervalMs: manifest.block_interval_ms ?? usualBlockIntervalMs,
      basePort: null,
      signal: stop.signal,
      prng: createPrng(manifest.seed),
      say: ({ atMs, words }) => say(`${clockTime(atMs)}  ${words}`),
    });
    try {
      await startAll(network);
      await fundOwners(
        network,
        manifest.phases.flatMap(({ faults }) => faults),
      );
      return new FaultyNetwork(network, manifest, directory, stop);
    } catch (error) {
      await network.close();
      throw error;
    }
  }

  get nodes(): Nodes {
    return { urls: this.#network.homes.publicUrls, adminUrls: [] };
  }

  meanwhile(): Meanwhile {
    const network = this.#network;
    // Its times count from its own begin.
    const offsetMs = performance.now() - network.nowMs();
    const phases = (async () => {
      await new Promise((done) => setTimeout(done, calmMs));
      return runPhases(this.#manifest, network, this.#stop.signal);
    })();
    phases.catch(() => undefined);
    return {
      end: async () => {
        this.#stop.abort();
        const outcomes = await phases;
        const wild = network.ends.filter(({ code, signal, expected }) => !expected.includes(code ?? signal ?? ''));
        return {
          faults: outcomes.map(({ name, startedMs, healedMs, recoveryMs }) => ({
            name,
            fromMs: startedMs + offsetMs,
            toMs: healedMs + offsetMs,
            recoveryMs,
          })),
          findings: [
            finding(
              'processes',
              `${network.ends.length} ends of processes in ${outcomes.length} phases`,
              wild.map(
                ({ validator, code, signal, words }) =>
                  `${network.name(validator)} ended with ${code ?? signal}: ${words}`,
              ),
            ),
            finding(
              'recovery',
              `${outcomes.length} phases`,
              outcomes
                .filter(({ recoveryMs, recoveryMsMax }) => recoveryMs === null || recoveryMs > recoveryMsMax)
                .map(
                  ({ name, recoveryMs, recoveryMsMax }) =>
                    `${name}: back after ${recoveryMs ?? 'never'} ms, at most ${recoveryMsMax}`,
                ),
            ),
          ],
        };
      },
    };
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#network.close();
  }

  /** Removes what they left behind: homes are for finding out what went wrong. */
  remove(): Promise<void> {
    return rm(this.#directory, { recursive: true, force: true });
  }
}

async function readManifest(file: string): Promise<Manifest> {
  const text = await readGiven(file, '--faults');
  if (!file.endsWith('.toml')) return parseManifest(text, file);
  try {
    return parseManifest(JSON.stringify(parse(text)), file);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(
      `${file} is no TOML: ${(cause as Error).message}`,
      { code: 'CLI_USAGE', argument: '--faults' },
      { cause },
    );
  }
}
