import { bytesToHex, stringToBytes } from 'viem';
import { InvalidActionError } from '../errors/own.ts';
import type { Hex } from '../types/primitives.ts';

const clientIdBytes = 16;

/** A text of at most 16 bytes in UTF-8, such as `maker-7`, as a client id. @throws InvalidActionError also for an empty text: that is no id */
export function toClientId(text: string): Hex {
  const bytes = stringToBytes(text);
  if (bytes.length < 1 || bytes.length > clientIdBytes)
    throw new InvalidActionError('clientId', `has to be 1 to ${clientIdBytes} bytes of text, not ${bytes.length}`);
  const id = new Uint8Array(clientIdBytes);
  id.set(bytes);
  return bytesToHex(id);
}

/** A client id that nobody has had: 16 random bytes. */
export const createClientId = (): Hex => bytesToHex(crypto.getRandomValues(new Uint8Array(clientIdBytes)));
