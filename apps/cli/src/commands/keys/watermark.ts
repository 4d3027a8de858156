import { genesisHash, parseSignBytes } from '@prime/codec';
import { type CryptoProvider, cryptoProvider, keccak256, recoverAddress } from '@prime/crypto';
import { comparePlaces, type SignStateRecord, type SignStateStore } from '@prime/engine';
import {
  type Address,
  bytesEqual,
  bytesToHex,
  type Hash,
  type Height,
  hexToBytes,
  type Round,
} from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import { type Static, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import type { Command } from 'commander';
import { confirm } from '../../terminal/confirm.ts';
import { CliError, usageError } from '../../errors.ts';
import { readGiven } from '../../files.ts';
import { signersOf } from '../../keys/keystores.ts';
import { openHome, whileLocked, withSignState } from '../../home/openHome.ts';

/**
 * `prime watermark export | import`: the newest signature of a validator as a file, for moving it to another machine (in the
 * manner of EIP-3076). Importing never lowers: the later of both places stays.
 */
export function addWatermarkCommands(program: Command): void {
  const watermark = program
    .command('watermark')
    .description('The newest signature of a stopped validator: nothing at or before it is ever signed again');
  watermark
    .command('export')
    .description('Print it as JSON, or write it to a file')
    .requiredOption('--home <dir>', 'home folder of the validator')
    .option('--out <file>', 'where to write it')
    .action(exportWatermark);
  watermark
    .command('import')
    .description('Raise the one of a home to that of a file; a lower one changes nothing')
    .requiredOption('--home <dir>', 'home folder of the validator')
    .argument('<file>', 'what export wrote')
    .option('--last', 'the key has signed nothing after it: a home that came with a backup may sign by it. Asks first')
    .option('--yes', 'do not ask')
    .action(importWatermark);
}

const format = 'prime-watermark-1';

const hex = Type.String({ pattern: '^0x([0-9a-f]{2})*$' });
const hash = Type.String({ pattern: '^0x[0-9a-f]{64}$' });
const hashOrNull = Type.Unsafe<string | null>({ ...hash, nullable: true });
const place = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const lockRound = Type.Integer({ minimum: -1, maximum: Number.MAX_SAFE_INTEGER });
const schema = Type.Object(
  {
    format: Type.Literal(format),
    // The network and the key that it is for.
    genesis_hash: hash,
    signer: Type.String({ pattern: '^0x[0-9a-f]{40}$' }),
    height: place,
    round: place,
    // 1 proposal, 2 prevote, 3 precommit.
    step: Type.Integer({ minimum: 1, maximum: 3 }),
    sign_bytes: hex,
    signature: hex,
    locked_round: lockRound,
    locked_value: hashOrNull,
    valid_round: lockRound,
    valid_value: hashOrNull,
  },
  { additionalProperties: false },
);
type WatermarkFile = Static<typeof schema>;
/** Compiled by who needs it: at the start of every node it would be 0.1 s. */
const watermarkCheck = () => new Ajv({ allowUnionTypes: true }).compile<WatermarkFile>(schema);

/** Runs work on the sign state of a home that no process uses. */
async function withStopped<Result>(
  home: string,
  work: (context: {
    readonly store: SignStateStore;
    readonly genesisHash: Hash;
    /** Keys of the home, the one in use first; of a remote signer, those that the node knows. */
    readonly signers: readonly Address[];
    readonly provider: CryptoProvider;
  }) => Result,
): Promise<Result> {
  const { paths, genesis } = await openHome(home);
  const provider = await cryptoProvider();
  const signers = await signersOf(paths);
  return whileLocked(paths, () =>
    withSignState(paths.signState, genesis, (store) =>
      work({ store, genesisHash: genesisHash(genesis), signers, provider }),
    ),
  );
}

async function exportWatermark({ home, out }: { readonly home: string; readonly out?: string }): Promise<void> {
  const file = await withStopped(home, ({ store, genesisHash: network, signers, provider }) => {
    const record = store.read();
    if (store.isSealed()) throw sealed(home);
    if (record === null)
      throw new CliError('nothing was ever signed with this home: there is nothing to export', {
        code: 'CLI_NOTHING_SIGNED',
      });
    // Where two keys are there, the one that made the signature.
    const by = recoverAddress(provider, keccak256(record.signBytes), record.signature);
    return fileOf(record, network, signers.find((signer) => signer === by) ?? signers[0]!);
  });
  const text = `${JSON.stringify(file, null, 2)}\n`;
  if (out === undefined) console.log(text.trimEnd());
  else writeFileDurably(out, new TextEncoder().encode(text), 0o600);
}

interface ImportFlags {
  readonly home: string;
  readonly last?: boolean;
  readonly yes?: boolean;
}

/**
 * Raises the watermark of a stopped home to that of a file; a lower one changes nothing. With `last` the home signs by it from then on.
 *
 * @throws CliError `CLI_WATERMARK_MISMATCH`, `CLI_USAGE`; StorageError `DATA_DIR_LOCKED`
 */
export async function importWatermark(file: string, { home, last = false, yes = false }: ImportFlags): Promise<void> {
  const imported = await readWatermark(file);
  if (last)
    await confirm(
      `${file} is said to be the last that ${imported.signer} signed: height ${imported.height}, round ${imported.round}, step ${imported.step}. ` +
        'If the key has signed anything after it, it will sign twice, and its stake is slashed.',
      yes,
    );
  await withStopped(home, ({ store, genesisHash: network, signers, provider }) => {
    if (imported.genesis_hash !== network || !signers.some((signer) => signer === imported.signer))
      throw mismatch(
        `${file} is for signer ${imported.signer} of network ${imported.genesis_hash}, this home has ${signers.join(' and ')} of ${network}`,
      );
    const record = recordOf(imported);
    checkSignature(provider, file, imported, record);
    const own = store.read();
    const difference = own === null ? 1 : comparePlaces(record, own);
    if (difference === 0 && !bytesEqual(record.signBytes, own!.signBytes))
      throw mismatch(`${file} and this home hold different signatures at ${placeOf(record)}: the key has signed twice`);
    if (difference < 0 && last)
      throw mismatch(`${file} is not the last: this home knows a signature at ${placeOf(own!)}`);
    if (difference > 0) store.write(record);
    if (last) store.unseal();
    const now =
      difference > 0
        ? `raised to ${placeOf(record)}`
        : `unchanged: this home is at ${placeOf(own!)}, the file at ${placeOf(record)}`;
    console.log(last ? `${now}; it signs by that from now on` : now);
  });
}

/** What it says must be what was signed: a height that somebody mistyped would silence the validator, or protect it less than it seems. */
function checkSignature(
  provider: CryptoProvider,
  path: string,
  file: WatermarkFile,
  { signBytes, signature, ...record }: SignStateRecord,
): void {
  const place = parseSignBytes(signBytes);
  if (place === null || comparePlaces(place, record) !== 0 || place.genesisHash !== file.genesis_hash)
    throw mismatch(`${path} is damaged or was edited: what was signed there is not what it says`);
  if (recoverAddress(provider, keccak256(signBytes), signature) !== file.signer)
    throw mismatch(`${path} is damaged or was edited: its signature is not one of ${file.signer}`);
}

async function readWatermark(path: string): Promise<WatermarkFile> {
  const refuse = (what: string): CliError => usageError(`${path} is no watermark: ${what}`, path);
  const text = await readGiven(path, 'file');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse((error as Error).message);
  }
  const isWatermark = watermarkCheck();
  if (isWatermark(value)) return value;
  const [first] = isWatermark.errors ?? [];
  throw refuse(`${first?.instancePath ?? ''} ${first?.message ?? 'malformed'}`.trim());
}

