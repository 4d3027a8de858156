import { keccak256 } from '@prime/crypto';
import { bigintToBytes, concatBytes, hexToBytes, utf8ToBytes } from '@prime/primitives';
import { invalidParams } from '../errors/errors.ts';

/**
 * EIP-712 typed data of any shape, as wallets sign it (`eth_signTypedData_v4`): a value that is null is a word of zeros where a struct
 * stands, and an error anywhere else.
 */
export interface TypedMessage {
  readonly types: Readonly<Record<string, readonly TypedField[]>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

interface TypedField {
  readonly name: string;
  readonly type: string;
}

/** Structs and lists within each other; deeper ones are refused before they are too much for the stack. */
const nestingMax = 64;

/** Fields of all structs together: the type of each is spelled out with all that it refers to. */
const fieldsMax = 1024;

/** Fields of the domain in their order, for callers who do not name them among the types. */
const domainFields: readonly TypedField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

const refuse = (path: string, what: string): never => {
  throw invalidParams(path, what);
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isField = (value: unknown): value is TypedField =>
  isRecord(value) && typeof value['name'] === 'string' && typeof value['type'] === 'string';

/** From an object, or its JSON text, which is what ethers and viem send. @throws RpcError `RPC_INVALID_PARAMS` */
export function parseTypedMessage(wire: unknown): TypedMessage {
  const value = typeof wire === 'string' ? parseJson(wire) : wire;
  if (!isRecord(value)) return refuse('typedData', 'must be an object {types, primaryType, domain, message}');
  const { types, primaryType, domain, message } = value;
  if (!isRecord(types)) return refuse('typedData.types', 'must be an object');
  for (const [name, fields] of Object.entries(types))
    if (!Array.isArray(fields) || !fields.every(isField))
      return refuse(`typedData.types.${name}`, 'must be a list of {name, type}');
  const fieldCount = Object.values(types as TypedMessage['types']).reduce((sum, fields) => sum + 1 + fields.length, 0);
  if (fieldCount > fieldsMax) return refuse('typedData.types', `must have at most ${fieldsMax} types and fields`);
  if (typeof primaryType !== 'string' || !Object.hasOwn(types, primaryType))
    return refuse('typedData.primaryType', 'must be one of the types');
  if (!isRecord(domain)) return refuse('typedData.domain', 'must be an object');
  if (!isRecord(message)) return refuse('typedData.message', 'must be an object');
  return { types: types as TypedMessage['types'], primaryType, domain, message };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('typedData', 'must be an object or its JSON text');
  }
}

/** What is signed: keccak256(0x1901 | domain | message). @throws RpcError `RPC_INVALID_PARAMS` */
export function typedMessageDigest({ types, primaryType, domain, message }: TypedMessage): Uint8Array {
  const ownDomain = domainFields.filter(({ name }) => domain[name] !== undefined);
  const encoder = new Encoder(Object.hasOwn(types, 'EIP712Domain') ? types : { ...types, EIP712Domain: ownDomain });
  const parts = [Uint8Array.of(0x19, 0x01), encoder.struct('EIP712Domain', domain, 'typedData.domain', 0)];
  // Typed data about nothing but the domain is signed without a message.
  if (primaryType !== 'EIP712Domain') parts.push(encoder.struct(primaryType, message, 'typedData.message', 0));
  return keccak256(concatBytes(...parts));
}

class Encoder {
  private readonly types: TypedMessage['types'];
  private readonly typeHashes = new Map<string, Uint8Array>();

  constructor(types: TypedMessage['types']) {
    this.types = types;
  }

  /** `hashStruct` */
  struct(type: string, value: Readonly<Record<string, unknown>>, path: string, depth: number): Uint8Array {
    const words = this.types[type]!.map((field) =>
      this.word(field.type, value[field.name], `${path}.${field.name}`, depth),
    );
    return keccak256(concatBytes(this.typeHash(type), ...words));
  }

