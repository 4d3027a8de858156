import { type Hex, toClientId } from '@prime/sdk';

const idPattern = /^0x[0-9a-fA-F]{32}$/;
const printable = /^[\x20-\x7e]+$/;

/**
 * ccxt's text as the chain's 16 bytes: 32 hex digits behind 0x stand for themselves, any other text for its bytes.
 *
 * @throws InvalidActionError for a text of more than 16 bytes, or none
 */
export const encodeClientOrderId = (text: string): Hex =>
  idPattern.test(text) ? (text.toLowerCase() as Hex) : toClientId(text);

/** Back: printable text where the bytes are one, filled up with zeros; else the hex. Undefined for an order without. */
export function decodeClientOrderId(id: Hex | null): string | undefined {
  if (id === null) return undefined;
  const text = String.fromCharCode(
    ...(
      id
        .slice(2)
        .replace(/(00)+$/, '')
        .match(/../g) ?? []
    ).map((byte) => Number.parseInt(byte, 16)),
  );
  return printable.test(text) ? text : id;
}
