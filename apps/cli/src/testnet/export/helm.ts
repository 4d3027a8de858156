/** A network as a release of the chart deploy/helm/prime: values, and the Secrets that it expects. */
import { presetConfig } from '@prime/config';
import { stringify } from 'yaml';
import type { NetworkPlan, PlannedNode } from '../manifest/plan.ts';
import { exportReadme } from './readme.ts';
import { type ExportedFile, type MadeNetwork, note, open, type Renderer, secret } from './render.ts';

/** Writes values and Secrets of a release; Secrets are files of their own, so that values can be shown. */
export const renderHelm: Renderer = (plan, made) => [
  open(
    'values.yaml',
    note([
      'Values of the chart deploy/helm/prime, written by prime testnet export. No key is in here: Secrets are in the folder secrets.',
    ]) + stringify(valuesOf(plan, made), { lineWidth: 0 }),
  ),
  ...validatorsOf(plan).map(({ name }) => secretOf(plan, made, name)),
  ...plan.signers.map(({ name }) => secretOf(plan, made, name)),
  ...(made.feeder === null ? [] : validatorsOf(plan).map((node) => feederSecretOf(plan, made, node))),
  open('README.md', exportReadme('helm', plan, made, stepsOf(plan))),
];

const validatorsOf = ({ nodes }: NetworkPlan): readonly PlannedNode[] =>
  nodes.filter(({ role }) => role === 'validator');

const secretName = (plan: NetworkPlan, name: string): string => `${plan.name}-${name}-keys`;

/** Sections of config.toml, from keys as `section.key`. */
function sections(values: Readonly<Record<string, unknown>>): Record<string, Record<string, unknown>> {
  const found: Record<string, Record<string, unknown>> = {};
  for (const [path, value] of Object.entries(values)) {
    const [section, key] = path.split('.') as [string, string];
    (found[section] ??= {})[key] = value;
  }
  return found;
}

function valuesOf(plan: NetworkPlan, made: MadeNetwork): object {
  const followers = plan.nodes.filter(({ role }) => role === 'follower').length;
  const isWatched = plan.besides.prometheus !== null;
  return {
    genesis: { json: made.genesisText },
    config: sections(presetConfig({ testNetwork: plan.preset === 'local' })),
    validators: validatorsOf(plan).map((node) => validatorOf(plan, made, node)),
    ...(made.feeder === null ? {} : { feeder: { config: made.feeder } }),
    ...(followers === 0 ? {} : { followers: { enabled: true, replicas: followers } }),
    ...(isWatched ? { monitoring: { serviceMonitor: { enabled: true }, prometheusRule: { enabled: true } } } : {}),
  };
}

function validatorOf(plan: NetworkPlan, made: MadeNetwork, { name, signer }: PlannedNode): object {
  return {
    name,
    address: made.addresses[name],
    spki: made.spkis[name],
    keysSecret: secretName(plan, name),
    ...(made.feeder === null ? {} : { feeder: { keysSecret: secretName(plan, `${name}-feeder`) } }),
    ...(signer === null ? {} : { signer: { spki: made.spkis[signer], keysSecret: secretName(plan, signer) } }),
  };
}

/** The key that votes for a validator, once more: a Secret is mounted by one workload. */
function feederSecretOf(plan: NetworkPlan, made: MadeNetwork, { name, signer }: PlannedNode): ExportedFile {
  const files = Object.entries(made.keyFiles[signer ?? name]!).filter(([file]) => feederFiles.includes(file));
  return secretOf(plan, made, `${name}-feeder`, Object.fromEntries(files));
}
const feederFiles = ['signer.json', 'password'];

function secretOf(plan: NetworkPlan, made: MadeNetwork, name: string, files = made.keyFiles[name]): ExportedFile {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName(plan, name) },
    type: 'Opaque',
    stringData: files,
  };
  return secret(`secrets/${name}.yaml`, stringify(manifest, { lineWidth: 0 }));
}

const stepsOf = ({ name }: NetworkPlan): string[] => [
  '## Install it',
  '',
  '```sh',
  'kubectl apply --filename secrets      # keys; never into a repository',
  `helm install ${name} deploy/helm/prime --values values.yaml`,
  `kubectl wait --for=condition=Ready --timeout=5m pod --selector app.kubernetes.io/instance=${name}`,
  '```',
  '',
  'The chart is in the repository of Prime, with what else can be set. Ports are those of the chart, and followers make their own keys.',
  'What is left in `homes` is not needed in the cluster: the keys that own the stake. Keep them elsewhere.',
];
