import { decodeHeader, voteSignDigest } from '@prime/codec';
import type { LightBlock, LightContext, LightRefusal, LightStep, LightValidator } from '@prime/consensus';
import { publicKeyToAddress } from '@prime/crypto';
import { type Address, type Height, hexToBytes, isPrimeError, type Round } from '@prime/primitives';
import { type Static, Type } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import { numberToHex } from 'viem';
import { CliError, notFound } from '../errors.ts';
import { askNode, type RpcNode } from './rpc.ts';

/** Light blocks as JSON: the answer of prime_getCommit, with that of prime_validators for its block beside it. */

const hex = Type.String({ pattern: '^0x([0-9a-f]{2})*$' });
const quantity = Type.String({ pattern: '^0x[0-9a-f]{1,13}$' });
const address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
const member = Type.Object({
  address,
  public_key: Type.String({ pattern: '^0x[0-9a-f]{66}$' }),
  voting_power: Type.String({ pattern: '^0x[0-9a-f]{1,64}$' }),
});
const membersMax = 1_000;
const commit = Type.Object({
  height: quantity,
  block_hash: Type.String({ pattern: '^0x[0-9a-f]{64}$' }),
  header: hex,
  round: quantity,
  signatures: Type.Array(Type.Object({ validator: address, signature: hex }), { maxItems: membersMax }),
  // An answer of prime_validators; left out where they are those of the block before it in the file, or of genesis.
  validators: Type.Optional(Type.Array(member, { minItems: 1, maxItems: membersMax, nullable: true })),
});

/** An answer of prime_getCommit, with that of prime_validators for its block. */
export type Commit = Static<typeof commit>;
/** Compiled by who needs it: at the start of every node it would be 0.1 s. */
const commitCheck = () => (compiled ??= new Ajv().compile<Commit>(commit));
let compiled: ValidateFunction<Commit> | null = null;

/** The error that ends a verification: `CLI_NOT_PROVEN`. It begins in capitals, so that nobody takes it for a success. */
export const notProven = (words: string): CliError =>
  new CliError(`NOT proven: ${words}`, { code: 'CLI_NOT_PROVEN', reason: words });

/**
 * @param fallback validators of a block that comes without them
 * @throws CliError `CLI_NOT_PROVEN` when it is none
 */
export function parseLightBlock(value: unknown, fallback: readonly LightValidator[]): LightBlock {
  const isCommit = commitCheck();
  if (!isCommit(value)) {
    const [first] = isCommit.errors ?? [];
    throw notProven(`it is no answer of prime_getCommit: ${first?.instancePath ?? ''} ${first?.message ?? ''}`);
  }
  try {
    const header = decodeHeader(hexToBytes(value.header));
    if (header.height !== Number(value.height))
      throw notProven(`the header is of block ${header.height}, not ${Number(value.height)}`);
    const signatures = value.signatures.map(({ validator, signature }) => ({
      validator: validator as Address,
      signature: hexToBytes(signature),
    }));
    const { height } = header;
    const blockHash = value.block_hash as LightBlock['certificate']['blockHash'];
    return {
      header,
      certificate: { height, round: Number(value.round) as Round, blockHash, signatures },
      validators: value.validators?.map(parseMember) ?? fallback,
    };
  } catch (error) {
    if (error instanceof CliError || !isPrimeError(error)) throw error;
    throw notProven(`block ${Number(value.height)} is malformed: ${error.message}`);
  }
}

function parseMember(entry: Static<typeof member>): LightValidator {
  const publicKey = hexToBytes(entry.public_key);
  return {
    address: entry.address as Address,
    signer: publicKeyToAddress(publicKey),
    publicKey,
    power: BigInt(entry.voting_power),
  };
}

/** @throws CliError `CLI_UNREACHABLE`, `CLI_NOT_FOUND` when the node has no such block */
export async function fetchLightBlock(node: RpcNode, height: Height): Promise<Commit> {
  const selector = numberToHex(height);
  // As the node writes it: nothing of it is taken apart before it is judged, and it is what is kept as the proof.
  const [answer, validators] = await askNode(node, (client) =>
    Promise.all([
      client.request({ method: 'prime_getCommit', params: [selector] }),
      client.request({ method: 'prime_validators', params: [selector] }),
    ]),
  );
  if (answer === null) throw notFound(`${node.url} has no decided block ${height}`, `block ${height}`);
  return { ...answer, validators } as unknown as Commit;
}

/**
 * Why a block is not believed, for people. One that nobody of this network signed is another network's: the same mistake, a genesis file of somewhere else, has
 * several refusals.
 */
export function refusalOf(
  refusal: (LightStep & { readonly kind: 'refused' })['refusal'],
  block: LightBlock | null,
  { chainId, genesisHash, provider }: Pick<LightContext, 'chainId' | 'genesisHash' | 'provider'>,
): string {
  const words = refusalWords(refusal);
  if (refusal.code === 'otherChain') return `it is of another network: ${words}, and genesis of chain ${chainId}`;
  if (block === null || !askSignatures.has(refusal.code)) return words;
  const { validators, certificate } = block;
  const digest = voteSignDigest(chainId, genesisHash, { ...certificate, type: 'precommit' });
  const isOurs = certificate.signatures.some(({ validator, signature }) => {
    const publicKey = validators.find(({ address: each }) => each === validator)?.publicKey;
    return publicKey !== undefined && signature.length === 65 && provider.verify(digest, signature, publicKey);
  });
  if (isOurs) return words;
  return `it is of another network, or made up: none of its signatures is for the genesis ${genesisHash} (${words})`;
}

/** Refusals that a block of another network with the same chain id gets. */
const askSignatures: ReadonlySet<string> = new Set(['certificate', 'otherNextValidators', 'notTrusted', 'notLater']);

function refusalWords(refusal: (LightStep & { readonly kind: 'refused' })['refusal']): string {
  if (refusal.code === 'tooManyBlocks')
    return `the validators change too often: more than ${refusal.limit} blocks are needed`;
  return lightRefusalWords(refusal);
}

function lightRefusalWords(refusal: LightRefusal): string {
  switch (refusal.code) {
    case 'otherChain':
      return `the header is of chain ${refusal.chainId}`;
    case 'otherHeight':
      return `block ${refusal.height} was sent in its place`;
    case 'otherBlock':
      return 'the certificate is for another block than the header';
    case 'otherValidators':
      return 'the header names other validators than those that came with it';
    case 'otherNextValidators':
      return 'the header names other validators than the block before it, or genesis, says';
    case 'notLater':
      return 'its time is not after that of the blocks before it';
    case 'fromTheFuture':
      return `its time is ${new Date(refusal.timestampMs).toISOString()}: it lies in the future`;
    case 'certificate':
      if (refusal.refusal.code === 'notEnoughPower')
        return `only ${refusal.refusal.power} of ${refusal.refusal.total} voting power signed it, more than 2/3 is needed`;
      return `its certificate does not hold: ${refusal.refusal.code}`;
    case 'notTrusted': {
      const needed = refusal.level === 'third' ? '1/3' : '2/3';
      return `only ${refusal.power} of ${refusal.total} voting power known before signed it, more than ${needed} is needed`;
    }
  }
}
