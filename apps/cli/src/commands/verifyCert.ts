import {
  type CommitCertificate,
  decodeHeader,
  genesisHash,
  type Header,
  headerHash,
  validatorsHash,
} from '@prime/codec';
import { parseGenesis } from '@prime/config';
import { validatorsFromGenesis, verifyCommitCertificate } from '@prime/consensus';
import { cryptoProvider } from '@prime/crypto';
import { type Address, hexToBytes, type Round } from '@prime/primitives';
import { Ajv, type JSONSchemaType } from 'ajv';
import type { Command } from 'commander';
import { CliError, parseWholeNumber } from '../errors.ts';
import { readGiven } from '../files.ts';
import { callRpc } from '../rpc.ts';

interface Flags {
  readonly genesis: string;
  readonly rpc?: string;
  readonly file?: string;
  readonly height: string;
}

/** `prime verify-cert`: what a node says was decided, checked with nothing but the genesis file. */
export function addVerifyCertCommand(program: Command): void {
  program
    .command('verify-cert')
    .description('Check that a block was decided, with nothing but genesis.json')
    .requiredOption('--genesis <file>', 'genesis.json of the network, from a source that you trust')
    .option('--rpc <url>', 'node to ask; it need not be trusted')
    .option('--file <file>', 'an answer of prime_getCommit in a file, instead of a node')
    .option('--height <number>', 'block to ask for', 'latest')
    .action(verifyCert);
}

/** The answer of prime_getCommit. */
interface Commit {
  height: string;
  block_hash: string;
  header: string;
  round: string;
  signatures: { validator: string; signature: string }[];
}

const hex = { type: 'string', pattern: '^0x([0-9a-f]{2})*$' } as const;
const quantity = { type: 'string', pattern: '^0x[0-9a-f]{1,13}$' } as const;
const schema: JSONSchemaType<Commit> = {
  type: 'object',
  required: ['height', 'block_hash', 'header', 'round', 'signatures'],
  properties: {
    height: quantity,
    block_hash: { type: 'string', pattern: '^0x[0-9a-f]{64}$' },
    header: hex,
    round: quantity,
    signatures: {
      type: 'array',
      items: {
        type: 'object',
        required: ['validator', 'signature'],
        properties: { validator: { type: 'string', pattern: '^0x[0-9a-f]{40}$' }, signature: hex },
      },
    },
  },
};
const isCommit = new Ajv().compile(schema);

async function verifyCert({ genesis: genesisFile, rpc, file, height }: Flags): Promise<void> {
  if ((rpc === undefined) === (file === undefined)) throw usage('give either --rpc or --file');
  const genesis = parseGenesis(await readGiven(genesisFile, '--genesis'));
  const commit = checkShape(file === undefined ? await ask(rpc!, height) : await answerIn(file));
  const set = validatorsFromGenesis(genesis.validators);
  const header = decodeHeader(hexToBytes(commit.header));
  const hash = headerHash(header);
  if (hash !== commit.block_hash) throw refuted(`the header has hash ${hash}, not ${commit.block_hash}`);
  if (header.chainId !== genesis.chainId) throw refuted(`the header is of chain ${header.chainId}`);
  if (header.validatorsHash !== validatorsHash(set.validators))
    throw refuted('the header names other validators than genesis');
  const certificate: CommitCertificate = {
    height: header.height,
    round: Number(commit.round) as Round,
    blockHash: hash,
    signatures: commit.signatures.map(({ validator, signature }) => ({
      validator: validator as Address,
      signature: hexToBytes(signature),
    })),
  };
  const domain = { chainId: genesis.chainId, genesisHash: genesisHash(genesis), provider: await cryptoProvider() };
  const verdict = verifyCommitCertificate(certificate, set, domain);
  if (!verdict.ok) throw refuted(`its certificate does not hold: ${verdict.refusal.code}`);
  const total = set.validators.reduce((sum, { power }) => sum + power, 0n);
  report(header, certificate, `${verdict.power} of ${total}`);
}

function report(header: Header, { blockHash, round, signatures }: CommitCertificate, power: string): void {
  console.log(`block ${header.height} ${blockHash}`);
  console.log(`decided in round ${round} by ${signatures.length} validators with voting power ${power}`);
  console.log(`time ${new Date(header.timestampMs).toISOString()}, proposer ${header.proposer}`);
  console.log(`state root of block ${header.height - 1}: ${header.parentResults.stateRoot}`);
}

async function ask(url: string, height: string): Promise<unknown> {
  const selector = height === 'latest' ? height : quantityOf(height);
  const commit = await callRpc(url, 'prime_getCommit', [selector]);
  if (commit === null) throw usage(`${url} has no decided block ${height}`);
  return commit;
}

const quantityOf = (height: string): string =>
  `0x${parseWholeNumber(height, '--height', 1, Number.MAX_SAFE_INTEGER).toString(16)}`;

async function answerIn(file: string): Promise<unknown> {
  const text = await readGiven(file, '--file');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${file} is no JSON: ${(error as Error).message}`);
  }
}

function checkShape(value: unknown): Commit {
  if (isCommit(value)) return value;
  const [first] = isCommit.errors ?? [];
  throw refuted(`it is no answer of prime_getCommit: ${first?.instancePath ?? ''} ${first?.message ?? ''}`);
}

const usage = (words: string): CliError => new CliError(words, { code: 'CLI_USAGE', argument: 'verify-cert' });
const refuted = (words: string): CliError =>
  new CliError(`NOT proven: ${words}`, { code: 'CLI_NOT_PROVEN', reason: words });
