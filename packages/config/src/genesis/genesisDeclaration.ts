/**
 * A genesis that several operators make together. Each makes keys on its own machine and sends one line, public and signed by both of its keys:
 *
 *   {"format": "prime-declaration-1", "network": "…", "chainId": …, "moniker": "…", "owner": "0x…", "publicKey": "0x…", "stake": "…",
 *    "host": "…", "port": …, "spki": "0x…", "ownerSignature": "0x…", "signerSignature": "0x…"}
 *
 * Whoever has all lines makes the genesis, and each operator can make it again: the order of the lines counts for nothing.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Genesis, type GenesisDeclaration, genesisDeclarationDigest } from '@prime/codec';
import { type CryptoProvider, recoverAddress } from '@prime/crypto';
import {
  bytesEqual,
  bytesToHex,
  compareStrings,
  hexToBytes,
  parseAddress,
  parseHash,
  utf8ToBytes,
} from '@prime/primitives';
import { ConfigError } from '../errors.ts';
import { formatGenesis, parseGenesis } from './genesisFile.ts';
import { address, allowedBy, amount, hash, publicKey, strict, whole } from './genesisTypes.ts';
import type { KeyPair } from '../keys/keys.ts';

const format = 'prime-declaration-1';
const monikerBytesMax = 64;
/** More than a set may have validators, so that a wrong file is refused before it is worked through. */
const linesMax = 1_000;

const signature = Type.String({ pattern: '^0x[0-9a-fA-F]{130}$', title: 'a signature, 0x and 130 hex digits' });
/** Strangers' words are shown on terminals: none of them may move a cursor. */
const plainText = (limit: number) =>
  Type.String({
    pattern: `^[^\\u0000-\\u001f\\u007f-\\u009f]{1,${limit}}$`,
    title: `1 to ${limit} characters, none of them a control character`,
  });

const lineSchema = Type.Object(
  {
    format: Type.Literal(format, { title: `"${format}"` }),
    network: plainText(64),
    chainId: whole(1),
    moniker: plainText(monikerBytesMax),
    owner: address,
    publicKey,
    stake: amount,
    host: Type.String({ pattern: '^[A-Za-z0-9._:-]{1,253}$', title: 'a host name or an IP address' }),
    port: whole(1, 65_535),
    spki: hash,
    ownerSignature: signature,
    signerSignature: signature,
  },
  strict,
);

/** A declaration whose signatures hold. */
export interface ReadDeclaration extends GenesisDeclaration {
  /** File and line, for messages. */
  readonly source: string;
}

const domainOf = ({ networkName, chainId }: Pick<Genesis, 'networkName' | 'chainId'>): string =>
  `network ${JSON.stringify(networkName)} with chain id ${chainId}`;

/** The line that an operator sends, without a line end. @param keys of the declaration's owner and hot key */
export function formatDeclaration(
  provider: CryptoProvider,
  declaration: GenesisDeclaration,
  keys: { readonly owner: KeyPair; readonly signer: KeyPair },
): string {
  const digest = genesisDeclarationDigest(declaration);
  const sign = ({ privateKey }: KeyPair): string => bytesToHex(provider.sign(digest, privateKey));
  const { networkName, chainId, moniker, owner, publicKey: key, stake, host, port, spki } = declaration;
  const line: Static<typeof lineSchema> = {
    format,
    network: networkName,
    chainId,
    moniker,
    owner,
    publicKey: bytesToHex(key),
    stake: String(stake),
    host,
    port,
    spki,
    ownerSignature: sign(keys.owner),
    signerSignature: sign(keys.signer),
  };
  return JSON.stringify(line);
}

/**
 * One line.
 *
 * @param source file and line, for messages
 * @throws ConfigError `CONFIG_DECLARATION_INVALID`, `CONFIG_DECLARATION_UNSIGNED`
 */
export function parseDeclaration(provider: CryptoProvider, text: string, source: string): ReadDeclaration {
  const line = lineOf(text, source);
  const declaration: GenesisDeclaration = {
    networkName: line.network,
    chainId: line.chainId,
    moniker: line.moniker,
    owner: parseAddress(line.owner),
    publicKey: hexToBytes(line.publicKey, 33),
    stake: BigInt(line.stake),
    host: line.host,
    port: line.port,
    spki: parseHash(line.spki),
  };
  for (const [field, value] of Object.entries({ network: line.network, moniker: line.moniker }))
    if (utf8ToBytes(value).length > monikerBytesMax) throw invalid(source, field, `at most ${monikerBytesMax} bytes`);
  if (declaration.stake >= 1n << 256n) throw invalid(source, 'stake', 'less than 2^256');
  const digest = genesisDeclarationDigest(declaration);
  if (recoverAddress(provider, digest, hexToBytes(line.ownerSignature)) !== declaration.owner)
    throw unsigned(source, 'owner');
  const signed = provider.recover(digest, hexToBytes(line.signerSignature));
  if (signed === null || !bytesEqual(compressed(signed), declaration.publicKey)) throw unsigned(source, 'signer');
  return { ...declaration, source };
}