const sealed = (home: string): CliError =>
  new CliError(
    `${home} was restored from a backup, and its newest signature is not known here: start the node, and let it see that the chain has passed by it`,
    { code: 'CLI_SIGN_STATE_SEALED', path: home },
  );
const mismatch = (words: string): CliError => new CliError(words, { code: 'CLI_WATERMARK_MISMATCH' });

const fileOf = (record: SignStateRecord, network: Hash, signer: string): WatermarkFile => ({
  format,
  genesis_hash: network,
  signer,
  height: record.height,
  round: record.round,
  step: record.step,
  sign_bytes: bytesToHex(record.signBytes),
  signature: bytesToHex(record.signature),
  locked_round: record.lockedRound,
  locked_value: record.lockedValue,
  valid_round: record.validRound,
  valid_value: record.validValue,
});

const recordOf = (file: WatermarkFile): SignStateRecord => ({
  height: file.height as Height,
  round: file.round as Round,
  step: file.step as SignStateRecord['step'],
  signBytes: hexToBytes(file.sign_bytes),
  signature: hexToBytes(file.signature),
  lockedRound: file.locked_round as Round,
  lockedValue: file.locked_value as Hash | null,
  validRound: file.valid_round as Round,
  validValue: file.valid_value as Hash | null,
});

const placeOf = ({ height, round, step }: SignStateRecord): string => `height ${height}, round ${round}, step ${step}`;
