/** A network as units of systemd, by machines: one unit for each process, and the homes beside them. */
import { feederFileName } from '../../oracle/feederFile.ts';
import { explorerArguments } from '../processes/explorer.ts';
import { feederArguments } from '../processes/feeder.ts';
import { loadArguments } from '../processes/load.ts';
import { makerArguments } from '../processes/makers.ts';
import { besideNode, type NetworkPlan, type PlannedNode } from '../manifest/plan.ts';
import { formatNetworkFile, networkFileName, publicNodes } from '../networkFile.ts';
import { rulesFileName } from '../monitoring.ts';
import { jobsOf, prometheusConfig } from '../processes/prometheus.ts';
import { exportReadme } from './readme.ts';
import { type ExportedFile, type MadeNetwork, note, open, type Renderer, secret } from './render.ts';

/** Of a network whose nodes have no hosts. */
const onlyMachine = 'localhost';

/** Folder of the machine that something runs on; one for all where the plan names none. */
export const machineOf = ({ host }: { readonly host: string | null }): string => host ?? onlyMachine;

/** Folders below /var/lib, and the users to whom they belong: keys of signers are nobody else's. */
export const stateFolders = { node: 'prime', signer: 'prime-signer' } as const;
const nodeProgram = '/usr/bin/node';
const primeProgram = '/opt/prime/apps/cli/dist/main.js';

interface Unit {
  readonly description: string;
  /** Folder in /var/lib, and user. */
  readonly owner: string;
  /** Name of the home in that folder. */
  readonly home: string;
  readonly exec: string;
  /** Lines of [Unit]. */
  readonly unit?: readonly string[];
  /** Lines of [Service] in place of those of processes that go on for ever. */
  readonly service: readonly string[];
  /** It starts with the machine. */
  readonly isEnabled: boolean;
}

/** Of deploy/systemd; a test compares them. */
const confinement = [
  'UMask=0077',
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'CapabilityBoundingSet=',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
];
const forEver = ['Restart=on-failure', 'RestartSec=2'];
/** SIGTERM is a graceful stop within 10 s. */
const gracefulEnd = ['KillSignal=SIGTERM', 'KillMode=mixed', 'TimeoutStopSec=15', 'LimitNOFILE=65536'];
const nodeMemory = 'Environment=MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144';

/** Writes a folder for each machine, with units and homes; what runs beside the nodes is on the machine of a public one. */
export const renderSystemd: Renderer = (plan, made) => {
  const besideMachine = machineOf(besideNode(plan));
  return [
    ...plan.nodes.map((node) => unitFile(plan, machineOf(node), node.name, nodeUnit(node, made))),
    ...plan.signers.map((signer) => unitFile(plan, machineOf(signer), signer.name, signerUnit(signer.name))),
    ...feederFiles(plan, made),
    ...besideUnits(plan, made).map(([name, unit]) => unitFile(plan, besideMachine, name, unit)),
    ...besideHomes(plan, made, besideMachine),
    secret(networkFileName, formatNetworkFile(made.network)),
    open('README.md', exportReadme('systemd', plan, made, stepsOf(plan, besideMachine))),
  ];
};

