import { AnswerUnreadableError } from '../errors/own.ts';
import type { RpcDomainEvent } from '../generated/methods.ts';
import type { DomainEventOf } from '../streams/domainEvents.ts';
import { isStreamError } from '../streams/errors.ts';
import { readEvents } from '../streams/wire/events.ts';

/** What an answer has in common with a notification, read by the reader of that. @throws AnswerUnreadableError that names the field */
export function readAnswer<result>(read: (wire: unknown) => result, wire: unknown): result {
  try {
    return read(wire);
  } catch (thrown) {
    if (!isStreamError(thrown, 'STREAM_MESSAGE_MALFORMED')) throw thrown;
    throw new AnswerUnreadableError(thrown.detail.what, thrown);
  }
}

/** Events of an answer, read as those of streams are. @throws AnswerUnreadableError that names the field */
export const decodeDomainEvents = (wire: readonly RpcDomainEvent[]): readonly DomainEventOf[] =>
  readAnswer(readEvents, wire);
