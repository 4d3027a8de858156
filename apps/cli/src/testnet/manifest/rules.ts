/** What a schema can not say of a manifest. */
import { presetBlockIntervalMs, presetMarkets } from '@prime/config';
import { linksNamed, nodesNamed } from '@prime/chaos/plain';
import { type Manifest, nodeNames, numbered } from './manifest.ts';
import { explorerPort, lastPort, portsOfNetwork, watcherPorts } from './places.ts';
import { type ManifestProblem, shown } from './problem.ts';
import { linkedNodesMax, othersMax } from './schema.ts';
import { needsLinks, touchedBy } from './touched.ts';
import { wiringOf } from './wiring.ts';

type Rule = (manifest: Manifest) => readonly ManifestProblem[];

/** Peers that a node may list (p2p.peers). */
const peersMax = 128;

const problem = (path: string, value: unknown, allowed: string): ManifestProblem => ({
  path,
  value: shown(value),
  allowed,
});

/** Every contradiction of a manifest that its schema lets through. */
export function findContradictions(manifest: Manifest): ManifestProblem[] {
  const unknown = unknownNodes(manifest);
  // What is said of nodes that there are not can not be judged further.
  const later = unknown.length > 0 ? [] : [latency, faults, counts];
  return [...unknown, ...[...later, hosts, ports, genesis, besides].flatMap((rule) => rule(manifest))];
}

const unknownNodes: Rule = (manifest) => {
  const { sentries, remote_signers: remoteSigners, latency: far, validators } = manifest;
  const names = nodeNames(manifest);
  const members = names.slice(0, validators.length);
  const missing = (path: string, named: readonly string[], known: readonly string[]): ManifestProblem[] =>
    named
      .filter((name) => !known.includes(name))
      .map((name) => problem(path, name, `one of ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}`));
  return [
    ...sentries.flatMap((sentry, index) => missing(`sentries[${index}].validators`, sentry.validators, members)),
    ...missing('remote_signers', remoteSigners, members),
    ...Object.entries(far?.regions ?? {}).flatMap(([region, nodes]) =>
      missing(`latency.regions.${region}`, nodes, names),
    ),
    ...manifest.faults.flatMap(({ kind: _kind, ...fault }, index) =>
      missing(`faults[${index}]`, namedIn(fault), names),
    ),
  ];
};

/** Every node that stands anywhere in a fault. */
function namedIn(value: unknown): string[] {
  if (typeof value === 'string') return value === 'all' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namedIn) : [];
}

const counts: Rule = (manifest) => {
  const { sentries, followers, faults: planned } = manifest;
  const nodes = nodeNames(manifest).length;
  const problems: ManifestProblem[] = [];
  if (sentries.length + followers.length > othersMax)
    problems.push(
      problem(
        'followers',
        followers.length,
        `at most ${othersMax - sentries.length} beside ${sentries.length} sentries`,
      ),
    );
  const most = Math.max(...wiringOf(manifest).map(({ peers }) => peers.length));
  if (most > peersMax)
    problems.push(
      problem('sentries', sentries.length, `so many that no node has more than ${peersMax} peers: ${most}`),
    );
  if (needsLinks(manifest) && nodes > linkedNodesMax)
    problems.push(
      problem(
        manifest.latency === undefined ? `faults (${planned.length})` : 'latency',
        `${nodes} nodes`,
        `at most ${linkedNodesMax} nodes where links are slow or fail`,
      ),
    );
  return problems;
};

const hosts: Rule = ({ validators, sentries, followers, remote_signers: remoteSigners }) => {
  const named = [
    ...validators.map(({ host }, index) => ({ path: `validators[${index}].host`, host })),
    ...sentries.map(({ host }, index) => ({ path: `sentries[${index}].host`, host })),
    ...followers.map(({ host }, index) => ({ path: `followers[${index}].host`, host })),
  ];
  const hasHosts = named.some(({ host }) => host !== undefined);
  const lacking = hasHosts ? named.filter(({ host }) => host === undefined) : [];
  const signerHosts = validators.flatMap(({ signer_host: signerHost }, index) => {
    if (signerHost === undefined) return [];
    const path = `validators[${index}].signer_host`;
    if (!remoteSigners.includes(`validator${index}`))
      return [problem(path, signerHost, `nothing, because validator${index} is not in remote_signers`)];
    return hasHosts ? [] : [problem(path, signerHost, 'nothing, because no node has a host')];
  });
  return [
    ...lacking.map(({ path }) => ({ path, value: '', allowed: 'all nodes have a host, or none has' })),
    ...signerHosts,
  ];
};