  private word(type: string, value: unknown, path: string, depth: number): Uint8Array {
    if (depth >= nestingMax) return refuse(path, `is nested deeper than ${nestingMax} levels`);
    const list = /^(.*)\[(\d*)\]$/.exec(type);
    if (list !== null) return this.list(list[1]!, list[2]!, value, path, depth);
    if (!Object.hasOwn(this.types, type)) return atom(type, value, path);
    if (value === null || value === undefined) return new Uint8Array(32);
    return isRecord(value) ? this.struct(type, value, path, depth + 1) : refuse(path, `must be an object, a ${type}`);
  }

  private list(item: string, length: string, value: unknown, path: string, depth: number): Uint8Array {
    if (!Array.isArray(value)) return refuse(path, 'must be a list');
    if (length !== '' && value.length !== Number(length)) return refuse(path, `must have ${length} entries`);
    return keccak256(
      concatBytes(...value.map((entry, index) => this.word(item, entry, `${path}[${index}]`, depth + 1))),
    );
  }

  private typeHash(type: string): Uint8Array {
    const known = this.typeHashes.get(type) ?? keccak256(utf8ToBytes(this.encodeType(type)));
    this.typeHashes.set(type, known);
    return known;
  }

  /** The type, and behind it by name what it refers to. */
  private encodeType(type: string): string {
    const found = new Set([type]);
    for (const name of found)
      for (const field of this.types[name]!) {
        const referred = field.type.replace(/(\[\d*\])+$/, '');
        if (Object.hasOwn(this.types, referred)) found.add(referred);
      }
    found.delete(type);
    return [type, ...[...found].toSorted()]
      .map((name) => `${name}(${this.types[name]!.map((field) => `${field.type} ${field.name}`).join(',')})`)
      .join('');
  }
}

/** A value that is no struct and no list, as one word. */
function atom(type: string, value: unknown, path: string): Uint8Array {
  if (type === 'string')
    return typeof value === 'string' ? keccak256(utf8ToBytes(value)) : refuse(path, 'must be text');
  if (type === 'bool')
    return typeof value === 'boolean' ? wordOf(value ? 1n : 0n) : refuse(path, 'must be true or false');
  if (type === 'bytes') return keccak256(bytesOf(value, null, path));
  if (type === 'address') return padded(bytesOf(value, 20, path), 12);
  const bytes = /^bytes([1-9]|[12]\d|3[012])$/.exec(type);
  if (bytes !== null) return padded(bytesOf(value, Number(bytes[1]), path), 0);
  const integer = /^(u?)int(\d{0,3})$/.exec(type);
  const bits = Number(integer?.[2] || 256);
  if (integer === null || bits === 0 || bits % 8 !== 0 || bits > 256)
    return refuse(path, `has the unknown type ${type}`);
  return integerOf(value, integer[1] === '', bits, path);
}

function integerOf(value: unknown, isSigned: boolean, bits: number, path: string): Uint8Array {
  const words = `must be ${isSigned ? 'an' : 'an unsigned'} integer of ${bits} bits: decimal or hex text, or a number that is exact`;
  const isText = typeof value === 'string' && /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value);
  if (!isText && !Number.isSafeInteger(value)) return refuse(path, words);
  const number = BigInt(value as string | number);
  const [least, most] = isSigned ? [-(1n << BigInt(bits - 1)), 1n << BigInt(bits - 1)] : [0n, 1n << BigInt(bits)];
  return number >= least && number < most ? wordOf(BigInt.asUintN(256, number)) : refuse(path, words);
}

function bytesOf(value: unknown, length: number | null, path: string): Uint8Array {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value))
    return refuse(path, 'must be 0x and hex digits');
  const bytes = hexToBytes(value);
  return length === null || bytes.length === length ? bytes : refuse(path, `must have ${length} bytes`);
}

/** A word with the bytes from `offset` on. */
function padded(bytes: Uint8Array, offset: number): Uint8Array {
  const word = new Uint8Array(32);
  word.set(bytes, offset);
  return word;
}

function wordOf(value: bigint): Uint8Array {
  const bytes = bigintToBytes(value);
  return padded(bytes, 32 - bytes.length);
}
