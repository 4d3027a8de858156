/** A network as containers of one machine, each with its home as a volume. */
import { stringify } from 'yaml';
import { feederFileName } from '../../oracle/feederFile.ts';
import { explorerArguments } from '../processes/explorer.ts';
import { feederArguments } from '../processes/feeder.ts';
import { loadArguments } from '../processes/load.ts';
import { makerArguments } from '../processes/makers.ts';
import type { NetworkPlan, PlannedNode, PlannedSigner } from '../manifest/plan.ts';
import { type NetworkFile, formatNetworkFile, networkFileName } from '../networkFile.ts';
import { rulesFileName } from '../monitoring.ts';
import { prometheusConfig } from '../processes/prometheus.ts';
import { exportReadme } from './readme.ts';
import { type ExportedFile, type MadeNetwork, note, open, type Renderer, secret } from './render.ts';

type Service = Readonly<Record<string, unknown>>;

/** In every container. */
const home = '/var/lib/prime';
const program = '/opt/prime/apps/cli/dist/main.js';
/** Names can be changed from outside, for an image of a registry. */
const image = '${PRIME_IMAGE:-prime:local}';
const explorerImage = '${PRIME_EXPLORER_IMAGE:-prime-explorer:local}';
const prometheusImage = 'prom/prometheus:v3.5.0';
const grafanaImage = 'grafana/grafana:12.1.1';
/** Who may be reached by everybody. */
const openNetwork = 'nodes';
/** Of Prometheus and Grafana. */
const watchNetwork = 'monitoring';

const confined: Service = {
  restart: 'unless-stopped',
  init: false,
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
};

const prime: Service = {
  ...confined,
  image,
  // The homes belong to whoever wrote them.
  user: '${PRIME_USER:-1000:1000}',
  tmpfs: ['/tmp:size=16m'],
  stop_grace_period: '15s',
  // Each connection is an open file; a node does not start with fewer than 4096.
  ulimits: { nofile: { soft: 65_536, hard: 65_536 } },
};

const healthy = (port: number): Service => ({
  test: ['CMD', 'node', program, 'health', '--url', `http://127.0.0.1:${port}/health`],
  interval: '5s',
  timeout: '5s',
  start_period: '60s',
  retries: 5,
});

/** Writes `compose.yaml` with what it needs beside it. Ports are open to this machine alone. */
export const renderCompose: Renderer = (plan, made) => {
  const { besides } = plan;
  const services = {
    ...Object.fromEntries(plan.signers.map((signer) => [signer.name, signerService(signer)])),
    ...Object.fromEntries(plan.nodes.map((node) => [node.name, nodeService(node, plan)])),
    explorer: explorerService(plan),
    ...(made.feeder === null ? {} : { feeder: feederService(plan) }),
    ...(besides.makers === null ? {} : { makers: makersService(plan) }),
    ...(besides.load === null ? {} : { load: loadService(plan, besides.load) }),
    ...(besides.prometheus === null ? {} : watchers(plan, besides.prometheus, Object.keys(made.monitoring.dashboards))),
  };
  const networks = Object.fromEntries(
    [
      openNetwork,
      ...(besides.prometheus === null ? [] : [watchNetwork]),
      ...plan.nodes.flatMap(networksOf),
      ...plan.signers.map(signerNetwork),
    ].map((name) => [
      name,
      // Nobody outside has to be reached from where a validator hides.
      [openNetwork, watchNetwork].includes(name) ? {} : { internal: true },
    ]),
  );
  const volumes = besides.prometheus === null ? {} : { volumes: { prometheus: {}, grafana: {} } };
  return [
    open(
      'compose.yaml',
      note(['Written by prime testnet export. README.md says how to start it.']) +
        stringify({ name: plan.name, services, networks, ...volumes }, { lineWidth: 0, aliasDuplicateObjects: false }),
    ),
    ...besideFiles(plan, made),
    secret(networkFileName, formatNetworkFile(made.network)),
    open('README.md', exportReadme('compose', plan, made, steps)),
  ];
};

const steps = [
  '## Start it',
  '',
  '```sh',
  'docker compose up --detach      # in this folder; the image is prime:local, or what PRIME_IMAGE names',
  'docker compose --profile load up load',
  'docker compose down             # keeps the data, which are in homes',
  '```',
  '',
  'Containers run as user 1000, to whom the homes have to belong. Where you are another one: `export PRIME_USER=$(id -u):$(id -g)`.',
  '`network.json` says where everything listens, Prometheus and Grafana too, and which accounts there are. Never open these ports to others.',
];