function lineOf(text: string, source: string): Static<typeof lineSchema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid(source, 'line', 'JSON, as prime genesis declare prints it');
  }
  const problem = Value.Errors(lineSchema, json).First();
  if (problem === undefined) return json as Static<typeof lineSchema>;
  throw invalid(source, problem.path.slice(1) || 'line', allowedBy(problem));
}

/** @param key uncompressed, 65 bytes */
function compressed(key: Uint8Array): Uint8Array {
  const short = key.slice(0, 33);
  short[0] = 2 + (key[64]! & 1);
  return short;
}

/**
 * All lines of a file; empty ones count for nothing.
 *
 * @throws ConfigError `CONFIG_DECLARATION_INVALID`, `CONFIG_DECLARATION_UNSIGNED`
 */
export function parseDeclarations(provider: CryptoProvider, text: string, file: string): ReadDeclaration[] {
  const lines = text.split(/\r?\n/);
  if (lines.length > linesMax) throw invalid(file, 'lines', `at most ${linesMax} lines`);
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [parseDeclaration(provider, line, `${file}:${index + 1}`)],
  );
}

/** @throws ConfigError `CONFIG_DECLARATION_FOREIGN` for one of another network */
export function checkDeclaration(
  declaration: ReadDeclaration,
  network: Pick<Genesis, 'networkName' | 'chainId'>,
): void {
  const [expected, found] = [domainOf(network), domainOf(declaration)];
  if (expected === found) return;
  const { source } = declaration;
  throw new ConfigError(`${source} is for ${found}, and this genesis is of ${expected}`, {
    code: 'CONFIG_DECLARATION_FOREIGN',
    source,
    expected,
    found,
  });
}

/** A genesis without its validators. */
export type GenesisBase = Omit<Genesis, 'validators'>;

/**
 * The genesis of those who declared themselves, in the order of their owners: whatever order the lines have, it is the same text.
 *
 * @throws ConfigError `CONFIG_DECLARATION_FOREIGN`, `CONFIG_DECLARATION_REPEATED`, `CONFIG_DECLARATION_INVALID` for too little stake, `CONFIG_GENESIS_INVALID`
 */
export function collectGenesis(
  base: GenesisBase,
  declarations: readonly ReadDeclaration[],
): { readonly text: string; readonly genesis: Genesis; readonly validators: readonly ReadDeclaration[] } {
  const validators = declarations.toSorted((a, b) => compareStrings(a.owner, b.owner));
  const minStake = base.staking?.minStake ?? 1n;
  for (const declaration of validators) {
    checkDeclaration(declaration, base);
    if (declaration.stake < minStake) throw invalid(declaration.source, 'stake', `at least ${minStake} wei`);
  }
  for (const [field, of] of Object.entries(ownOf)) refuseRepeated(field, validators, of);
  const text = formatGenesis({
    ...base,
    validators: validators.map(({ owner, publicKey: key, stake, moniker }) => ({
      address: owner,
      publicKey: key,
      stake,
      moniker,
    })),
  });
  // Read back: what is handed out is what every node will read.
  return { text, genesis: parseGenesis(text), validators };
}

/** What belongs to one validator alone. */
const ownOf: Readonly<Record<string, (declaration: ReadDeclaration) => string>> = {
  owner: ({ owner }) => owner,
  publicKey: ({ publicKey: key }) => bytesToHex(key),
  spki: ({ spki }) => spki,
  'host and port': ({ host, port }) => `${host.toLowerCase()} ${port}`,
  moniker: ({ moniker }) => moniker,
};

function refuseRepeated(
  field: string,
  declarations: readonly ReadDeclaration[],
  of: (declaration: ReadDeclaration) => string,
): void {
  const seen = new Map<string, string>();
  for (const declaration of declarations) {
    const value = of(declaration);
    const before = seen.get(value);
    if (before !== undefined) {
      const sources = [before, declaration.source].toSorted(compareStrings) as [string, string];
      throw new ConfigError(
        `${sources[0]} and ${sources[1]} have the same ${field}, ${value}: each is one validator's`,
        {
          code: 'CONFIG_DECLARATION_REPEATED',
          sources,
          field,
        },
      );
    }
    seen.set(value, declaration.source);
  }
}

const invalid = (source: string, field: string, allowed: string): ConfigError =>
  new ConfigError(`${source} is no declaration of a validator: ${field} has to be ${allowed}`, {
    code: 'CONFIG_DECLARATION_INVALID',
    source,
    field,
    allowed,
  });

const unsigned = (source: string, by: 'owner' | 'signer'): ConfigError =>
  new ConfigError(
    `${source} is not signed by the ${by} that it names: somebody else made it, or it was changed afterwards`,
    { code: 'CONFIG_DECLARATION_UNSIGNED', source, by },
  );
