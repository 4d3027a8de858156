/**
 * Sections of the site in the order of its navigation, and the documents in each. A page is the path of a document, `[path, options]`,
 * or a pattern with one `*` that stands for all documents that no path names, by their names.
 */
export const sections = [
  {
    name: 'run',
    title: 'Run',
    text: 'A network on this machine, test networks from a manifest, load and chaos.',
    groups: [
      {
        title: 'Begin',
        pages: [['README.md', { title: 'What Prime is' }], 'docs/testnet.md', 'CHANGELOG.md'],
      },
      {
        title: 'Load',
        pages: ['docs/load.md', 'docs/benchmarks.md', 'deploy/load/README.md'],
      },
      { title: 'Performance', pages: ['docs/performance/write-path.md', 'docs/performance/*.md'] },
      { title: 'Chaos', pages: ['docs/chaos.md', 'docs/chaos/*.md', 'docs/soak.md'] },
    ],
  },
  {
    name: 'operate',
    title: 'Operate',
    text: 'Validators, followers and signers: keys, backups, upgrades, alerts, and what to do at night.',
    groups: [
      {
        title: 'At night',
        pages: [
          ['docs/operator.md', { path: 'index.md', title: 'Where to look' }],
          'docs/runbooks.md',
          'docs/operate/why.md',
          'docs/operate/exit-codes.md',
          'docs/operate/damage.md',
          'docs/operate/never-sign-twice.md',
        ],
      },
      {
        title: 'Nodes and keys',
        pages: [
          'docs/operate/first-network.md',
          'docs/operate/homes-and-genesis.md',
          'docs/operate/checks.md',
          'docs/operate/keys.md',
          'docs/operate/backups.md',
          'docs/operate/remote-signers.md',
          'docs/operate/snapshots.md',
          'docs/operate/memory-and-disk.md',
        ],
      },
      {
        title: 'The network',
        pages: [
          'docs/operate/watching.md',
          'docs/operate/joining-and-leaving.md',
          'docs/operate/upgrades.md',
          'docs/operate/drills.md',
          'docs/operate/mark-drill.md',
          'docs/operate/peers.md',
          'docs/operate/order-book.md',
          'docs/operate/oracle.md',
          'docs/operate/governance.md',
          'docs/operate/stages.md',
        ],
      },
      { title: 'Callers', pages: ['docs/operate/json-rpc.md', 'docs/operate/proxies.md'] },
      {
        title: 'Machines and clusters',
        pages: [['deploy/README.md', { path: 'deploy.md' }], 'deploy/helm/prime/README.md'],
      },
      { title: 'Beside the nodes', pages: ['docs/streams.md', 'docs/explorer.md'] },
    ],
  },
  {
    name: 'build',
    title: 'Build',
    text: 'The SDK on viem, contracts that trade, other clients, and HTTP as the node speaks it.',
    groups: [
      {
        title: 'SDK',
        pages: [
          'docs/sdk/first-order.md',
          'docs/sdk/trader.md',
          'docs/sdk/cookbook.md',
          'docs/sdk/examples.md',
          'docs/sdk/reference.md',
        ],
      },
      {
        title: 'Packages',
        pages: [
          'packages/sdk/README.md',
          'packages/contracts/README.md',
          'docs/packages.md',
          'apps/examples/README.md',
        ],
      },
      { title: 'Clients', pages: ['docs/clients.md', 'docs/http.md'] },
    ],
  },
  {
    name: 'trade',
    title: 'Trade',
    text: 'Bots from one file, ccxt, and what adapters of trading systems need.',
    groups: [
      { title: 'Bots', pages: ['docs/bot.md', 'packages/bot/README.md'] },
      { title: 'Other programs', pages: ['docs/ccxt.md', 'packages/ccxt/README.md', 'docs/adapters.md'] },
    ],
  },
  {
    name: 'internals',
    title: 'Internals',
    text: 'Architecture, protocols with their proofs, and each package.',
    groups: [
      {
        title: 'The whole',
        pages: [
          'docs/contributing/first-day.md',
          'ARCHITECTURE.md',
          'CONTRIBUTING.md',
          'SECURITY.md',
          'docs/simulation.md',
          'docs/testing-shapes.md',
        ],
      },
      { title: 'Protocols', pages: ['docs/protocol/*.md'] },
      { title: 'Packages', pages: ['packages/*/README.md'] },
      { title: 'Programs', pages: ['apps/*/README.md'] },
    ],
  },
  {
    name: 'reference',
    title: 'Reference',
    text: 'JSON-RPC, configuration, metrics, error codes, file formats.',
    groups: [
      { title: 'Commands', pages: ['apps/cli/README.md'] },
      { title: 'Files, codes and metrics', pages: ['docs/reference/*.md'] },
      { title: 'JSON-RPC', pages: [['docs/rpc/README.md', { path: 'rpc/index.md' }], 'docs/rpc/*.md'] },
    ],
  },
  {
    name: 'adr',
    title: 'Decisions',
    text: 'Why it is as it is, and what was refused.',
    groups: [
      { title: 'Records', pages: [['docs/adr/README.md', { path: 'index.md', title: 'Index' }], 'docs/adr/*.md'] },
    ],
  },
];