function nodeService(node: PlannedNode, plan: NetworkPlan): Service {
  const { name, ports, isPublic, signer } = node;
  return {
    ...prime,
    command: ['node', 'start', '--home', home, '--log-format', 'json'],
    environment: { PRIME_RPC_EXPLORER_URL: `http://127.0.0.1:${plan.besides.explorer.port}` },
    healthcheck: healthy(ports.adminPort),
    networks: [...networksOf(node), ...(signer === null ? [] : [`${signer}-only`])],
    ...(isPublic ? { ports: [published(ports.rpcPort)] } : {}),
    volumes: [`./homes/${name}:${home}`],
  };
}

const signerService = (signer: PlannedSigner): Service => ({
  ...prime,
  command: ['signer', 'start', '--home', home, '--log-format', 'json'],
  healthcheck: healthy(signer.ports.adminPort),
  networks: [signerNetwork(signer)],
  volumes: [`./homes/${signer.name}:${home}`],
});

/** A validator behind sentries shares a network with each of them alone. */
function networksOf({ name, role, sentries, shields }: PlannedNode): string[] {
  const own = role === 'validator' && sentries.length > 0 ? [] : [openNetwork];
  return [
    ...own,
    ...sentries.map((sentry) => `${sentry}-${name}`),
    ...shields.map((validator) => `${name}-${validator}`),
  ];
}

const signerNetwork = ({ name }: Pick<PlannedSigner, 'name'>): string => `${name}-only`;

const published = (port: number): string => `127.0.0.1:${port}:${port}`;
const openNodes = ({ nodes }: NetworkPlan): readonly PlannedNode[] => nodes.filter(({ isPublic }) => isPublic);
const whenHealthy = (nodes: readonly { readonly name: string }[]): Service =>
  Object.fromEntries(nodes.map(({ name }) => [name, { condition: 'service_healthy' }]));

/** Browsers ask the nodes, so their addresses are those of the machine with the browser. */
function explorerService(plan: NetworkPlan): Service {
  const { port } = plan.besides.explorer;
  const urls = openNodes(plan).map(({ ports }) => `http://127.0.0.1:${ports.rpcPort}`);
  return {
    ...prime,
    image: explorerImage,
    command: explorerArguments(urls, `0.0.0.0:${port}`),
    healthcheck: healthy(port),
    networks: [openNetwork],
    ports: [published(port)],
  };
}

/** It has the keys of all validators: whoever runs one of them alone gives it a feeder of its own. */
const feederService = (plan: NetworkPlan): Service => ({
  ...prime,
  command: feederArguments(
    ['--network', home],
    openNodes(plan).map(({ name, ports }) => `http://${name}:${ports.rpcPort}`),
    `${home}/${feederFileName}`,
  ),
  healthcheck: { disable: true },
  depends_on: whenHealthy(openNodes(plan)),
  networks: [openNetwork],
  volumes: [
    ...[...plan.nodes.filter(({ role }) => role === 'validator'), ...plan.signers].map(({ name }) => name),
    feederFileName,
  ].map((name) => `./homes/${name}:${home}/${name}:ro`),
});

const makersService = (plan: NetworkPlan): Service => ({
  ...prime,
  command: makerArguments(home, plan.besides.makers?.markets ?? null),
  healthcheck: { disable: true },
  depends_on: whenHealthy(openNodes(plan)),
  networks: [openNetwork],
  volumes: [`./makers:${home}`],
});

const loadService = (plan: NetworkPlan, load: NonNullable<NetworkPlan['besides']['load']>): Service => ({
  ...prime,
  // Only when it is asked for, and once.
  profiles: ['load'],
  restart: 'no',
  command: loadArguments(load, {
    rpcUrls: openNodes(plan).map(({ name, ports }) => `http://${name}:${ports.rpcPort}`),
    adminUrls: openNodes(plan).map(({ name, ports }) => `http://${name}:${ports.adminPort}`),
    report: `${home}/load-report.html`,
  }),
  healthcheck: { disable: true },
  depends_on: whenHealthy(openNodes(plan)),
  networks: [openNetwork],
  volumes: [`./load:${home}`],
});

const watchers = (
  plan: NetworkPlan,
  { port, grafanaPort }: NonNullable<NetworkPlan['besides']['prometheus']>,
  dashboards: readonly string[],
) => ({
  prometheus: prometheusService(plan, port),
  grafana: grafanaService(grafanaPort, dashboards),
});

