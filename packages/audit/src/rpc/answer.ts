import { type Address, type Hash, hexToBytes, parseAddress, parseHash } from '@prime/primitives';
import { fromHex } from './call.ts';
import { AuditError } from '../errors.ts';

const shownMax = 120;
const quantityText = /^-?0x[0-9a-f]+$/;

/** Part of a node's answer. Readers throw AuditError `AUDIT_ANSWER_UNREADABLE` that names method and place. */
export class Answer {
  readonly #method: string;
  readonly #place: string;
  readonly #value: unknown;

  constructor(method: string, value: unknown, place = 'result') {
    this.#method = method;
    this.#value = value;
    this.#place = place;
  }

  get isNull(): boolean {
    return this.#value === null || this.#value === undefined;
  }

  field(name: string): Answer {
    const object: unknown = this.#value;
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return this.#unreadable('an object');
    return new Answer(this.#method, (object as Record<string, unknown>)[name], `${this.#place}.${name}`);
  }

  list(): Answer[] {
    if (!Array.isArray(this.#value)) return this.#unreadable('a list');
    return this.#value.map((entry, index) => new Answer(this.#method, entry, `${this.#place}[${index}]`));
  }

  object(): Readonly<Record<string, unknown>> {
    if (typeof this.#value !== 'object' || this.#value === null) return this.#unreadable('an object');
    return this.#value as Readonly<Record<string, unknown>>;
  }

  text(): string {
    return typeof this.#value === 'string' ? this.#value : this.#unreadable('text');
  }

  quantity(): bigint {
    return typeof this.#value === 'string' && quantityText.test(this.#value)
      ? fromHex(this.#value)
      : this.#unreadable('a hex quantity');
  }

  /** A quantity that a JavaScript number holds exactly. */
  number(): number {
    const number = Number(this.quantity());
    return Number.isSafeInteger(number) ? number : this.#unreadable('a hex quantity below 2^53');
  }

  hash(): Hash {
    return this.#parsed('32 bytes in hex', parseHash);
  }

  address(): Address {
    return this.#parsed('an address', parseAddress);
  }

  addressOrNull(): Address | null {
    return this.isNull ? null : this.address();
  }

  bytes(): Uint8Array {
    return this.#parsed('bytes in hex', (text) => hexToBytes(text));
  }

  #parsed<Value>(what: string, parse: (text: string) => Value): Value {
    const text = this.text();
    try {
      return parse(text);
    } catch {
      return this.#unreadable(what);
    }
  }

  #unreadable(expected: string): never {
    const value = (JSON.stringify(this.#value) ?? 'nothing').slice(0, shownMax);
    throw new AuditError(`${this.#method} answered ${value} at ${this.#place}, expected is ${expected}`, {
      code: 'AUDIT_ANSWER_UNREADABLE',
      method: this.#method,
      field: this.#place,
      value,
    });
  }
}
