import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { homePaths, parseGenesis, type TestnetPlace } from '@prime/config';
import { spkiOf } from '@prime/network';
import { CliError, notEmpty } from '../../errors.ts';
import { placeNetwork } from '../files.ts';
import { feederFileName } from '../../oracle/feederFile.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { besideNode, type NetworkPlan, placeHere, planNetwork } from '../manifest/plan.ts';
import { networkFileOf } from '../networkFile.ts';
import { writePlannedNetwork } from '../plannedHomes.ts';
import { readMonitoring } from '../monitoring.ts';
import { renderCompose } from './compose.ts';
import { gapsOf } from './gaps.ts';
import { renderHelm } from './helm.ts';
import type { ExportTarget, MadeNetwork, Renderer } from './render.ts';
import { machineOf, renderSystemd, stateFolders } from './systemd.ts';

const renderers: Readonly<Record<ExportTarget, Renderer>> = {
  compose: renderCompose,
  helm: renderHelm,
  systemd: renderSystemd,
};

/** Where homes are written first, and where they stay for compose. */
const homesFolder = 'homes';

/** Where a process of a target listens, and where others dial it. */
function hostsOf(target: ExportTarget, { name, host }: { readonly name: string; readonly host: string | null }) {
  if (target === 'compose') return { listenHost: '0.0.0.0', dialHost: name };
  return host === null || target === 'helm'
    ? { listenHost: '127.0.0.1', dialHost: '127.0.0.1' }
    : { listenHost: '0.0.0.0', dialHost: host };
}

/**
 * Writes a network out for a target: the homes with their keys, and what the target runs them by.
 *
 * @returns what was left out
 * @throws CliError `CLI_EXPORT_UNFIT` before anything is written; `CLI_NOT_EMPTY`
 */
export async function exportNetwork(
  manifest: Manifest,
  target: ExportTarget,
  directory: string,
): Promise<readonly string[]> {
  const plan = planNetwork(manifest);
  const { refusals, warnings } = gapsOf(plan, target);
  if (refusals.length > 0)
    throw new CliError(
      `this network can not be exported to ${target}:${refusals.map((words) => `\n  ${words}`).join('')}`,
      {
        code: 'CLI_EXPORT_UNFIT',
        target,
        reasons: refusals,
      },
    );
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw notEmpty(`${directory} is not empty: name a new folder`, directory);
  const homes = join(directory, homesFolder);
  await mkdir(homes, { recursive: true, mode: 0o700 });
  await writeHomes(plan, target, homes);
  const made = await readMade(plan, target, homes);
  for (const { path, text, mode } of renderers[target](plan, made)) {
    const place = join(directory, path);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await writeFile(place, text, { mode });
    await chmod(place, mode);
  }
  if (target === 'systemd') await moveHomes(plan, directory, homes);
  if (target === 'helm') await keepOwners(plan, homes);
  return warnings;
}

async function writeHomes(plan: NetworkPlan, target: ExportTarget, homes: string): Promise<void> {
  const places = plan.nodes.map((node): TestnetPlace => ({ ...placeHere(node), ...hostsOf(target, node) }));
  await writePlannedNetwork(homes, plan, places);
  await placeNetwork(homes, {
    nodes: plan.nodes.map(({ name }, index) => ({ name, place: places[index]! })),
    signers: plan.signers.map((signer) => {
      const { listenHost, dialHost } = hostsOf(target, signer);
      const { signerPort, adminPort } = signer.ports;
      return {
        name: signer.name,
        validator: signer.validator,
        listen: `${listenHost}:${signerPort}`,
        dial: `${dialHost}:${signerPort}`,
        admin: `${listenHost}:${adminPort}`,
      };
    }),
  });
}

/** Files of `keys` that no process of a target needs. */
const notMounted = new Set(['remote-signer.json']);

async function readMade(plan: NetworkPlan, target: ExportTarget, homes: string): Promise<MadeNetwork> {
  const paths = (name: string) => homePaths(join(homes, name));
  const genesisText = await readFile(paths(plan.nodes[0]!.name).genesis, 'utf8');
  const { validators } = parseGenesis(genesisText);
  const names = [...plan.nodes, ...plan.signers].map(({ name }) => name);
  const spkis = await Promise.all(
    names.map(async (name) => [name, spkiOf(await readFile(paths(name).tlsCertificate, 'utf8'))]),
  );
  const keyFiles = await Promise.all(names.map(async (name) => [name, await filesIn(paths(name).keys)]));
  const feeder = join(homes, feederFileName);
  // From the machine with the containers they are where their ports are published.
  const outside = (process: { readonly name: string; readonly host: string | null }): string =>
    target === 'systemd' ? hostsOf(target, process).dialHost : '127.0.0.1';
  const { explorer, prometheus } = plan.besides;
  const besideHost = outside(besideNode(plan));
  return {
    genesisText,
    addresses: Object.fromEntries(validators.map(({ address }, index) => [plan.nodes[index]!.name, address])),
    spkis: Object.fromEntries(spkis) as Record<string, string>,
    keyFiles: Object.fromEntries(keyFiles) as Record<string, Record<string, string>>,
    network: await networkFileOf(paths(plan.nodes[0]!.name).home, {
      nodes: plan.nodes.map((node) => ({
        node,
        home: node.name,
        log: null,
        host: outside(node),
        ports: node.ports,
        wantedPorts: node.ports,
      })),
      signers: plan.signers.map((signer) => ({
        name: signer.name,
        home: signer.name,
        log: null,
        validator: signer.validator,
        admin: `http://${outside(signer)}:${signer.ports.adminPort}`,
      })),
      explorerUrl: `http://${besideHost}:${explorer.port}`,
      prometheusUrl: prometheus === null ? null : `http://${besideHost}:${prometheus.port}`,
      grafanaUrl: prometheus === null || target !== 'compose' ? null : `http://${besideHost}:${prometheus.grafanaPort}`,
    }),
    feeder: existsSync(feeder) ? await readFile(feeder, 'utf8') : null,
    monitoring: readMonitoring(),
  };
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => !notMounted.has(name));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** Each home to its machine; what belongs to no process stays. */
async function moveHomes(plan: NetworkPlan, directory: string, homes: string): Promise<void> {
  const move = async (machine: string, folder: string, name: string): Promise<void> => {
    const place = join(directory, machine, folder);
    await mkdir(place, { recursive: true, mode: 0o700 });
    await rename(join(homes, name), join(place, name));
  };
  for (const node of plan.nodes) await move(machineOf(node), stateFolders.node, node.name);
  for (const signer of plan.signers) await move(machineOf(signer), stateFolders.signer, signer.name);
  // Feeders have copies of their own.
  await rm(join(homes, feederFileName), { force: true });
  if (readdirSync(homes).length === 0) await rm(homes, { recursive: true });
}

/** Keys that are in Secrets are in no second place, and followers make their own: the keys of the owners are left. */
async function keepOwners(plan: NetworkPlan, homes: string): Promise<void> {
  for (const { name } of [...plan.nodes, ...plan.signers]) await rm(join(homes, name), { recursive: true });
  await rm(join(homes, feederFileName), { force: true });
}