const unitName = (plan: NetworkPlan, name: string): string => `${plan.name}-${name}.service`;
const homeOf = ({ owner, home }: Pick<Unit, 'owner' | 'home'>): string => `/var/lib/${owner}/${home}`;
const quoted = (word: string): string =>
  /^[\w./:,@=-]+$/.test(word) ? word : `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
/** A command line as systemd reads it: percent signs are specifiers, dollar signs variables. */
const execOf = (...words: readonly string[]): string =>
  words.map((word) => quoted(word.replaceAll('%', '%%').replaceAll('$', '$$$$'))).join(' ');
const primeExec = (...words: readonly string[]): string => execOf(nodeProgram, primeProgram, ...words);

function unitFile(plan: NetworkPlan, machine: string, name: string, unit: Unit): ExportedFile {
  const { description, owner, home, exec, service, isEnabled } = unit;
  const text = [
    '[Unit]',
    `Description=${description} of the network ${plan.name}`,
    'Wants=network-online.target',
    'After=network-online.target',
    ...(unit.unit ?? []),
    '',
    '[Service]',
    `User=${owner}`,
    `Group=${owner}`,
    'Environment=NODE_ENV=production',
    ...service,
    `ExecStart=${exec}`,
    `StateDirectory=${owner}/${home}`,
    'StateDirectoryMode=0700',
    ...confinement,
    ...(isEnabled ? ['', '[Install]', 'WantedBy=multi-user.target'] : []),
    '',
  ].join('\n');
  return open(`${machine}/systemd/${unitName(plan, name)}`, note(['Written by prime testnet export.']) + text);
}

/** What needs a person is not started again and again. */
const limited = ['StartLimitIntervalSec=300', 'StartLimitBurst=5'];

/** @param own lines of [Service] that only this kind has @param needsPerson exit codes with which it is not started again */
function homeUnit(
  kind: keyof typeof stateFolders,
  name: string,
  description: string,
  { own, needsPerson }: { readonly own: readonly string[]; readonly needsPerson: string },
): Unit {
  const at = { owner: stateFolders[kind], home: name };
  return {
    ...at,
    description,
    exec: primeExec(kind, 'start', '--home', homeOf(at), '--log-format', 'json'),
    unit: limited,
    service: ['Type=exec', ...own, ...forEver, `RestartPreventExitStatus=${needsPerson}`, ...gracefulEnd],
    isEnabled: true,
  };
}

function nodeUnit({ name, role }: PlannedNode, { network: { explorerUrl } }: MadeNetwork): Unit {
  const explorer = explorerUrl === null ? [] : [`Environment=PRIME_RPC_EXPLORER_URL=${explorerUrl}`];
  const lines = { own: [nodeMemory, ...explorer], needsPerson: '64 75 76 77 78 79' };
  return homeUnit('node', name, `Prime ${role} ${name}`, lines);
}

const signerUnit = (name: string): Unit =>
  homeUnit('signer', name, `Prime remote signer ${name}`, {
    own: ['ExecReload=/bin/kill -HUP $MAINPID'],
    needsPerson: '64 78',
  });

/** One for each validator, on the machine with its key. */
function feederFiles(plan: NetworkPlan, { feeder, network }: MadeNetwork): ExportedFile[] {
  if (feeder === null) return [];
  const { rpcUrls } = network;
  return plan.nodes
    .filter(({ role }) => role === 'validator')
    .flatMap((node) => {
      const signer = plan.signers.find(({ validator }) => validator === node.name);
      const owner = stateFolders[signer === undefined ? 'node' : 'signer'];
      const machine = machineOf(signer ?? node);
      const home = `feeder-${node.name}`;
      const config = `${homeOf({ owner, home })}/${feederFileName}`;
      const key = homeOf({ owner, home: signer?.name ?? node.name });
      const unit: Unit = {
        owner,
        home,
        description: `Feeder of prices for ${node.name}`,
        exec: primeExec(...feederArguments(['--home', key], rpcUrls, config)),
        service: ['Type=exec', ...forEver, ...gracefulEnd],
        isEnabled: true,
      };
      return [unitFile(plan, machine, home, unit), open(`${machine}/${owner}/${home}/${feederFileName}`, feeder)];
    });
}

function besideUnits(plan: NetworkPlan, { network }: MadeNetwork): (readonly [string, Unit])[] {
  const { explorer, makers, load, prometheus } = plan.besides;
  const at = (home: string) => ({ owner: stateFolders.node, home });
  const open = publicNodes(network);
  const listen = plan.nodes.every(({ host }) => host === null) ? '127.0.0.1' : '0.0.0.0';
  const goesOn = { service: ['Type=exec', ...forEver, ...gracefulEnd], isEnabled: true };
  const once = { service: ['Type=oneshot', 'LimitNOFILE=65536'], isEnabled: false };
  const units: (readonly [string, Unit])[] = [];
  const add = (home: string, description: string, exec: string, runs: Pick<Unit, 'service' | 'isEnabled'>): unknown =>
    units.push([home, { ...at(home), description, exec, ...runs }]);
  const explored = explorerArguments(network.rpcUrls, `${listen}:${explorer.port}`);
  add('explorer', 'Explorer', primeExec(...explored), goesOn);
  if (makers !== null)
    add('makers', 'Market makers', primeExec(...makerArguments(homeOf(at('makers')), makers.markets ?? null)), goesOn);
  if (load !== null) {
    const nodes = { rpcUrls: open.map(({ rpc }) => rpc), adminUrls: open.map(({ admin }) => admin) };
    const loaded = loadArguments(load, { ...nodes, report: `${homeOf(at('load'))}/load-report.html` });
    add('load', 'Load', primeExec(...loaded), once);
  }
  if (prometheus !== null) {
    const home = homeOf(at('prometheus'));
    const flags = [
      `--config.file=${home}/prometheus.yml`,
      `--storage.tsdb.path=${home}/data`,
      `--web.listen-address=${listen}:${prometheus.port}`,
    ];
    add('prometheus', 'Prometheus', execOf('/usr/bin/prometheus', ...flags), goesOn);
  }
  return units;
}

function besideHomes(plan: NetworkPlan, { network, monitoring }: MadeNetwork, machine: string): ExportedFile[] {
  const { makers, prometheus } = plan.besides;
  const folder = `${machine}/${stateFolders.node}`;
  return [
    ...(makers === null ? [] : [secret(`${folder}/makers/${networkFileName}`, formatNetworkFile(network))]),
    ...(prometheus === null
      ? []
      : [
          open(`${folder}/prometheus/prometheus.yml`, prometheusConfig(jobsOf(network))),
          open(`${folder}/prometheus/${rulesFileName}`, monitoring.rules),
          // Grafana is whoever's it is: it imports these.
          ...Object.entries(monitoring.dashboards).map(([name, text]) => open(`dashboards/${name}`, text)),
        ]),
  ];
}

function stepsOf(plan: NetworkPlan, besideMachine: string): string[] {
  const machines = [...new Set([...plan.nodes, ...plan.signers].map(machineOf))];
  const isOne = machines.length === 1;
  return [
    '## Install it',
    '',
    isOne
      ? `Node 24 or later is in \`${nodeProgram}\`, Prime in \`/opt/prime\`. As root, in the folder \`${machines[0]}\`:`
      : `There is a folder for each machine: ${machines.map((machine) => `\`${machine}\``).join(', ')}. Node 24 or later is in \`${nodeProgram}\`, Prime in \`/opt/prime\`. On each machine, as root, in its folder:`,
    '',
    '```sh',
    'for owner in prime prime-signer; do',
    '  [ -d $owner ] || continue',
    '  id $owner > /dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin $owner',
    '  install --directory --mode=0755 /var/lib/$owner',
    '  cp --recursive --preserve=mode $owner/. /var/lib/$owner/ && chown --recursive $owner:$owner /var/lib/$owner/*',
    'done',
    'cp systemd/*.service /etc/systemd/system/ && systemctl daemon-reload',
    `for unit in systemd/*.service; do [ "$unit" = systemd/${unitName(plan, 'load')} ] || systemctl enable --now "$(basename "$unit")"; done`,
    '```',
    '',
    ...(plan.besides.load === null
      ? []
      : [`\`systemctl start ${unitName(plan, 'load')}\` on ${besideMachine} sends the load once.`, '']),
    'Delete a home here once it is on its machine. `network.json` says where everything listens and which accounts there are.',
    ...(isOne
      ? []
      : [
          '',
          'Nodes listen on all addresses. Let a firewall open the p2p port to peers, the admin port to monitoring, and JSON-RPC of followers alone to callers; a signer only to its validator.',
        ]),
  ];
}
