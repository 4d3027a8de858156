import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { defaultStakingParams, type Genesis, genesisHash, headerHash } from '@prime/codec';
import { parseGenesis } from '@prime/config';
import {
  type LightBlock,
  LightClient,
  type LightContext,
  type LightTrust,
  trustBlock,
  trustGenesis,
  trustLevel,
  validatorsFromGenesis,
  verifyLightBlock,
} from '@prime/consensus';
import { cryptoProvider } from '@prime/crypto';
import { type Hash, type Height, isPrimeError, parseHash } from '@prime/primitives';
import type { Command } from 'commander';
import { type CliError, parseWholeNumber, usageError } from '../../errors.ts';
import { readGiven } from '../../files.ts';
import { type Commit, fetchLightBlock, notProven, parseLightBlock, refusalOf } from '../../node/lightBlocks.ts';
import { type ApiKeyFlags, askNode, type RpcNode, rpcNode, withApiKey } from '../../node/rpc.ts';
import { readNetworkFile } from '../../testnet/networkFile.ts';

interface Flags extends ApiKeyFlags {
  readonly genesis: string;
  readonly rpc?: string;
  readonly file?: string;
  readonly height: string;
  readonly trustedHeight?: string;
  readonly trustedHash?: string;
  readonly trustingPeriod?: string;
  readonly save?: string;
}

/** `prime verify-cert`: what a node says was decided, checked with nothing but the genesis file. */
export function addVerifyCertCommand(program: Command): void {
  withApiKey(program.command('verify-cert'))
    .description('Check that a block was decided, with nothing but genesis.json')
    .requiredOption('--genesis <file>', 'genesis.json of the network, from a source that you trust')
    .option(
      '--rpc <url>',
      'node to ask; it need not be trusted (default: the network of prime testnet up that the genesis is in)',
    )
    .option('--file <file>', 'what --save wrote, or an answer of prime_getCommit, instead of a node')
    .option('--height <number>', 'block to check', 'latest')
    .option('--trusted-height <number>', 'begin at this block instead of genesis')
    .option('--trusted-hash <hash>', 'its hash, from a source that you trust')
    .option('--trusting-period <seconds>', 'how long validators answer for what they signed; default as genesis says')
    .option('--save <file>', 'write the blocks that prove it, for --file')
    .action(verifyCert);
}

async function verifyCert(given: Flags): Promise<void> {
  const flags = withNode(given);
  if ((flags.rpc === undefined) === (flags.file === undefined)) throw usage('give either --rpc or --file');
  if ((flags.trustedHeight === undefined) !== (flags.trustedHash === undefined))
    throw usage('--trusted-height and --trusted-hash belong together');
  const genesis = parseGenesis(await readGiven(flags.genesis, '--genesis'));
  const context: LightContext = {
    chainId: genesis.chainId,
    genesisHash: genesisHash(genesis),
    provider: await cryptoProvider(),
    nowMs: Date.now(),
    trustingPeriodMs: trustingPeriodMs(flags, genesis),
  };
  const first = trustGenesis(genesis.timestampMs, validatorsFromGenesis(genesis.validators).validators);
  const proof = await (flags.rpc === undefined
    ? proveFromFile(flags, first, context)
    : proveWithNode(flags, await rpcNode(flags.rpc, flags), first, context));
  if (flags.save !== undefined) await writeFile(flags.save, `${JSON.stringify(proof.commits, null, 2)}\n`);
  report(proof, context);
}

/** Where nothing is named: a node of the network that `prime testnet up` runs in the folder of the genesis' home. */
function withNode(flags: Flags): Flags {
  if (flags.rpc !== undefined || flags.file !== undefined) return flags;
  const rpc = readNetworkFile(dirname(dirname(resolve(flags.genesis))))?.rpcUrls[0];
  return rpc === undefined ? flags : { ...flags, rpc };
}

interface Proof {
  readonly root: LightTrust;
  readonly block: LightBlock;
  readonly power: bigint;
  readonly total: bigint;
  /** From the root to the block, ascending. */
  readonly path: readonly Height[];
  /** The same as JSON, with the trusted block where one was named. */
  readonly commits: readonly Commit[];
}

/** {@link proveFromNode}; a node that says itself that it is of another network is told apart from one that lies. */
async function proveWithNode(flags: Flags, node: RpcNode, first: LightTrust, context: LightContext): Promise<Proof> {
  try {
    return await proveFromNode(flags, node, first, context);
  } catch (error) {
    if (!isPrimeError(error) || error.code !== 'CLI_NOT_PROVEN') throw error;
    const { hash } = await askNode(node, (client) => client.getBlock({ blockNumber: 0n })).catch(() => ({
      hash: context.genesisHash,
    }));
    if (hash === context.genesisHash) throw error;
    throw notProven(
      `${node.url} is of another network: its genesis is ${hash}, and the one of the file ${context.genesisHash}`,
    );
  }
}

