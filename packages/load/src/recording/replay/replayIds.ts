import { keccak256 } from '@prime/crypto';
import { bytesToHex, utf8ToBytes } from '@prime/primitives';
import { type OrderRef, orderRefOf } from '../flow/flow.ts';

const tagDigits = 8;
const lineDigits = 16;
const indexDigits = 8;

/** First digits of all client ids of a replay, so that nobody else's orders are taken for its own. */
const tagOf = (secret: string): string =>
  bytesToHex(keccak256(utf8ToBytes(`prime replay ids ${secret}`))).slice(2, 2 + tagDigits);

/**
 * Client ids of a replay: each says which order of the flow it stands for, so that cancels name orders without an answer, and what the replay did can be
 * joined with the flow.
 */
export class ReplayIds {
  readonly #tag: string;

  constructor(secret: string) {
    this.#tag = tagOf(secret);
  }

  clientId(ref: OrderRef): string {
    const [line = '0', index] = ref.split('.');
    const place = index === undefined ? 0 : Number(index) + 1;
    const digits = Number(line).toString(16).padStart(lineDigits, '0') + place.toString(16).padStart(indexDigits, '0');
    return `0x${this.#tag}${digits}`;
  }

  /** @returns null for an id that is none of this replay */
  refOf(clientId: string): OrderRef | null {
    if (!clientId.startsWith(`0x${this.#tag}`)) return null;
    const digits = clientId.slice(2 + tagDigits);
    const line = Number.parseInt(digits.slice(0, lineDigits), 16);
    const place = Number.parseInt(digits.slice(lineDigits), 16);
    return place === 0 ? orderRefOf(line) : orderRefOf(line, place - 1);
  }
}
