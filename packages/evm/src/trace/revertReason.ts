import { bytesToBigint, bytesToHex } from '@prime/primitives';

const errorSelector = '0x08c379a0';
const panicSelector = '0x4e487b71';
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Words of the compiler's panic codes. @see Solidity documentation, "Panic via assert and Error via require" */
const panics: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
]);

/** The text of `Error(string)` or the meaning of `Panic(uint256)` in revert data; null for anything else. */
export function revertReason(output: Uint8Array): string | null {
  if (output.length < 36) return null;
  const selector = bytesToHex(output.subarray(0, 4));
  const body = output.subarray(4);
  if (selector === panicSelector) {
    const code = bytesToBigint(body.subarray(0, 32));
    return panics.get(code) ?? `unknown panic code: 0x${code.toString(16)}`;
  }
  return selector === errorSelector ? decodeString(body) : null;
}

function decodeString(body: Uint8Array): string | null {
  const word = (at: number): number | null => {
    if (at + 32 > body.length) return null;
    const value = bytesToBigint(body.subarray(at, at + 32));
    return value > BigInt(body.length) ? null : Number(value);
  };
  const offset = word(0);
  const length = offset === null ? null : word(offset);
  if (offset === null || length === null || offset + 32 + length > body.length) return null;
  try {
    return decoder.decode(body.subarray(offset + 32, offset + 32 + length));
  } catch {
    return null;
  }
}