const ports: Rule = (manifest) => {
  const used = portsOfNetwork(manifest);
  const highest = Math.max(...used.map(({ port }) => port));
  if (highest > lastPort)
    return [
      problem('base_port', manifest.base_port, `a port from which all ports are up to ${lastPort}, and not ${highest}`),
    ];
  const explorer = used.find(({ port }) => port === explorerPort);
  const taken: ManifestProblem[] =
    explorer === undefined
      ? []
      : [
          problem(
            'base_port',
            manifest.base_port,
            `ports other than ${explorerPort}, where the explorer is; ${explorer.of} has it`,
          ),
        ];
  const watchers = watcherPorts(manifest);
  if (watchers === null) return taken;
  const others = [...used, { port: explorerPort, of: 'the explorer' }];
  const wanted = [
    { path: 'monitoring.port', port: watchers.port, others },
    {
      path: 'monitoring.grafana_port',
      port: watchers.grafanaPort,
      others: [...others, { port: watchers.port, of: 'Prometheus' }],
    },
  ];
  return wanted.reduce((problems, { path, port, others: had }) => {
    const owner = had.find((other) => other.port === port);
    return owner === undefined
      ? problems
      : [...problems, problem(path, port, `a port that nobody else has: it is that of ${owner.of}`)];
  }, taken);
};

const genesis: Rule = (manifest) => {
  const { preset, markets = [] } = manifest;
  const problems: ManifestProblem[] = [];
  const { block_interval_ms: least = presetBlockIntervalMs[preset], empty_block_interval_ms: empty = 1_000 } = manifest;
  if (empty < least)
    problems.push(problem('empty_block_interval_ms', empty, `at least the time between two blocks, ${least}`));
  const seen = new Set<string>();
  for (const [index, { symbol }] of markets.entries()) {
    const key = symbol.toUpperCase();
    if (seen.has(key))
      problems.push(problem(`markets[${index}].symbol`, symbol, 'each only once, whatever its letter case'));
    seen.add(key);
  }
  return problems;
};

const besides: Rule = ({ preset, makers, load, markets = presetMarkets }) => {
  const problems: ManifestProblem[] = [];
  const needsLocal = 'nothing with the preset testnet: whoever trades there brings money of its own';
  if (preset !== 'local' && makers !== undefined) problems.push(problem('makers', {}, needsLocal));
  if (preset !== 'local' && load !== undefined) problems.push(problem('load', { scenario: load.scenario }, needsLocal));
  const symbols = markets.map(({ symbol }) => symbol);
  if (makers !== undefined && symbols.length === 0) problems.push(problem('makers', {}, 'nothing without markets'));
  for (const [index, symbol] of (makers?.markets ?? []).entries())
    if (!symbols.includes(symbol))
      problems.push(problem(`makers.markets[${index}]`, symbol, `one of ${symbols.join(', ')}`));
  return problems;
};

const latency: Rule = ({ latency: far }) => {
  if (far === undefined) return [];
  const names = Object.keys(far.regions);
  const home = new Map<string, string>();
  const problems: ManifestProblem[] = [];
  for (const [region, nodes] of Object.entries(far.regions))
    for (const node of nodes) {
      const other = home.get(node);
      if (other !== undefined)
        problems.push(problem(`latency.regions.${region}`, node, `each node in one region: it is in ${other}`));
      home.set(node, region);
    }
  for (const [from, row] of Object.entries(far.ms)) {
    if (!names.includes(from)) problems.push(problem(`latency.ms.${from}`, row, `one of ${names.join(', ')}`));
    for (const [to, ms] of Object.entries(row))
      if (!names.includes(to)) problems.push(problem(`latency.ms.${from}.${to}`, ms, `one of ${names.join(', ')}`));
  }
  return problems;
};

const faults: Rule = (manifest) => {
  const names = nodeNames(manifest);
  const problems: ManifestProblem[] = [];
  const planned = manifest.faults.map((fault) => ({ ...fault, done: numbered(fault, names) }));
  for (const [index, { done, at_seconds: begin, for_seconds: length }] of planned.entries()) {
    const path = `faults[${index}]`;
    const own = linksNamed(done).find(({ from, to }) => from === to);
    if (own !== undefined) problems.push(problem(`${path}.links`, names[own.from], 'links between two nodes'));
    if (done.kind === 'partition') {
      const nodes = nodesNamed(done);
      const twice = nodes.find((node, place) => nodes.indexOf(node) !== place);
      if (twice !== undefined) problems.push(problem(`${path}.groups`, names[twice], 'each node in one group'));
    }
    if (done.kind === 'clock' && manifest.preset !== 'local')
      problems.push(
        problem(`${path}.kind`, done.kind, 'other kinds with the preset testnet: its nodes refuse a clock that is off'),
      );
    const touched = touchedBy(done, manifest);
    const end = begin + length;
    for (const [before, earlier] of planned.slice(0, index).entries()) {
      const isApart = earlier.at_seconds >= end || begin >= earlier.at_seconds + earlier.for_seconds;
      if (isApart) continue;
      const both = touchedBy(earlier.done, manifest).find((each) => touched.includes(each));
      if (both !== undefined)
        problems.push(
          problem(`${path}.at_seconds`, begin, `a time at which faults[${before}] does nothing to ${both}`),
        );
    }
  }
  return problems;
};
