import type { Command } from 'commander';

/** `prime load`: what a network holds, measured honestly and judged by a model that is not the engine. */
export function addLoadCommands(program: Command): void {
  const load = program
    .command('load')
    .description('Load a network and judge it: what it holds, where the time goes, whether anything was lost');
  withSending(withScenario(load.command('run')))
    .description('Send the load of a scenario, judge what came of it, and write a report')
    .option('--report <file>', 'page to write; the same as JSON stands beside it', 'load-report.html')
    .option(
      '--faults <file>',
      'start a network of its own and carry out the phases of a chaos manifest, TOML or JSON, meanwhile',
    )
    .option('--home <dir>', 'with --faults: folder of that network', '.prime/load')
    .option('--metrics <host:port>', "serve the run's own /metrics while it goes on")
    .action(async (scenario: string, flags) => (await import('../../load/run.ts')).run(scenario, flags));
  withSending(withScenario(load.command('turns')))
    .description('Load two networks in turns, and tell the ratio of what they hold with its interval')
    .requiredOption('--a <url,…>', 'nodes of the one')
    .requiredOption('--b <url,…>', 'nodes of the other')
    .option('--rounds <n>', 'runs of each', '5')
    .option('--out <file>', 'write ratios, intervals and the reports of all runs as JSON')
    .action(async (scenario: string, flags) => (await import('../../load/turns.ts')).turns(scenario, flags));
  withScenario(load.command('plan'))
    .description('Tell what a run would send and need, without sending anything')
    .action(async (scenario: string, flags) => (await import('../../load/plan.ts')).plan(scenario, flags));
  load
    .command('compare')
    .description('Ratios of throughput and latency of two runs, with intervals')
    .argument('<a>', 'JSON of a run')
    .argument('<b>', 'JSON of another')
    .option('--json', 'print JSON')
    .action(async (a: string, b: string, flags) => (await import('../../load/compare.ts')).compare(a, b, flags));
  load
    .command('scenarios')
    .description('List the scenarios that are built in, or print one of them')
    .argument('[name]', 'scenario to print as a file')
    .option('--schema', 'print the JSON Schema of scenario files')
    .action(async (name: string | undefined, flags) =>
      (await import('../../load/scenarios.ts')).scenarios(name, flags),
    );
  addFlowCommands(load);
  load
    .command('worker')
    .description('Serve a coordinator elsewhere: send its load from this machine')
    .requiredOption('--listen <host:port>', 'where the coordinator connects to')
    .requiredOption('--token-file <file>', 'file with a token that the coordinator has, too')
    .action(async (flags) => (await import('../../load/worker.ts')).worker(flags));
}

/** What a network executed as a file, and back. */
function addFlowCommands(load: Command): void {
  load
    .command('record')
    .description('Write what a network executed between two heights as a file that can be replayed')
    .option('--rpc <url>', 'node to ask (default: that of prime testnet up in this folder)')
    .option('--from <height>', 'first block', '1')
    .option('--to <height>', 'last block (default: the newest)')
    .requiredOption('--out <file>', 'file to write')
    .action(async (flags) => (await import('../../load/flow.ts')).record(flags));
  withFunder(
    load
      .command('replay')
      .description('Send a recorded flow to a network, and compare the fills with the recorded ones')
      .argument('<file>', 'what prime load record or convert wrote')
      .option('--rpc <url>', 'node to send to (default: that of prime testnet up in this folder)')
      .option(
        '--speed <n>',
        'so many times faster than it was recorded (default: as fast as blocks take it, in its order)',
      )
      .option('--seed <n>', 'another one for each replay on one network', '1')
      .option('--network-markets', 'trade in the markets of the network, and not in ones of its own'),
  ).action(async (file: string, flags) => (await import('../../load/flow.ts')).replay(file, flags));
  load
    .command('convert')
    .description('Turn a file of NASDAQ TotalView-ITCH 5.0 into a flow for replay')
    .argument('<file>', 'the file, packed with gzip or not')
    .requiredOption('--stocks <symbol,…>', 'whose orders are taken; they become markets in this order')
    .option('--from <time>', 'time of day in New York, such as 09:30: what comes before builds the first book')
    .option('--to <time>', 'nothing from then on')
    .requiredOption('--out <file>', 'file to write')
    .action(async (file: string, flags) => (await import('../../load/flow.ts')).convert(file, flags));
}

/** Of those that pay for what they send. */
const withFunder = (command: Command): Command =>
  command
    .option(
      '--funder-key-file <file>',
      'private key of the account that pays (default: PRIME_LOAD_FUNDER_KEY, else unlocked accounts)',
    )
    .option(
      '--faucet',
      "collateral comes from the faucet of the network's genesis; for scenarios that send no transactions",
    );

/** Of those that know a scenario and a network. */
const withScenario = (command: Command): Command =>
  withFunder(
    command
      .argument('<scenario>', 'name of one that is built in, or a .toml file')
      .option('--rpc <url,…>', 'nodes to load (default: those of prime testnet up in this folder)')
      .option('--admin <url,…>', 'their admin endpoints, for what they tell of themselves (default: likewise)')
      .option('--rate <n>', 'operations a second all the time, in place of the stages of the scenario')
      .option('--clients <n>', 'clients that each wait for the answer before they send again, in place of a rate')
      .option('--search', 'find the highest rate that holds')
      .option('--duration <time>', 'how long, or how long each trial of --search')
      .option('--size <n>', "size of the scenario's shapes")
      .option('--seed <n>', 'the same seed sends the same operations', '1')
      .option('--workers <n>', 'processes that send (default: half of the processors, at most 4)'),
  );

/** Of those that send. */
const withSending = (command: Command): Command =>
  command
    .option('--transport <ws|http>', 'how requests are sent', 'ws')
    .option('--connections <n>', 'connections of each worker to each node (default: 4 over ws, 64 over http)')
    .option('--ahead <n>', 'operations that are signed before the run begins, at most', '200000')
    .option('--answer-timeout <time>', 'from here on an operation without an answer is unknown', '30s')
    .option(
      '--drain <time>',
      'most that is waited at the end for the next acknowledged operation to be in a block, and for nodes that are behind',
      '60s',
    )
    .option('--gap <time>', "longest time without a new block that is clean (default: the scenario's, 10s)")
    .option('--workers-at <host:port,…>', 'workers elsewhere, of prime load worker, in place of own ones')
    .option('--token-file <file>', 'with --workers-at: the token that the workers have')
    .option('--p99 <ms>', 'with --search: a rate holds while the 99th percentile is at most this', '1000')
    .option('--errors <percent>', 'with --search: and no more operations than this fail', '1')
    .option('--from <rate>', 'with --search: the rate that is tried first', '50')
    .option('--to <rate>', 'with --search: no higher rate is tried', '100000')
    .option('--stages', "read the nodes' stamps of stages by their admin endpoints: where the time goes")
    .option('--without-model', 'do not replay the order book in the model; needed where history is pruned')
    .option('--keep-funds', 'do not give back what the accounts have left');