/** Asks a node for the blocks that are needed. */
async function proveFromNode(flags: Flags, node: RpcNode, first: LightTrust, context: LightContext): Promise<Proof> {
  const commits = new Map<Height, Commit>();
  const fetch = async (height: Height): Promise<LightBlock> => {
    const commit = await fetchLightBlock(node, height);
    commits.set(height, commit);
    return parseLightBlock(commit, []);
  };
  const trusted = trustedOf(flags);
  const root = trusted === null ? first : rootAt(trusted.hash, await fetch(trusted.height));
  const client = new LightClient(root, await targetOf(flags, node, root), context);
  for (;;) {
    const block = await fetch(client.next);
    const step = client.take(block);
    if (step.kind === 'refused')
      throw notProven(
        `block ${step.height}: ${refusalOf(step.refusal, step.height === block.header.height ? block : null, context)}`,
      );
    if (step.kind === 'more') continue;
    const path = client.path.map(({ header }) => header.height);
    const used = trusted === null ? path : [trusted.height, ...path];
    return { ...step, root, path, commits: used.map((height) => commits.get(height)!) };
  }
}

/** Takes the blocks of a file one after the other. */
async function proveFromFile(flags: Flags, first: LightTrust, context: LightContext): Promise<Proof> {
  const commits = [await readJson(flags.file!)].flat() as readonly Commit[];
  const trusted = trustedOf(flags);
  let root = first;
  let last: { block: LightBlock; power: bigint; total: bigint } | null = null;
  let reached = first;
  const path: Height[] = [];
  for (const [index, commit] of commits.entries()) {
    const block = parseLightBlock(commit, reached.validators);
    if (index === 0 && trusted !== null && block.header.height === trusted.height) {
      root = rootAt(trusted.hash, block);
      reached = root;
      continue;
    }
    const verdict = verifyLightBlock(reached, block, context);
    if (!verdict.ok) throw notProven(`block ${block.header.height}: ${refusalOf(verdict.refusal, block, context)}`);
    reached = verdict.trust;
    path.push(block.header.height);
    last = { block, power: verdict.power, total: verdict.total };
  }
  if (trusted !== null && root === first) throw usage(`the file does not begin with block ${trusted.height}`);
  if (last === null) throw usage('the file has no block to check');
  const { height } = last.block.header;
  if (flags.height !== 'latest' && Number(flags.height) !== height)
    throw usage(`the file ends with block ${height}, not ${flags.height}`);
  return { ...last, root, path, commits };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readGiven(file, '--file');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${file} is no JSON: ${(error as Error).message}`);
  }
}

function trustedOf({ trustedHeight, trustedHash }: Flags): { readonly height: Height; readonly hash: Hash } | null {
  if (trustedHeight === undefined || trustedHash === undefined) return null;
  return { height: numberOf('--trusted-height', trustedHeight) as Height, hash: parseHash(trustedHash) };
}

function rootAt(hash: Hash, block: LightBlock): LightTrust {
  const root = trustBlock(hash, block);
  if (root === null) throw notProven(`block ${block.header.height} is not the one with hash ${hash}`);
  return root;
}

async function targetOf({ height }: Flags, node: RpcNode, root: LightTrust): Promise<Height> {
  const target =
    height === 'latest'
      ? Number(await askNode(node, (client) => client.getBlockNumber()))
      : numberOf('--height', height);
  if (target > root.height) return target as Height;
  throw usage(
    root.height === 0
      ? 'genesis is not decided: blocks begin with 1'
      : `block ${target} is not after the trusted block ${root.height}`,
  );
}

const numberOf = (flag: string, text: string): number => parseWholeNumber(text, flag, 0, Number.MAX_SAFE_INTEGER);

const trustingPeriodMs = ({ trustingPeriod }: Flags, { staking }: Genesis): number =>
  trustingPeriod === undefined
    ? (staking ?? defaultStakingParams).unbondingMs
    : numberOf('--trusting-period', trustingPeriod) * 1_000;

function report({ root, block, power, total, path }: Proof, context: LightContext): void {
  const { header, certificate } = block;
  console.log(`block ${header.height} ${headerHash(header)}`);
  console.log(
    `decided in round ${certificate.round} by ${certificate.signatures.length} validators with voting power ${power} of ${total}`,
  );
  console.log(
    `time ${new Date(header.timestampMs).toISOString()}, proposer ${header.proposer}, protocol version ${header.version}`,
  );
  console.log(`state root of block ${header.height - 1}: ${header.parentResults.stateRoot}`);
  const from = root.height === 0 ? 'genesis' : `block ${root.height}`;
  console.log(`proven from ${from} over ${path.length} ${path.length === 1 ? 'block' : 'blocks'}`);
  if (trustLevel(root, context) === 'quorum')
    console.log(
      `note: ${from} is older than the time for which validators answer with their stake. Steps from such blocks needed more than 2/3 of the power known ` +
        'before; who bought the keys of so many former validators could still deceive you. --trusted-height with a recent block rules that out',
    );
}

const usage = (words: string): CliError => usageError(words, 'verify-cert');
