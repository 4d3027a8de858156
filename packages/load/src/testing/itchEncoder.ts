import {
  type FieldLayout,
  itchBeginBytes,
  itchLayouts,
  itchLengths,
  type ItchMessageOf,
  type ItchType,
} from '../itch/itchMessages.ts';

type Fields<Type extends ItchType> = Partial<Omit<ItchMessageOf<Type>, 'type' | 'offset'>>;

/** A message with its length in front; fields that are left out are 0 or spaces. */
export function encodeItch<Type extends ItchType>(type: Type, fields: Fields<Type>): Buffer {
  const message = Buffer.alloc(itchLengths[type]);
  const values = fields as Readonly<Record<string, number | bigint | string>>;
  message.write(type, 0, 'latin1');
  message.writeUInt16BE(Number(values['locate'] ?? 0), 1);
  message.writeUInt16BE(Number(values['tracking'] ?? 0), 3);
  message.writeUIntBE(Number(values['ns'] ?? 0), 5, 6);
  let at = itchBeginBytes;
  for (const [name, { kind, bytes }] of Object.entries(itchLayouts[type] as Readonly<Record<string, FieldLayout>>)) {
    const value = values[name];
    if (kind === 'text') message.write(String(value ?? '').padEnd(bytes), at, 'latin1');
    else if (kind === 'big') message.writeBigUInt64BE(BigInt(value ?? 0), at);
    else message.writeUInt32BE(Number(value ?? 0), at);
    at += bytes;
  }
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
