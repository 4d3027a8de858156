import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rpc } from '@prime/load/rpc';
import { createPrng, type Prng } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type BotLife, BotProcess } from './botProcess.ts';
import { type AccountFacts, positionAt, readFacts } from './chainFacts.ts';
import { type BotBounds, judge } from './judge.ts';

export interface BotSoakOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Another build's `prime` command for the nodes; null for this one. */
  readonly program: string | null;
  readonly log: (line: string) => void;
}

export interface BotSoakReport {
  readonly seed: number;
  readonly minutes: number;
  readonly blocks: number;
  /** Kills by what was killed. */
  readonly kills: { readonly nodes: number; readonly maker: number; readonly takers: number };
  readonly bots: readonly {
    readonly name: string;
    readonly lives: number;
    /** Fills that the chain has, and that the bot told while it lived. */
    readonly chainFills: number;
    readonly toldFills: number;
    readonly claims: number;
    /** Connections that ended and were made again. */
    readonly disconnects: number;
    readonly checksumFailures: number;
    readonly position: string;
    readonly openOrdersAtEnd: number;
    readonly findings: readonly string[];
  }[];
  readonly clean: boolean;
}

const marketId = 1;
/** One whole base of the default network, base units. */
const base = 10n ** 16n;
const makerBounds: BotBounds = { levels: 5, positionMax: 20n * base, quoteSize: base };
/** Takers have no quotes; what they hold is bounded by their own limit and one order. */
const takerBounds: BotBounds = { levels: 0, positionMax: 14n * base, quoteSize: 0n };

const makerFile = `
strategy = "maker"
name = "soak"
market = ${marketId}
[maker]
levels = ${makerBounds.levels}
level_gap_bps = 5
size = "1"
max_position = "20"
skew_bps = 30
[fair_price]
start = "100"
[execution]
order_seconds = 20
refresh_seconds = 6
action_ttl_ms = 3000
[limits]
position = "20"
`;
const takerFile = (seed: number): string => `
strategy = "taker"
name = "taker-${seed}"
market = ${marketId}
[taker]
interval_ms = 700
size_max = "3"
max_position = "10"
seed = ${seed}
[execution]
action_ttl_ms = 3000
`;

/** A bot under test. */
interface Subject {
  readonly name: string;
  readonly address: string;
  readonly process: BotProcess;
  readonly bounds: BotBounds;
}