/** It sees every network, or it could not ask who hides. */
const prometheusService = (plan: NetworkPlan, port: number): Service => ({
  ...confined,
  image: prometheusImage,
  command: [
    '--config.file=/etc/prometheus/prometheus.yml',
    '--storage.tsdb.path=/prometheus',
    `--web.listen-address=0.0.0.0:${port}`,
  ],
  networks: [
    ...new Set([openNetwork, watchNetwork, ...plan.nodes.flatMap(networksOf), ...plan.signers.map(signerNetwork)]),
  ],
  ports: [published(port)],
  volumes: [
    './prometheus/prometheus.yml:/etc/prometheus/prometheus.yml:ro',
    `./prometheus/${rulesFileName}:/etc/prometheus/${rulesFileName}:ro`,
    'prometheus:/prometheus',
  ],
});

/** Places of Grafana's files in the export. */
const [datasourceFile, providerFile] = ['datasources/prometheus.yaml', 'dashboards/prime.yaml'] as const;

/**
 * Whoever reaches the port may look, and nobody may change anything. Its user may not enter folders of an export, as keys are in others: each file is mounted.
 */
const grafanaService = (port: number, dashboards: readonly string[]): Service => ({
  ...confined,
  image: grafanaImage,
  environment: {
    GF_SERVER_HTTP_PORT: `${port}`,
    GF_AUTH_ANONYMOUS_ENABLED: 'true',
    GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
    GF_AUTH_DISABLE_LOGIN_FORM: 'true',
    GF_ANALYTICS_REPORTING_ENABLED: 'false',
    GF_ANALYTICS_CHECK_FOR_UPDATES: 'false',
    GF_LOG_CONSOLE_FORMAT: 'json',
  },
  networks: [watchNetwork],
  ports: [published(port)],
  tmpfs: ['/tmp:size=64m'],
  volumes: [
    'grafana:/var/lib/grafana',
    ...[datasourceFile, providerFile].map(
      (file) => `./grafana/provisioning/${file}:/etc/grafana/provisioning/${file}:ro`,
    ),
    ...dashboards.map((name) => `./grafana/dashboards/${name}:/var/lib/grafana/dashboards/${name}:ro`),
  ],
});

const datasource = (port: number): string =>
  stringify({
    apiVersion: 1,
    datasources: [
      {
        name: 'Prometheus',
        // As the dashboards name it.
        uid: 'prometheus',
        type: 'prometheus',
        access: 'proxy',
        url: `http://prometheus:${port}`,
        isDefault: true,
        editable: false,
        jsonData: { timeInterval: '5s', httpMethod: 'POST' },
      },
    ],
  });

function besideFiles(plan: NetworkPlan, { network, monitoring }: MadeNetwork): ExportedFile[] {
  const { makers, load, prometheus } = plan.besides;
  const at = ({ name, ports }: PlannedNode | PlannedSigner) => ({ name, at: `${name}:${ports.adminPort}` });
  return [
    ...(makers === null ? [] : [secret(`makers/${networkFileName}`, formatNetworkFile(fromInside(plan, network)))]),
    ...(load === null
      ? []
      : [open('load/README.md', 'The report of `docker compose --profile load up load` comes here.\n')]),
    ...(prometheus === null
      ? []
      : [
          open(
            'prometheus/prometheus.yml',
            prometheusConfig([
              { job: 'prime', targets: plan.nodes.map(at) },
              { job: 'prime-signer', targets: plan.signers.map(at) },
            ]),
          ),
          open(`prometheus/${rulesFileName}`, monitoring.rules),
          open(`grafana/provisioning/${datasourceFile}`, datasource(prometheus.port)),
          open(`grafana/provisioning/${providerFile}`, monitoring.provider),
          ...Object.entries(monitoring.dashboards).map(([name, text]) => open(`grafana/dashboards/${name}`, text)),
        ]),
  ];
}

/** The bots are in a container, too: they know the nodes by their names. */
const fromInside = (plan: NetworkPlan, network: NetworkFile): NetworkFile => ({
  ...network,
  rpcUrls: openNodes(plan).map(({ name, ports }) => `http://${name}:${ports.rpcPort}`),
  wsUrls: openNodes(plan).map(({ name, ports }) => `ws://${name}:${ports.rpcPort}`),
});