/** A maker and two takers against four validators, with nodes and bots killed at random moments, until the time is over; then all is judged. */
export async function botSoak(options: BotSoakOptions): Promise<BotSoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'prime-bot-soak-'));
  const { program } = options;
  const testnet = await createTestnet({ validators: 4, idlePace: 'preset', ...(program === null ? {} : { program }) });
  const subjects: Subject[] = [];
  try {
    await testnet.startAll();
    subjects.push(subject(folder, testnet, { name: 'maker', file: makerFile, bounds: makerBounds, first: 0 }));
    for (const seed of [1, 2])
      subjects.push(
        subject(folder, testnet, { name: `taker-${seed}`, file: takerFile(seed), bounds: takerBounds, first: seed }),
      );
    for (const { process } of subjects) process.start();
    const kills = await disturb(options, testnet, subjects);
    return await conclude(options, testnet, subjects, kills);
  } finally {
    await Promise.all(subjects.map(({ process }) => process.kill('SIGKILL')));
    await testnet.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface SubjectOptions extends Pick<Subject, 'name' | 'bounds'> {
  /** Text of its strategy file. */
  readonly file: string;
  /** Validator that it reads from first. */
  readonly first: number;
}

function subject(folder: string, testnet: Testnet, { name, file, bounds, first }: SubjectOptions): Subject {
  const key = generatePrivateKey();
  const keyPath = join(folder, `${name}.key`);
  const filePath = join(folder, `${name}.toml`);
  writeFileSync(keyPath, `${key}\n`, { mode: 0o600 });
  writeFileSync(filePath, file);
  const kind = name.split('-')[0]!;
  // Each reads from another validator first, so that all of their kills are felt.
  const urls = [...testnet.urls().slice(first), ...testnet.urls().slice(0, first)].join(',');
  const flags = ['--strategy', filePath, '--key-file', keyPath, '--rpc', urls, '--fund', '100000'];
  const address = privateKeyToAccount(key).address.toLowerCase();
  return { name, address, process: new BotProcess([kind, ...flags]), bounds };
}

type Kills = { nodes: number; maker: number; takers: number };

/** One thing after the other: a node, the maker, a taker, two at once; with pauses in which they trade. */
async function disturb(options: BotSoakOptions, testnet: Testnet, subjects: readonly Subject[]): Promise<Kills> {
  const random = createPrng(options.seed);
  const kills: Kills = { nodes: 0, maker: 0, takers: 0 };
  const end = Date.now() + options.minutes * 60_000;
  const [maker, ...takers] = subjects as [Subject, ...Subject[]];
  const killNode = async (): Promise<void> => {
    const index = random.below(4);
    const how = random.chance(3, 4) ? 'SIGKILL' : 'SIGTERM';
    options.log(`${how} of validator${index}`);
    await testnet.kill(index, how);
    kills.nodes++;
    await delay(random.below(4_000));
    await testnet.start(index);
  };
  const killBot = async ({ name, process }: Subject): Promise<void> => {
    options.log(`SIGKILL of ${name}`);
    await process.kill('SIGKILL');
    if (name === maker.name) kills.maker++;
    else kills.takers++;
    // Sometimes for longer than its orders live.
    await delay(random.chance(1, 6) ? 22_000 : random.below(2_000));
    process.start();
  };
  while (Date.now() < end) {
    await delay(1_000 + random.below(12_000));
    await oneFault(
      random,
      killNode,
      () => killBot(maker),
      () => killBot(takers[random.below(takers.length)]!),
    );
    for (const { name, process } of subjects)
      if (!process.running)
        throw new Error(`${name} ended by itself: ${JSON.stringify(process.lives.at(-1)?.lines.slice(-5))}`);
  }
  return kills;
}

async function oneFault(
  random: Prng,
  node: () => Promise<void>,
  maker: () => Promise<void>,
  taker: () => Promise<void>,
): Promise<void> {
  switch (random.below(5)) {
    case 0:
    case 1:
      return node();
    case 2:
      return maker();
    case 3:
      return taker();
    default:
      await Promise.all([node(), maker()]);
  }
}

/** Stops all bots in order, waits until all validators have the same, and judges. */
async function conclude(
  { seed, minutes, log }: BotSoakOptions,
  testnet: Testnet,
  subjects: readonly Subject[],
  kills: Kills,
): Promise<BotSoakReport> {
  for (const { process } of subjects)
    await process.line('that its account is sure', ({ msg, sure }) => msg === 'account' && sure === true);
  const ends = await Promise.all(subjects.map(({ process }) => process.kill('SIGTERM')));
  const head = Number(await rpc<string>(testnet.url(0), 'eth_blockNumber'));
  const reached = async (url: string): Promise<boolean> => Number(await rpc<string>(url, 'eth_blockNumber')) >= head;
  await Promise.all(testnet.urls().map((url) => until(`${url} has block ${head}`, () => reached(url))));
  const bots = await Promise.all(
    subjects.map(async (bot, index) => {
      const facts = await readFacts(testnet.url(3), bot.address, marketId);
      const judgement = judge(bot.process.lives, facts, bot.bounds);
      const end = ends[index];
      const atEnd = await endFindings(testnet.url(3), bot.address, facts);
      const exit = end?.code === 0 ? [] : [`ended with ${JSON.stringify(end)} on SIGTERM`];
      return {
        name: bot.name,
        lives: bot.process.lives.length,
        chainFills: facts.fills.length,
        toldFills: judgement.fills,
        claims: judgement.claims,
        disconnects: count(bot.process.lives, 'STREAM_DISCONNECTED') + count(bot.process.lives, 'STREAM_TIMEOUT'),
        checksumFailures: count(bot.process.lives, 'STREAM_CHECKSUM_WRONG'),
        position: `${positionAt(facts, facts.head)}`,
        openOrdersAtEnd: atEnd.open,
        findings: [...judgement.findings, ...atEnd.findings, ...exit],
      };
    }),
  );
  for (const { name, findings } of bots) for (const finding of findings) log(`${name}: ${finding}`);
  const clean = bots.every(({ findings, chainFills }) => findings.length === 0 && chainFills > 0);
  return { seed, minutes, blocks: head, kills, bots, clean };
}

const count = (lives: readonly BotLife[], code: string): number =>
  lives.reduce((sum, { lines }) => sum + lines.filter((line) => line['code'] === code).length, 0);

/** The account itself, as a node answers it, against the sum of all fills; and that nothing rests. */
async function endFindings(url: string, address: string, facts: AccountFacts) {
  const account = await rpc<{ readonly positions: readonly { readonly market_id: number; readonly size: string }[] }>(
    url,
    'primeorders_getAccount',
    [address],
  );
  const open = (await rpc<readonly unknown[]>(url, 'primeorders_getOpenOrders', [address])).length;
  const size = account.positions.find((position) => position.market_id === marketId)?.size ?? '0x0';
  const answered = size.startsWith('-') ? -BigInt(size.slice(1)) : BigInt(size);
  const fromFills = positionAt(facts, facts.head);
  return {
    open,
    findings: [
      ...(answered === fromFills ? [] : [`the account has position ${answered}, all fills make ${fromFills}`]),
      ...(open === 0 ? [] : [`${open} orders rest after the end`]),
    ],
  };
}
